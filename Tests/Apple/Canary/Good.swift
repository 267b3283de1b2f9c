// SPDX-License-Identifier: Apache-2.0

// This file compiles. Every other canary is compiled together with it, and only the other one may fail.
public import Foundation
import Network

/// Listens to a stream that does not own it.
public final class Listener: NSObject, StreamDelegate {
    /// Becomes the delegate.
    public func listen(_ stream: OutputStream) { unsafe stream.delegate = self }
}

func direct(_ configuration: URLSessionConfiguration) { configuration.proxyConfigurations = [] }

@MainActor final class Screen {
    var title = ""
    func show(_ text: String) { title = text }
}

func load(_ then: @escaping @Sendable (Data) -> Void) { then(Data()) }

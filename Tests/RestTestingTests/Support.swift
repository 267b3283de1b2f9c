// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTransport
import Synchronization

@testable import RestTesting

/// A deadline that no test reaches unless something hangs.
var soon: ContinuousClock.Instant { .now + .seconds(60) }

/// A client that sends and receives raw bytes on its own connection, without using Swift's threads.
final class RawClient: Sendable {
    private let socket: Socket

    init(port: Int) throws {
        socket = try Socket.connected(port: port)
    }

    /// Sends bytes and reads until the connection ends.
    ///
    /// - Returns: the received text, and whether the connection was closed rather than reset.
    func exchange(_ text: String) async -> (text: String, isOrderly: Bool) {
        await send(text)
        return await readToEnd()
    }

    func send(_ text: String) async {
        await elsewhere { [socket] in _ = socket.send(Array(text.utf8)) }
    }

    func readToEnd() async -> (text: String, isOrderly: Bool) {
        await elsewhere { [socket] in
            var bytes: [UInt8] = []
            while let chunk = socket.receive() {
                if chunk.isEmpty { return (String(decoding: bytes, as: UTF8.self), true) }
                bytes += chunk
            }
            return (String(decoding: bytes, as: UTF8.self), false)
        }
    }

    /// Reads `count` bytes, or fewer if the connection ends.
    func read(_ count: Int) async -> String {
        await elsewhere { [socket] in
            var bytes: [UInt8] = []
            while bytes.count < count, let chunk = socket.receive(upTo: count - bytes.count), !chunk.isEmpty {
                bytes += chunk
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private func elsewhere<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "raw-client").async { continuation.resume(returning: body()) }
        }
    }
}

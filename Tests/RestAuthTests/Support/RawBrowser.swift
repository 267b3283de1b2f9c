// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport

@testable import RestAuth

/// A browser that sends exact bytes to a port of this machine.
final class RawBrowser: Sendable {
    private let socket: Socket

    init(_ listener: LoopbackPresenter.Listener) throws {
        socket = try Socket.connected(port: listener.portNumber)
    }

    func send(_ text: String) { _ = socket.send(Array(text.utf8)) }

    /// Everything the server says until it closes.
    func answer() -> String {
        var bytes: [UInt8] = []
        while let more = socket.receive(), !more.isEmpty { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// One whole exchange on a connection of its own.
    static func exchange(_ listener: LoopbackPresenter.Listener, _ text: String) throws -> String {
        let browser = try RawBrowser(listener)
        browser.send(text)
        return browser.answer()
    }
}

extension LoopbackPresenter.Listener {
    var portNumber: Int { (try? HTTPURL(parsing: redirectURI).origin.port) ?? 0 }

    /// A request to the listener as a browser makes it.
    func request(_ target: String, method: String = "GET", host: String? = nil, fields: String = "") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(portNumber)")\r\nAccept: */*\r\n\(fields)\r\n"
    }
}

extension String {
    /// The status of a raw response.
    var status: Int { split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
}

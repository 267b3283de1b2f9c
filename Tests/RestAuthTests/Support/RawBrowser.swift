// SPDX-License-Identifier: Apache-2.0

import RestBase
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

    /// Returns all bytes that the server sends until it closes the connection.
    func respond() -> String {
        var bytes: [UInt8] = []
        while let more = socket.receive(), !more.isEmpty { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Sends a request on a new connection and returns the response.
    static func exchange(_ listener: LoopbackPresenter.Listener, _ text: String) throws -> String {
        let browser = try RawBrowser(listener)
        browser.send(text)
        return browser.respond()
    }
}

extension LoopbackPresenter.Listener {
    var portNumber: Int { (try? HTTPURL(parsing: redirectURI).origin.port) ?? 0 }

    func request(_ target: String, method: String = "GET", host: String? = nil, fields: String = "") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(portNumber)")\r\nAccept: */*\r\n\(fields)\r\n"
    }
}

extension String {
    var status: Int { split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
}

/// A port that another program listens on, with the socket options for sharing ports.
final class BoundPort: Sendable {
    static let options = [SO_REUSEADDR, SO_REUSEPORT]
    let port: UInt16
    private let descriptor: Int32

    /// Listens on 127.0.0.1 or on every address, or returns `nil` if the port is not available.
    init?(_ port: UInt16 = 0, with option: Int32, isEverywhere: Bool) {
        #if canImport(Darwin)
        let made = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        descriptor = made
        var yes: Int32 = 1
        _ = unsafe setsockopt(made, SOL_SOCKET, option, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = isEverywhere ? 0 : UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(made, $0, length) == 0 && listen(made, 1) == 0 && getsockname(made, $0, &length) == 0
            }
        }
        self.port = UInt16(bigEndian: address.sin_port)
        if !isListening { return nil }
    }

    deinit { close(descriptor) }

    static func canListen(_ port: UInt16, with option: Int32, isEverywhere: Bool) -> Bool {
        BoundPort(port, with: option, isEverywhere: isEverywhere) != nil
    }
}

/// A port of 127.0.0.1 that was free when it was requested.
enum FreePort {
    static func number() -> UInt16 { BoundPort(with: SO_REUSEADDR, isEverywhere: false)?.port ?? 0 }
}

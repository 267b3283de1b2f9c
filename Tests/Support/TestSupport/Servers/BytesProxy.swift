// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestTesting
package import RestTransport

/// A proxy for the bytes of a connection, which it delays, cuts or stops.
///
/// `FaultProxy` parses HTTP/1.1, so it cannot carry HTTP/2.
package final class BytesProxy: Sendable {
    package enum Fault: Sendable {
        /// Chunks of this size from the server, with a pause after each.
        case slices(Int, pause: Duration = .zero)
        /// Both connections are closed after this number of bytes from the server, 0 for a connection that is refused.
        case cut(Int)
        /// Nothing more is forwarded after this number of bytes from the server, and nothing is closed.
        case silence(Int)
    }

    /// The first lines of the tunnels that clients have requested.
    package let tunnels = Watched<[String]>([])
    private let server: ConnectionServer

    /// Starts a proxy to a port, which responds to `CONNECT` first if it is a tunnel.
    ///
    /// `fault` is called for each connection.
    package init(to port: Int, isTunnel: Bool = false, fault: @escaping @Sendable () -> Fault? = { nil }) throws {
        let tunnels = tunnels
        server = try ConnectionServer {
        } onStop: {
        } handler: { server, index, client in
            guard let origin = try? Socket.connected(port: port), server.register(origin, for: index) else { return }
            if isTunnel {
                guard let line = Self.firstLine(from: client) else { return }
                tunnels.update { $0.append(line) }
                _ = client.send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8))
            }
            Self.forward(client, origin, fault()) { server.pause($0) }
            client.interrupt()
            origin.interrupt()
        } onClose: { _ in
        }
    }

    /// Reads the head of a request, and returns its first line.
    private static func firstLine(from client: Socket) -> String? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = client.receive(upTo: 1), !byte.isEmpty else { return nil }
            head += byte
        }
        return String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }

    private static func forward(_ client: Socket, _ origin: Socket, _ fault: Fault?, pause: (Duration) -> Bool) {
        var (left, size, delay): (Int?, Int, Duration) = (nil, 65_536, .zero)
        switch fault {
        case .cut(let count), .silence(let count): left = count
        case .slices(let count, let pause): (size, delay) = (count, pause)
        case nil: break
        }
        while left != 0 {
            let isReady = Socket.waitForInput([client, origin])
            if isReady[0] {
                guard let bytes = client.receive(), !bytes.isEmpty, origin.send(bytes) else { return }
            }
            guard isReady[1] else { continue }
            guard let bytes = origin.receive(upTo: min(size, left ?? size)), !bytes.isEmpty, client.send(bytes) else {
                return
            }
            left = left.map { $0 - bytes.count }
            if delay > .zero { _ = pause(delay) }
        }
        if case .silence = fault { while pause(.milliseconds(20)) {} }
    }

    package var origin: Origin { Origin(scheme: .http, host: "127.0.0.1", port: server.port) }

    package func stop() { server.stop() }
}

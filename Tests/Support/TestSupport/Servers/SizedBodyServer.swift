// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTesting
import RestTransport

/// A server on 127.0.0.1 that answers `/SIZE/NUMBER` with a body of that many bytes, which are those of that number.
///
/// So an answer shows which call it belongs to, and every byte of it can be checked. Connections are reused.
package final class SizedBodyServer: Sendable {
    /// The largest body.
    package static let largest = 4 * 1024 * 1024

    private let server: ConnectionServer
    /// The port the server listens on.
    package var port: Int { server.port }

    /// Starts a server.
    ///
    /// - Throws: an error when no socket can be opened.
    package init() throws {
        server = try ConnectionServer {
        } onStop: {
        } handler: { _, _, socket in
            Self.serve(socket)
        } onClose: { _ in
        }
    }

    deinit {
        server.stop()
    }

    /// The path to ask for.
    package static func path(size: Int, number: Int) -> String { "/\(size)/\(number)" }

    /// The body of that size and number: the number's digits over and over.
    package static func body(size: Int, number: Int) -> [UInt8] {
        // A prime length, so that bytes that are moved by a whole page differ.
        var block = Array("\(number),".utf8)
        while block.count < 4_093 { block += block }
        block.removeSubrange(4_093...)
        var body: [UInt8] = []
        body.reserveCapacity(size + block.count)
        while body.count < size { body += block }
        body.removeSubrange(size...)
        return body
    }

    /// Whether these bytes are the body of that size and number.
    package static func isBody(_ bytes: [UInt8], size: Int, number: Int) -> Bool {
        areEqual(bytes[...], body(size: size, number: number)[...])
    }

    private static func serve(_ socket: Socket) {
        var unread: [UInt8] = []
        while let message = next(on: socket, &unread) {
            let parts = message.split(byte: " ").dropFirst().first?.split(byte: "/") ?? []
            let numbers = parts.compactMap { Int(outside: $0, in: .count) }
            let isKnown = numbers.count == 2 && numbers[0] <= largest
            let body = isKnown ? body(size: numbers[0], number: numbers[1]) : []
            let head = "HTTP/1.1 \(isKnown ? "200 OK" : "404 Not Found")\r\nContent-Length: \(body.count)\r\n\r\n"
            guard socket.send(Array(head.utf8) + body) else { return }
        }
    }

    /// The first line of the next request; `nil` at the end of the connection.
    private static func next(on socket: Socket, _ unread: inout [UInt8]) -> String? {
        var framing = MessageFraming.request
        while true {
            unread.removeFirst(framing.consume(unread[...]))
            if framing.isComplete { return framing.firstLine }
            guard let bytes = socket.receive(), !bytes.isEmpty else { return nil }
            unread += bytes
        }
    }
}

/// Compares bytes at the speed of memory also without an optimizer: bodies are large, and the machine may be busy.
package func areEqual(_ bytes: ArraySlice<UInt8>, _ others: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == others.count else { return false }
    return unsafe bytes.withUnsafeBytes { left in
        unsafe others.withUnsafeBytes { right in
            guard let left = left.baseAddress, let right = right.baseAddress else { return true }
            return unsafe memcmp(left, right, bytes.count) == 0
        }
    }
}

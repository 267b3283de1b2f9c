// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTesting
import RestTransport

/// A server on 127.0.0.1 whose response to `/SIZE/NUMBER` has a body of that size, made from that number.
///
/// A response shows to which call it belongs, and each of its bytes can be verified. Connections are reused.
package final class SizedBodyServer: Sendable {
    /// The maximum size of a body.
    package static let largest = 4 * 1024 * 1024

    private let server: ConnectionServer
    package var port: Int { server.port }

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

    package static func path(size: Int, number: Int) -> String { "/\(size)/\(number)" }

    /// The body for a size and a number, which repeats the number's digits.
    package static func body(size: Int, number: Int) -> [UInt8] {
        // A prime length, so that bytes that are shifted by a page differ.
        var block = Array("\(number),".utf8)
        while block.count < 4_093 { block += block }
        block.removeSubrange(4_093...)
        var body: [UInt8] = []
        body.reserveCapacity(size + block.count)
        while body.count < size { body += block }
        body.removeSubrange(size...)
        return body
    }

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

    /// Returns the first line of the next request, or `nil` if the connection was closed.
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

/// Compares bytes quickly even in debug builds, because bodies are large.
package func areEqual(_ bytes: ArraySlice<UInt8>, _ others: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == others.count else { return false }
    return unsafe bytes.withUnsafeBytes { left in
        unsafe others.withUnsafeBytes { right in
            guard let left = left.baseAddress, let right = right.baseAddress else { return true }
            return unsafe memcmp(left, right, bytes.count) == 0
        }
    }
}

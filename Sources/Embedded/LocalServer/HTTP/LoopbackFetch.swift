// SPDX-License-Identifier: Apache-2.0

import RestText
package import RestTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads an address of this machine, in HTTP/1.0 so that the body ends with the connection.
package enum LoopbackFetch {
    package enum Outcome: Sendable, Hashable {
        case done
        /// The server has nothing there.
        case missing
        /// The address is not this machine's, or is not `http`.
        case refused
        case failed
    }

    private static let longestHead = 64 << 10
    private static let patience: Duration = .seconds(30)

    /// Writes the body into the sink; blocks until it is there.
    package static func get(_ url: HTTPURL, into sink: any BodySink, most: Int) -> Outcome {
        guard url.origin.scheme == .http, ["127.0.0.1", "localhost"].contains(url.origin.host) else { return .refused }
        guard let port = UInt16(exactly: url.origin.port), let descriptor = ListeningSocket.connect(port) else {
            return .failed
        }
        defer { _ = close(descriptor) }
        var limit = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let head = "GET \(url.target) HTTP/1.0\r\nHost: \(url.origin.host):\(port)\r\nConnection: close\r\n\r\n"
        let sent = unsafe Array(head.utf8).withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, 0) }
        guard sent == head.utf8.count else { return .failed }
        return read(descriptor, sink, most)
    }

    private static func read(_ descriptor: CInt, _ sink: any BodySink, _ most: Int) -> Outcome {
        var head: [UInt8] = []
        var status: Int?
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else {
                guard count == 0, let status else { return .failed }
                return status == 200 ? .done : status == 404 ? .missing : .failed
            }
            var piece = buffer[..<count]
            if status == nil {
                head += piece
                guard let end = headEnd(head) else {
                    guard head.count < longestHead else { return .failed }
                    continue
                }
                status = Self.status(head)
                piece = head[end...]
            }
            let isTaken = unsafe piece.withUnsafeBytes { unsafe sink.take($0.bytes) }
            guard isTaken, sink.count <= most else { return .failed }
        }
    }

    private static func headEnd(_ head: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        return head.indices.first { head[$0...].starts(with: end) }.map { $0 + end.count }
    }

    /// The number in `HTTP/1.1 200 OK`.
    private static func status(_ head: [UInt8]) -> Int {
        let words = String(decoding: head.prefix(20), as: UTF8.self).split(byte: " ")
        return words.count > 1 ? Int(outside: String(words[1]), in: .count) ?? 0 : 0
    }
}

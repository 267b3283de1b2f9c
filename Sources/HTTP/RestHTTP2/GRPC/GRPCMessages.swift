// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Divides the bytes of a stream into gRPC messages, each of which follows a flag and a length.
package struct GRPCMessageReader {
    /// The size of the flag and the length before a message.
    static let prefixBytes = 5

    private var queue = ByteQueue()
    private let limit: Int

    /// Creates a reader that rejects messages of more than `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    package var isWithinMessage: Bool { !queue.isEmpty }

    package mutating func append(_ more: [UInt8]) { queue.append(more) }

    /// Returns the next message, or `nil` if it is not complete.
    ///
    /// - Throws: `GRPCError` if the message is compressed or too long.
    package mutating func next() throws(GRPCError) -> [UInt8]? {
        let bytes = queue.content
        guard let flag = bytes.first, bytes.count >= Self.prefixBytes else { return nil }
        guard flag == 0 else {
            throw GRPCError(.internal, "the message has the flag \(flag), although no compression was offered")
        }
        let length = bytes.prefix(Self.prefixBytes).reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else {
            throw GRPCError(.resourceExhausted, "a message of \(length) bytes exceeds the limit of \(limit)")
        }
        let message = bytes.dropFirst(Self.prefixBytes).prefix(length)
        guard message.count == length else { return nil }
        queue.removeFirst(Self.prefixBytes + length)
        return Array(message)
    }

    /// Returns a message with its flag and its length.
    package static func framed(_ message: [UInt8]) throws(GRPCError) -> [UInt8] {
        guard let length = UInt32(exactly: message.count) else {
            throw GRPCError(.resourceExhausted, "a message of \(message.count) bytes is too long for gRPC")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(prefixBytes + message.count)  // bounded: the message is this side's own
        bytes.append(0)
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
        bytes += message
        return bytes
    }
}

/// The messages of a stream in both directions.
final class GRPCMessages: Sendable {
    /// The maximum size of a received message, above that of Salesforce, which is 4 MB.
    private static let limit = 16 * 1024 * 1024

    let stream: HTTP2Stream
    private let reader = Mutex(GRPCMessageReader(limit: limit))

    init(_ stream: HTTP2Stream) { self.stream = stream }

    func send(_ message: [UInt8], isEnd: Bool) async throws(GRPCError) {
        let bytes = try GRPCMessageReader.framed(message)
        do throws(HTTP2Error) { try await stream.send(bytes, isEnd: isEnd) } catch { throw GRPCError(error) }
    }

    /// Returns the next message, or `nil` at the end of the body.
    func next() async throws(GRPCError) -> [UInt8]? {
        while true {
            let message: [UInt8]?
            do throws(GRPCError) {
                message = try reader.withLock { reader throws(GRPCError) in try reader.next() }
            } catch {
                stream.cancel()
                throw error
            }
            if let message { return message }
            let received: [UInt8]?
            do throws(HTTP2Error) { received = try await stream.receive() } catch { throw GRPCError(error) }
            guard let received else { return nil }
            reader.withLock { $0.append(received) }
        }
    }

    /// Throws if the body has ended within a message.
    func checkEnd() throws(GRPCError) {
        guard reader.withLock(\.isWithinMessage) else { return }
        throw GRPCError(.internal, "the last message is incomplete")
    }
}

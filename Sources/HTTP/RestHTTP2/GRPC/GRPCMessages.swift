// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

/// Divides the bytes of a stream into gRPC messages, each of which follows a flag and a length.
package struct GRPCMessageReader {
    /// The size of the flag and the length before a message.
    static let prefixBytes = 5

    private var bytes: [UInt8] = []
    /// The index of the first byte that belongs to no message yet.
    private var start = 0
    private let limit: Int

    /// Creates a reader that rejects messages of more than `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    /// Whether the bytes end within a message.
    package var isWithinMessage: Bool { start < bytes.count }

    package mutating func append(_ more: [UInt8]) {
        if start == bytes.count {
            (bytes, start) = (more, 0)
        } else {
            bytes.removeFirst(start)
            start = 0
            bytes += more
        }
    }

    /// Returns the next message, or `nil` if it is not complete.
    ///
    /// - Throws: `GRPCError` if the message is compressed or too long.
    package mutating func next() throws(GRPCError) -> [UInt8]? {
        guard bytes.count - start >= Self.prefixBytes else { return nil }
        guard bytes[start] == 0 else {
            throw GRPCError(
                .internal, "the message has the flag \(bytes[start]), although no compression was offered")
        }
        let length = bytes[start + 1..<start + Self.prefixBytes].reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else {
            throw GRPCError(.resourceExhausted, "a message of \(length) bytes exceeds the limit of \(limit)")
        }
        let end = start + Self.prefixBytes + length
        guard bytes.count >= end else { return nil }
        defer { start = end }
        return Array(bytes[start + Self.prefixBytes..<end])
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
    /// The default limit, above that of Salesforce, which is 4 MB.
    static let defaultLimit = 16 * 1024 * 1024

    let stream: HTTP2Stream
    private let reader: Mutex<GRPCMessageReader>

    init(_ stream: HTTP2Stream, limit: Int) {
        self.stream = stream
        reader = Mutex(GRPCMessageReader(limit: limit))
    }

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
            guard let bytes = try await receive() else { return nil }
            reader.withLock { $0.append(bytes) }
        }
    }

    var isWithinMessage: Bool { reader.withLock(\.isWithinMessage) }

    private func receive() async throws(GRPCError) -> [UInt8]? {
        do throws(HTTP2Error) { return try await stream.receive() } catch { throw GRPCError(error) }
    }
}

/// The header `grpc-timeout`: at most eight digits and a unit.
enum GRPCTimeout {
    static func text(_ duration: Duration) -> String {
        let milliseconds = max(0, duration / .milliseconds(1))
        return milliseconds < 100_000_000
            ? "\(Int(milliseconds.rounded(.up)))m" : "\(Int(min(milliseconds / 1_000, 99_999_999)))S"
    }

    static func duration(_ text: String) -> Duration? {
        guard let unit = text.utf8.last, text.utf8.count <= 9, let count = Int(outside: text.dropLast(), in: .count)
        else { return nil }
        switch unit {
        case UInt8(ascii: "H"): return .seconds(count * 3_600)
        case UInt8(ascii: "M"): return .seconds(count * 60)
        case UInt8(ascii: "S"): return .seconds(count)
        case UInt8(ascii: "m"): return .milliseconds(count)
        case UInt8(ascii: "u"): return .microseconds(count)
        case UInt8(ascii: "n"): return .nanoseconds(count)
        default: return nil
        }
    }
}

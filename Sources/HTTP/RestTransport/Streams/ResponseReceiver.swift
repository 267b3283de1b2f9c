// SPDX-License-Identifier: Apache-2.0

/// The destination of a response body inside a transport.
package enum BodyDestination: Sendable {
    case memory
    /// To a reader, who gets the response as soon as its head is complete.
    case reader(Downstream)
    /// Into a file, if the request succeeds.
    case file(HTTPResponse.Download.Attempt)

    /// The reader of a streamed body.
    package var reader: Downstream? { if case .reader(let reader) = self { reader } else { nil } }
}

/// Receives the response of a transfer and rejects a response that exceeds the limits.
///
/// A transport passes the head and then each chunk, in order and never concurrently.
package struct ResponseReceiver {
    /// The next step of the transport after a chunk.
    package enum Verdict {
        /// Continue.
        case accepted
        /// Pause until the reader catches up.
        case paused
        /// Give up the transfer.
        case refused(TransportError)
    }

    private let limits: BodyLimits
    private let destination: BodyDestination
    private let isHeadRequest: Bool
    private var body: [UInt8] = []
    /// The destination according to the head, because an error response stays in memory even if a file was requested.
    private var sink = BodyDestination.memory
    package private(set) var head: HTTPResponse.Head?
    /// The number of bytes received, after decompression.
    package private(set) var byteCount = 0

    package init(limits: BodyLimits, destination: BodyDestination, isHeadRequest: Bool) {
        self.limits = limits
        self.destination = destination
        self.isHeadRequest = isHeadRequest
    }

    package var isInMemory: Bool { if case .memory = sink { true } else { false } }

    /// Whether the response to the request can have a body (RFC 9112 §6.3).
    package func hasBody(_ status: Int) -> Bool { !isHeadRequest && status != 304 && status != 204 }

    /// Receives the head and selects the destination of the body.
    ///
    /// - Parameters:
    ///   - head: the head of the final response.
    ///   - length: the announced length of the body as it is sent.
    ///   - buffer: creates an empty array with this capacity, for a body in memory.
    /// - Returns: the error if the response is rejected, or `nil`.
    package mutating func receive(
        _ head: HTTPResponse.Head, length: Int?, buffer: (Int) -> [UInt8] = ResponseReceiver.emptyBuffer
    ) -> TransportError? {
        self.head = head
        switch destination {
        case .memory: break
        case .reader: sink = destination
        case .file(let attempt):
            do throws(TransportError) {
                if try attempt.receive(head) { sink = destination }
            } catch {
                return error
            }
        }
        guard isInMemory, let length, hasBody(head.status) else { return nil }
        if let reason = limits.rejection(of: length) { return .tooLarge(reason) }
        body = buffer(limits.reservation(for: length))
        return nil
    }

    /// Receives a decompressed chunk and returns the next step.
    ///
    /// A rejected chunk, which makes the transport pause, is counted when it is passed again. `packedBytes` is the size
    /// of the body up to here before decompression, or `nil` if it is unknown or the body is not compressed.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer, packedBytes: Int? = nil) -> Verdict {
        switch sink {
        case .memory:
            if let reason = limits.rejection(of: byteCount + bytes.count, packedBytes: packedBytes) {
                return .refused(.tooLarge(reason))
            }
            unsafe body.append(contentsOf: bytes)
        case .file(let attempt):
            do throws(TransportError) { unsafe try attempt.write(bytes) } catch { return .refused(error) }
        case .reader(let reader):
            switch unsafe reader.offer(Array(bytes)) {
            case .taken, .resume: break
            case .pause: return .paused
            case .refuse:
                return .refused(
                    TransportError(.cancelled, "the body is no longer read", mayHaveReachedServer: true))
            }
        }
        byteCount += bytes.count
        return .accepted
    }

    package var file: HTTPResponse.Download.Attempt? { if case .file(let attempt) = sink { attempt } else { nil } }

    /// Returns the complete response, or `nil` without a head.
    package mutating func takeResponse() -> HTTPResponse? {
        guard let head else { return nil }
        defer { body = [] }
        return HTTPResponse(head: head, body: body)
    }

    package static func emptyBuffer(_ capacity: Int) -> [UInt8] {
        var buffer: [UInt8] = []
        // bounded: by the reservation of the limits, which is what callers ask for
        buffer.reserveCapacity(capacity)
        return buffer
    }
}

extension TransportError {
    fileprivate static func tooLarge(_ reason: String) -> TransportError {
        TransportError(.tooLarge, reason, mayHaveReachedServer: true)
    }
}

/// The maximum size of a body in memory, regardless of the length that its sender announces.
package struct BodyLimits: Sendable {
    /// The size in bytes up to which the decompression ratio does not matter.
    private static let ratioFreeBytes = 4 * 1024 * 1024
    /// The maximum memory that is reserved for a `Content-Length`, although a longer body may follow.
    private static let reservedBytes = 8 * 1024 * 1024

    private let maximumBytes: Int
    private let maximumRatio: Int

    /// Creates limits of the size in bytes after decompression, and of the ratio of this size to the compressed size.
    package init(maximumBytes: Int, maximumRatio: Int) {
        self.maximumBytes = maximumBytes
        self.maximumRatio = max(1, maximumRatio)
    }

    package func reservation(for length: Int) -> Int { min(length, Self.reservedBytes) }

    /// Returns the reason to reject a body of this size, or `nil` if the body is accepted.
    ///
    /// `size` is the number of bytes after decompression. `packedBytes` is the number before, or `nil` if it is
    /// unknown.
    package func rejection(of size: Int, packedBytes: Int? = nil) -> String? {
        if size > maximumBytes { return "the body is larger than \(maximumBytes) bytes" }
        guard let packedBytes, size > Self.ratioFreeBytes, size / maximumRatio > packedBytes else { return nil }
        return "the body grows too much when it is decompressed; it may be a decompression bomb"
    }
}

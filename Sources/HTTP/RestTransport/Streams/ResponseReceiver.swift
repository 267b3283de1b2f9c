// SPDX-License-Identifier: Apache-2.0

/// The destination of a response body inside a transport.
package enum BodyDestination: Sendable {
    /// Into memory, delivered with the response.
    case memory
    /// To a reader, who gets the response as soon as its head is complete.
    case reader(Downstream)
    /// Into a file, if the request succeeds.
    case file(HTTPResponse.Download.Attempt)

    /// The reader of a streamed body.
    package var reader: Downstream? { if case .reader(let reader) = self { reader } else { nil } }
}

/// Takes the response of one transfer and rejects what breaks the limits.
///
/// A transport gives it the head and then each chunk, in order and one at a time.
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
    /// The destination once the head is known: an error response stays in memory even if a file was wanted.
    private var sink = BodyDestination.memory
    /// The head, once it is complete.
    package private(set) var head: HTTPResponse.Head?
    /// The number of bytes taken, after decompression.
    package private(set) var byteCount = 0

    /// Makes a receiver for one response.
    package init(limits: BodyLimits, destination: BodyDestination, isHeadRequest: Bool) {
        self.limits = limits
        self.destination = destination
        self.isHeadRequest = isHeadRequest
    }

    /// Whether the body is kept in memory.
    package var isInMemory: Bool { if case .memory = sink { true } else { false } }

    /// Whether the response to the request can have a body (RFC 9112 6.3).
    package func hasBody(_ status: Int) -> Bool { !isHeadRequest && status != 304 && status != 204 }

    /// Takes the head and decides where the body goes.
    ///
    /// - Parameters:
    ///   - head: status and headers of the final response.
    ///   - length: the announced length of the body as it is sent.
    ///   - buffer: makes an empty array with this capacity, for a body in memory.
    /// - Returns: why the response is rejected; `nil` if it is not.
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
        if let reason = limits.refusal(of: length) { return .tooLarge(reason) }
        body = buffer(limits.reservation(for: length))
        return nil
    }

    /// Takes a chunk of the body.
    ///
    /// - Parameters:
    ///   - bytes: the chunk, after decompression.
    ///   - packedBytes: the size of the body before decompression, up to here; `nil` if it is not known or not packed.
    /// - Returns: the next step. A chunk that makes a transport pause counts when it is offered again.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer, packedBytes: Int? = nil) -> Verdict {
        switch sink {
        case .memory:
            if let reason = limits.refusal(of: byteCount + bytes.count, packedBytes: packedBytes) {
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
                    TransportError(.cancelled, "nobody reads the body any more", mayHaveReachedServer: true))
            }
        }
        byteCount += bytes.count
        return .accepted
    }

    /// The file that took the body.
    package var file: HTTPResponse.Download.Attempt? { if case .file(let attempt) = sink { attempt } else { nil } }

    /// The whole response; `nil` without a head.
    package mutating func takeResponse() -> HTTPResponse? {
        guard let head else { return nil }
        defer { body = [] }
        return HTTPResponse(head: head, body: body)
    }

    /// Makes a buffer of ordinary memory.
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
    /// Unpacked bodies up to this size may have grown by any factor.
    private static let ratioFreeBytes = 4 * 1024 * 1024
    /// The maximum memory that is reserved for a `Content-Length`; a longer body grows as it arrives.
    private static let reservedBytes = 8 * 1024 * 1024

    private let maximumBytes: Int
    private let maximumRatio: Int

    /// Makes limits of a size, in bytes after decompression, and of the factor by which a packed body may grow.
    package init(maximumBytes: Int, maximumRatio: Int) {
        self.maximumBytes = maximumBytes
        self.maximumRatio = max(1, maximumRatio)
    }

    /// The memory to reserve for a body of an announced length.
    package func reservation(for length: Int) -> Int { min(length, Self.reservedBytes) }

    /// The reason to reject a body of this size.
    ///
    /// - Parameters:
    ///   - size: the body's size, in bytes after decompression.
    ///   - packedBytes: the size before decompression; `nil` when that did not happen or is not known.
    /// - Returns: the reason; `nil` when the body is not rejected.
    package func refusal(of size: Int, packedBytes: Int? = nil) -> String? {
        if size > maximumBytes { return "the body is larger than \(maximumBytes) bytes" }
        guard let packedBytes, size > Self.ratioFreeBytes, size / maximumRatio > packedBytes else { return nil }
        return "the body grows too much when it is decompressed; it may be a decompression bomb"
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Collects one response and refuses what breaks the limits; its owner calls it under a lock.
struct ResponseCollector {
    /// Where the body of the response goes.
    enum Destination: Sendable {
        /// Into memory, delivered with the response.
        case memory
        /// To a reader, who gets the response as soon as its header is complete.
        case reader(BodyReader)
        /// Into a file, if the request succeeds.
        case file(HTTPResponse.Download.Attempt)
    }

    private enum Sink {
        case memory
        case reader(BodyReader)
        case file(HTTPResponse.Download.Attempt)
    }

    /// What follows from a part of the response.
    enum Verdict {
        /// Go on.
        case accepted
        /// Go on; the reader of a stream can have the header.
        case headComplete
        /// Go on; the task was suspended until its reader has caught up.
        case suspended
        /// Give the call up.
        case refused(TransportError)
    }

    private let limits: BodyLimits
    private let maximumHeaderBytes: Int
    private let destination: Destination
    private let isHeadRequest: Bool
    private var sink = Sink.memory
    private var body: [UInt8] = []
    /// The header, once it is there.
    private(set) var head: HTTPResponse.Head?
    /// Bytes of the body so far, after decompression.
    private(set) var byteCount = 0
    /// The length announced, before decompression.
    private(set) var wireBytes: Int64?

    init(limits: SessionConfiguration, destination: Destination, isHeadRequest: Bool) {
        self.limits = BodyLimits(
            maximumBytes: limits.maximumBodyBytes, maximumRatio: limits.maximumDecompressionRatio)
        maximumHeaderBytes = limits.maximumHeaderBytes
        self.destination = destination
        self.isHeadRequest = isHeadRequest
    }

    /// Takes status and fields and decides where the body goes.
    mutating func receive(_ head: HTTPResponse.Head) -> Verdict {
        if let refusal = head.refusal(maximumBytes: maximumHeaderBytes) { return .refused(refusal) }
        self.head = head
        // bounded: it is compared with the limits before anything is computed
        wireBytes = head.fields["Content-Length"].flatMap { Int64($0) }
        switch destination {
        case .memory: break
        case .reader(let reader):
            sink = .reader(reader)
            return .headComplete
        case .file(let attempt):
            do {
                guard try attempt.receive(head) else { break }
            } catch {
                return .refused(error)
            }
            sink = .file(attempt)
            return .accepted
        }
        return reserve()
    }

    /// Takes a piece of the body.
    mutating func receive(_ bytes: [UInt8]) -> Verdict {
        switch sink {
        case .memory:
            let size = byteCount + bytes.count
            if let reason = limits.refusal(of: size, packedBytes: packedBytes) {
                return .refused(TransportError(.tooLarge, reason, mayHaveReachedServer: true))
            }
            body += bytes
        case .file(let attempt):
            do {
                try attempt.write(bytes)
            } catch {
                return .refused(error)
            }
        case .reader(let reader):
            byteCount += bytes.count
            return reader.offer(bytes)
        }
        byteCount += bytes.count
        return .accepted
    }

    /// The whole response, its file moved to its place; `nil` without a header.
    mutating func takeResponse() throws(TransportError) -> HTTPResponse? {
        guard let head else { return nil }
        if case .file(let attempt) = sink { try attempt.finish() }
        defer { clear() }
        return HTTPResponse(head: head, body: body)
    }

    /// Lets go of what was collected.
    mutating func clear() {
        body = []
        sink = .memory
    }

    /// Refuses or makes room for what the header announces.
    private mutating func reserve() -> Verdict {
        guard let head, let wireBytes, !isHeadRequest, head.status != 304, head.status != 204 else { return .accepted }
        let length = Int(clamping: wireBytes)
        if let reason = limits.refusal(of: length) {
            return .refused(TransportError(.tooLarge, reason, mayHaveReachedServer: true))
        }
        // bounded: by the limits
        body.reserveCapacity(limits.reservation(for: length))
        return .accepted
    }

    /// The announced size of a packed body.
    private var packedBytes: Int? {
        head?.fields["Content-Encoding"] == nil ? nil : wireBytes.map { Int(clamping: $0) }
    }
}

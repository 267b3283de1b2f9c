// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Collects one response on the loop thread and refuses what breaks the limits.
struct ResponseReceiver {
    typealias Failure = (code: TransportError.Code, message: String)

    /// What libcurl is told about the bytes it handed over.
    enum Verdict {
        /// Go on.
        case accepted
        /// Go on; this was the final header.
        case headComplete
        /// Stop until told to go on; the bytes will come again.
        case pause
        /// Give the transfer up.
        case refused
    }

    private let limits: BodyLimits
    private let buffers: BodyBufferPool
    private var parser = ResponseHeadParser()
    private var body: [UInt8] = []
    private var sink = BodySink.memory
    private var destination = Transfer.Destination.memory
    private var isHead = false
    private var decoder: ContentDecoder?
    /// Bytes of the body so far, after decompression.
    private(set) var byteCount = 0
    /// Bytes of the body so far, as they were sent.
    private(set) var wireBytes = 0
    /// Why the response was refused.
    private(set) var failure: Failure?
    /// The failure of the file that takes the body, if that is why.
    private(set) var fileError: TransportError?

    init(limits: CurlConfiguration, buffers: BodyBufferPool) {
        self.limits = BodyLimits(
            maximumBytes: limits.maximumBodyBytes, maximumRatio: limits.maximumDecompressionRatio)
        self.buffers = buffers
    }

    /// Gets ready for a response.
    mutating func begin(for transfer: Transfer) {
        parser.reset()
        body = []
        sink = .memory
        destination = transfer.destination
        isHead = transfer.request.method == .head
        decoder = nil
        byteCount = 0
        wireBytes = 0
        failure = nil
        fileError = nil
    }

    /// Lets go of what the last response held.
    mutating func clear() {
        body = []
        sink = .memory
        destination = .memory
        decoder = nil
    }

    /// Says what was negotiated for the connection that the request leaves on.
    mutating func expect(isHTTP2: Bool) {
        parser.isHTTP2 = isHTTP2
    }

    /// Whether the header is legal only by some readings, so that its connection is not to be trusted any more.
    var isOdd: Bool { parser.isOdd }

    /// Whether the final header is complete.
    var hasHead: Bool { parser.isComplete }

    /// Status and fields of the final header.
    var head: HTTPResponse.Head { HTTPResponse.Head(status: parser.status, fields: parser.fields) }

    /// The announced length of a body that is not compressed.
    var announcedBytes: Int64? { parser.contentCoding == nil ? parser.contentLength.map(Int64.init) : nil }

    /// Takes the header of an answer, interim or final.
    mutating func receiveHead(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        let wasComplete = parser.isComplete
        do {
            unsafe try parser.receive(bytes)
        } catch {
            return refuse(error.code, error.message)
        }
        guard parser.isComplete, !wasComplete else { return .accepted }
        return openSink()
    }

    /// Whether a compressed body, if it is one, has come to its end.
    var isBodyComplete: Bool { decoder?.isComplete ?? true }

    /// Takes a piece of the body as it was sent.
    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        // libcurl takes an answer whose status line it does not know for a body.
        guard parser.isComplete else { return refuse(.invalidResponse, "no status line") }
        let verdict: Verdict =
            if let decoder { unsafe unpack(bytes, with: decoder) } else { unsafe deliver(bytes) }
        if case .accepted = verdict { wireBytes += bytes.count }
        return verdict
    }

    private mutating func unpack(_ bytes: UnsafeRawBufferPointer, with decoder: ContentDecoder) -> Verdict {
        while true {
            switch unsafe decoder.step(bytes) {
            case .drained:
                return .accepted
            case .malformed:
                return refuse(.invalidResponse, "the body is not compressed as its header says")
            case .piece(let count):
                // Only what is to fit into memory is measured.
                if case .memory = sink,
                    let reason = limits.refusal(of: byteCount + count, packedBytes: wireBytes + bytes.count)
                {
                    return refuse(.tooLarge, reason)
                }
                let verdict = unsafe deliver(UnsafeRawBufferPointer(rebasing: decoder.output[..<count]))
                if case .pause = verdict { decoder.hold(count) }
                guard case .accepted = verdict else { return verdict }
            }
        }
    }

    /// Takes a piece of the body as its reader gets it.
    private mutating func deliver(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        switch sink {
        case .memory:
            return unsafe buffer(bytes)
        case .file(let attempt):
            do {
                unsafe try attempt.write(bytes)
            } catch {
                fileError = error
                return refuse(error.code, error.message)
            }
        case .reader(let reader):
            switch unsafe reader.offer(bytes) {
            case .taken, .resume, .spool: break
            case .pause: return .pause
            case .refuse: return refuse(.cancelled, "nobody reads the body any more")
            }
        }
        byteCount += bytes.count
        return .accepted
    }

    /// The whole response; `nil` without a complete header.
    mutating func takeResponse() -> HTTPResponse? {
        guard parser.isComplete else { return nil }
        defer { body = [] }
        buffers.keep(body)
        return HTTPResponse(head: head, body: body)
    }

    /// Decides where the body goes once the header is known.
    private mutating func openSink() -> Verdict {
        if let coding = parser.contentCoding {
            decoder = ContentDecoder(coding: coding)
            guard decoder != nil || !hasBody else {
                return refuse(.invalidResponse, "the body has the unknown content coding '\(coding)'")
            }
        }
        switch destination {
        case .memory:
            break
        case .reader(let reader):
            sink = .reader(reader)
            return .headComplete
        case .file(let attempt):
            do {
                guard try attempt.receive(head) else { break }
            } catch {
                fileError = error
                return refuse(error.code, error.message)
            }
            sink = .file(attempt)
            return .headComplete
        }
        guard let length = parser.contentLength, hasBody else { return .headComplete }
        if let reason = limits.refusal(of: length) { return refuse(.tooLarge, reason) }
        reserve(limits.reservation(for: length))
        return .headComplete
    }

    /// Whether the response can have a body at all (RFC 9112 §6.3).
    private var hasBody: Bool { !isHead && parser.status != 304 && parser.status != 204 }

    private mutating func buffer(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        let size = byteCount + bytes.count
        if let reason = limits.refusal(of: size) { return refuse(.tooLarge, reason) }
        unsafe body.append(contentsOf: bytes)
        byteCount = size
        return .accepted
    }

    private mutating func reserve(_ count: Int) {
        if count >= BodyBufferPool.smallestCapacity {
            body = buffers.take(capacity: count)
        } else {
            // bounded: below the smallest of the pool
            body.reserveCapacity(count)
        }
    }

    private mutating func refuse(_ code: TransportError.Code, _ message: String) -> Verdict {
        failure = (code, message)
        return .refused
    }
}

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
    private var sink = BodyDestination.memory
    private var destination = BodyDestination.memory
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
            switch unsafe reader.offer(Array(bytes)) {
            case .taken, .resume: break
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

    /// Whether the response can have a body at all (RFC 9112 6.3).
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

/// Large body buffers, filled again once their last reader has let go of them.
///
/// Fresh memory costs a page fault for every 4 KiB, which is more than receiving the bytes does. The pool therefore
/// keeps a reference to the arrays it delivered, and empties the oldest for the next response. Emptying an array that
/// somebody still reads leaves it to the reader and makes a new one, by the rules of a Swift array; the pool then lets
/// one more lie, so that the oldest is free when its turn comes. Used by the loop thread only.
final class BodyBufferPool {
    /// Smaller buffers are left to the allocator, which keeps their memory anyway.
    static let smallestCapacity = 128 * 1024
    private static let step = 64 * 1024
    private static let mostBuffers = 16
    private static let mostBytes = 32 * 1024 * 1024

    private var buffers: [[UInt8]] = []
    private var byteCount = 0
    /// How many of the newest are most likely still read.
    private(set) var readCount = 0

    /// Whether memory is held that could be given back.
    var isEmpty: Bool { buffers.isEmpty }
    /// How many buffers are held.
    var count: Int { buffers.count }

    /// An empty array with room for that many bytes.
    func take(capacity: Int) -> [UInt8] {
        var buffer: [UInt8] = []
        let capacity = Self.rounded(capacity)
        if let index = buffers.dropLast(readCount).firstIndex(where: { $0.capacity >= capacity }) {
            buffer = buffers.remove(at: index)
            byteCount -= buffer.capacity
            if Self.isRead(&buffer) { readCount = min(readCount + 1, Self.mostBuffers / 2) }
        } else if buffers.count > readCount {
            // A larger one comes in place of the oldest: bodies that grow must not leave all their sizes behind.
            byteCount -= buffers.removeFirst().capacity
        }
        // bounded: by the reservation of the limits, which is what callers ask for
        buffer.reserveCapacity(capacity)
        return buffer
    }

    /// Pages of one result differ a little; room in whole steps lets each take the buffer of the other.
    private static func rounded(_ capacity: Int) -> Int {
        (capacity / step + 1) * step
    }

    /// Empties an array, and tells whether somebody still reads what was in it.
    private static func isRead(_ buffer: inout [UInt8]) -> Bool {
        let before = unsafe buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        buffer.removeAll(keepingCapacity: true)
        return unsafe buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } != before
    }

    /// Remembers an array that is about to be delivered.
    func keep(_ buffer: [UInt8]) {
        guard (Self.smallestCapacity...Self.mostBytes).contains(buffer.capacity) else { return }
        buffers.append(buffer)
        byteCount += buffer.capacity
        while buffers.count > Self.mostBuffers || byteCount > Self.mostBytes {
            byteCount -= buffers.removeFirst().capacity
        }
    }

    /// Gives all memory back that only the pool holds.
    func clear() {
        buffers = []
        (byteCount, readCount) = (0, 0)
    }
}

/// How large a buffer libcurl takes an answer in; it asks for one with every transfer and gives it back at the end.
///
/// One that is as large as what libcurl reads from the socket at once never fills. libcurl 7.88 leaves a frame of
/// HTTP/2 where it is when the buffer of its stream is full, and does not always come back for it before the socket has
/// news, which the end of an answer never brings. Pieces of this size also fit a core's nearest cache.
enum ReceiveBufferSize {
    private static let ordinary = 32 * 1024
    /// For a file, fewer writes count more.
    private static let file = 512 * 1024

    /// The size in bytes of the buffer for an answer whose body goes there.
    static func bytes(for destination: BodyDestination) -> Int {
        switch destination {
        case .memory, .reader: ordinary
        case .file: file
        }
    }
}

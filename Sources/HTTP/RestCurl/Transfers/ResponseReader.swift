// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Reads one response from the bytes of libcurl: parses the head, unpacks the body and gives both to the receiver.
struct ResponseReader {
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
    private var receiver: ResponseReceiver
    private var decoder: ContentDecoder?
    /// Bytes of the body so far, as they were sent.
    private(set) var wireBytes = 0
    /// Why the response was refused.
    private(set) var failure: TransportError?

    init(limits: CurlConfiguration, buffers: BodyBufferPool) {
        self.limits = BodyLimits(
            maximumBytes: limits.maximumBodyBytes, maximumRatio: limits.maximumDecompressionRatio)
        self.buffers = buffers
        receiver = ResponseReceiver(limits: self.limits, destination: .memory, isHeadRequest: false)
    }

    /// Gets ready for a response.
    mutating func begin(for transfer: Transfer) {
        parser.reset()
        receiver = ResponseReceiver(
            limits: limits, destination: transfer.destination, isHeadRequest: transfer.request.method == .head)
        decoder = nil
        wireBytes = 0
        failure = nil
    }

    /// Lets go of what the last response held.
    mutating func clear() {
        receiver = ResponseReceiver(limits: limits, destination: .memory, isHeadRequest: false)
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

    /// Bytes of the body so far, after decompression.
    var byteCount: Int { receiver.byteCount }

    /// The announced length of a body that is not compressed.
    var announcedBytes: Int64? { parser.contentCoding == nil ? parser.contentLength.map(Int64.init) : nil }

    /// Takes the header of an answer, interim or final.
    mutating func receiveHead(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        let wasComplete = parser.isComplete
        do throws(TransportError) {
            unsafe try parser.receive(bytes)
        } catch {
            return refuse(error)
        }
        guard parser.isComplete, !wasComplete else { return .accepted }
        if let coding = parser.contentCoding {
            decoder = ContentDecoder(coding: coding)
            guard decoder != nil || !receiver.hasBody(parser.status) else {
                return refuse(.invalid("the body has the unknown content coding '\(coding)'"))
            }
        }
        let refusal = receiver.receive(head, length: parser.contentLength) { [buffers] capacity in
            guard capacity >= BodyBufferPool.smallestCapacity else { return ResponseReceiver.emptyBuffer(capacity) }
            return buffers.take(capacity: capacity)
        }
        return refusal.map { refuse($0) } ?? .headComplete
    }

    /// Whether a compressed body, if it is one, has come to its end.
    var isBodyComplete: Bool { decoder?.isComplete ?? true }

    /// Takes a piece of the body as it was sent.
    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        // libcurl takes an answer whose status line it does not know for a body.
        guard parser.isComplete else { return refuse(.invalid("no status line")) }
        let verdict = if let decoder { unsafe unpack(bytes, with: decoder) } else { unsafe deliver(bytes) }
        if case .accepted = verdict { wireBytes += bytes.count }
        return verdict
    }

    private mutating func unpack(_ bytes: UnsafeRawBufferPointer, with decoder: ContentDecoder) -> Verdict {
        while true {
            switch unsafe decoder.step(bytes) {
            case .drained:
                return .accepted
            case .malformed:
                return refuse(.invalid("the body is not compressed as its header says"))
            case .piece(let count):
                let piece = unsafe UnsafeRawBufferPointer(rebasing: decoder.output[..<count])
                let verdict = unsafe deliver(piece, packedBytes: wireBytes + bytes.count)
                if case .pause = verdict { decoder.hold(count) }
                guard case .accepted = verdict else { return verdict }
            }
        }
    }

    private mutating func deliver(_ bytes: UnsafeRawBufferPointer, packedBytes: Int? = nil) -> Verdict {
        switch unsafe receiver.receive(bytes, packedBytes: packedBytes) {
        case .accepted: .accepted
        case .paused: .pause
        case .refused(let error): refuse(error)
        }
    }

    /// The whole response; `nil` without a complete header.
    mutating func takeResponse() -> HTTPResponse? {
        guard let response = receiver.takeResponse() else { return nil }
        buffers.keep(response.body)
        return response
    }

    private mutating func refuse(_ error: TransportError) -> Verdict {
        failure = error
        return .refused
    }
}

extension TransportError {
    /// A response that breaks the rules of HTTP.
    static func invalid(_ message: String) -> TransportError {
        TransportError(.invalidResponse, message, mayHaveReachedServer: true)
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

// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Reads one response from the bytes of libcurl: parses the head, unpacks the body and gives both to the receiver.
struct ResponseReader {
    /// The reply to libcurl after it passed bytes.
    enum Verdict {
        /// Continue.
        case accepted
        /// Continue after the end of the final response head.
        case headComplete
        /// Pause until resumed. libcurl will pass the bytes again.
        case pause
        /// Abort the transfer.
        case refused
    }

    private let limits: BodyLimits
    private let buffers: BodyBufferPool
    private var parser = ResponseHeadParser()
    private var receiver: ResponseReceiver
    private var decoder: ContentDecoder?
    /// Bytes of the body so far, as they were sent.
    private(set) var wireBytes = 0
    /// The reason why the response was rejected.
    private(set) var failure: TransportError?

    init(limits: CurlConfiguration, buffers: BodyBufferPool) {
        self.limits = BodyLimits(
            maximumBytes: limits.maximumBodyBytes, maximumRatio: limits.maximumDecompressionRatio)
        self.buffers = buffers
        receiver = ResponseReceiver(limits: self.limits, destination: .memory, isHeadRequest: false)
    }

    mutating func begin(for transfer: Transfer) {
        parser.reset()
        receiver = ResponseReceiver(
            limits: limits, destination: transfer.destination, isHeadRequest: transfer.request.method == .head)
        decoder = nil
        wireBytes = 0
        failure = nil
    }

    mutating func clear() {
        receiver = ResponseReceiver(limits: limits, destination: .memory, isHeadRequest: false)
        decoder = nil
    }

    /// Sets the version that was negotiated for the connection of the request.
    mutating func expect(isHTTP2: Bool) { parser.isHTTP2 = isHTTP2 }

    /// Whether the head is ambiguous, so that the connection must not be reused.
    var isOdd: Bool { parser.isOdd }

    var hasHead: Bool { parser.isComplete }

    var head: HTTPResponse.Head { HTTPResponse.Head(status: parser.status, fields: parser.fields) }

    /// Bytes of the body so far, after decompression.
    var byteCount: Int { receiver.byteCount }

    /// The announced length of a body that is not compressed.
    var announcedBytes: Int64? { parser.contentCoding == nil ? parser.contentLength.map(Int64.init) : nil }

    /// Receives the bytes of an interim or the final response head.
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
        let rejection = receiver.receive(head, length: parser.contentLength) { [buffers] capacity in
            guard capacity >= BodyBufferPool.smallestCapacity else { return ResponseReceiver.emptyBuffer(capacity) }
            return buffers.take(capacity: capacity)
        }
        return rejection.map { refuse($0) } ?? .headComplete
    }

    /// Whether the body is uncompressed or its compressed data is complete.
    var isBodyComplete: Bool { decoder?.isComplete ?? true }

    /// Receives a chunk of the body as it was sent.
    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        // libcurl treats a response with an unknown status line as a body.
        guard parser.isComplete else { return refuse(.invalid("the response has no status line")) }
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
                return refuse(.invalid("the body is not compressed as its Content-Encoding says"))
            case .chunk(let count):
                let chunk = unsafe UnsafeRawBufferPointer(rebasing: decoder.output[..<count])
                let verdict = unsafe deliver(chunk, packedBytes: wireBytes + bytes.count)
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

/// Large body buffers, which are reused after their last reader has released them.
///
/// New memory costs a page fault for every 4 KiB, which takes longer than receiving the bytes. The pool therefore keeps
/// a reference to each array that it has delivered, and empties the oldest for the next response. If a reader still
/// uses that array, Swift leaves the memory to the reader and allocates new memory. The pool then keeps one more array,
/// so that the oldest is free when it is needed. Only the loop thread uses it.
final class BodyBufferPool {
    /// The minimum size of a buffer, because the allocator caches the memory of smaller ones.
    static let smallestCapacity = 128 * 1024
    private static let step = 64 * 1024
    private static let mostBuffers = 16
    private static let mostBytes = 32 * 1024 * 1024

    private var buffers: [[UInt8]] = []
    private var byteCount = 0
    /// The number of newest buffers that are probably still in use.
    private(set) var readCount = 0

    var isEmpty: Bool { buffers.isEmpty }
    var count: Int { buffers.count }

    /// Returns an empty array with at least this capacity.
    func take(capacity: Int) -> [UInt8] {
        var buffer: [UInt8] = []
        let capacity = Self.rounded(capacity)
        if let index = buffers.dropLast(readCount).firstIndex(where: { $0.capacity >= capacity }) {
            buffer = buffers.remove(at: index)
            byteCount -= buffer.capacity
            if Self.isRead(&buffer) { readCount = min(readCount + 1, Self.mostBuffers / 2) }
        } else if buffers.count > readCount {
            // A larger buffer replaces the oldest, so that growing bodies do not leave a buffer of each size.
            byteCount -= buffers.removeFirst().capacity
        }
        // bounded: by the reservation of the limits, which is what callers ask for
        buffer.reserveCapacity(capacity)
        return buffer
    }

    /// Rounds up, so that the pages of a result, whose sizes differ a little, can reuse each other's buffers.
    private static func rounded(_ capacity: Int) -> Int { (capacity / step + 1) * step }

    /// Empties an array, and returns whether another reference to its contents exists.
    private static func isRead(_ buffer: inout [UInt8]) -> Bool {
        let before = unsafe buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        buffer.removeAll(keepingCapacity: true)
        return unsafe buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } != before
    }

    /// Stores an array that will be delivered.
    func keep(_ buffer: [UInt8]) {
        guard (Self.smallestCapacity...Self.mostBytes).contains(buffer.capacity) else { return }
        buffers.append(buffer)
        byteCount += buffer.capacity
        while buffers.count > Self.mostBuffers || byteCount > Self.mostBytes {
            byteCount -= buffers.removeFirst().capacity
        }
    }

    func clear() {
        buffers = []
        (byteCount, readCount) = (0, 0)
    }
}

/// The size of libcurl's receive buffer, which is allocated for each transfer and freed at its end.
///
/// A buffer as large as one read from the socket never fills up. If the buffer of an HTTP/2 stream is full, libcurl
/// 7.88 leaves the frame unread. It does not always return to the frame before the socket has new bytes, which never
/// arrive after the end of a response. Chunks of this size also fit into a core's L1 cache.
enum ReceiveBufferSize {
    private static let ordinary = 32 * 1024
    /// Larger, because the number of writes matters more for a file.
    private static let file = 512 * 1024

    static func bytes(for destination: BodyDestination) -> Int {
        switch destination {
        case .memory, .reader: ordinary
        case .file: file
        }
    }
}

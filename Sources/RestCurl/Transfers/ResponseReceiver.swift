// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Collects one response on the loop thread and refuses what breaks the limits.
struct ResponseReceiver {
    typealias Failure = (code: TransportError.Code, message: String)

    /// Decompressed bodies below this size are not checked for their ratio.
    private static let ratioFreeBytes = 4 * 1024 * 1024
    /// What is reserved at most on the word of a `Content-Length`; a longer body grows as it arrives.
    private static let reservedBytes = 8 * 1024 * 1024

    private let limits: CurlConfiguration
    private let buffers: BodyBufferPool
    private var head = ResponseHeadParser()
    private var body: [UInt8] = []
    /// Why the response was refused.
    private(set) var failure: Failure?

    init(limits: CurlConfiguration, buffers: BodyBufferPool) {
        self.limits = limits
        self.buffers = buffers
    }

    /// Gets ready for a response.
    mutating func begin() {
        head.reset()
        body = []
        failure = nil
    }

    /// Lets go of the memory of the last response.
    mutating func clear() {
        body = []
    }

    /// Whether the final header is complete.
    var hasHead: Bool { head.isComplete }

    /// Takes a header line; `false` gives the transfer up.
    mutating func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        do {
            unsafe try head.receive(line, limit: limits.maximumHeaderBytes)
            guard head.isComplete, body.isEmpty, let length = head.contentLength else { return true }
            guard length <= limits.maximumBodyBytes else { return refuse(.tooLarge, tooLarge) }
            reserve(min(length, Self.reservedBytes))
            return true
        } catch {
            return refuse(error.code, error.message)
        }
    }

    /// Whether the compressed size decides about accepting that many more bytes.
    func needsWireCount(adding count: Int) -> Bool {
        head.isEncoded && body.count + count > Self.ratioFreeBytes
    }

    /// Takes a piece of the body; `false` gives the transfer up.
    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer, wireBytes: Int) -> Bool {
        let size = body.count + bytes.count
        guard size <= limits.maximumBodyBytes else { return refuse(.tooLarge, tooLarge) }
        if needsWireCount(adding: bytes.count), size / limits.maximumDecompressionRatio > wireBytes {
            return refuse(.tooLarge, "the body grows too much when it is unpacked; it looks like a decompression bomb")
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    /// The whole response; `nil` without a complete header.
    mutating func takeResponse() -> HTTPResponse? {
        guard head.isComplete else { return nil }
        defer { body = [] }
        buffers.keep(body)
        return HTTPResponse(head: HTTPResponseHead(status: head.status, fields: head.fields), body: body)
    }

    private mutating func reserve(_ count: Int) {
        if count >= BodyBufferPool.smallestCapacity {
            body = buffers.take(capacity: count)
        } else {
            body.reserveCapacity(count)
        }
    }

    private var tooLarge: String { "the body is larger than \(limits.maximumBodyBytes) bytes" }

    private mutating func refuse(_ code: TransportError.Code, _ message: String) -> Bool {
        failure = (code, message)
        return false
    }
}

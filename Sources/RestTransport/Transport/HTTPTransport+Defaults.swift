// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension HTTPTransport {
    /// Sends the request and buffers the answer; nobody is told how far it is.
    public func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> HTTPResponse {
        try await send(request, deadline: deadline, progress: nil)
    }

    /// Sends the request and returns with the answer's header; nobody is told how far it is.
    public func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> HTTPResponseStream {
        try await stream(request, deadline: deadline, progress: nil)
    }

    /// Sends the request and writes a successful answer to a file at this path, in one attempt.
    public func download(
        _ request: HTTPRequest, to path: String, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        try await download(request, to: DownloadTarget(path: path), deadline: deadline, progress: progress)
    }

    /// Buffers the answer and gives its body as one piece.
    public func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponseStream {
        let response = try await send(request, deadline: deadline, progress: progress)
        let piece = OnePiece(response.body)
        let body = HTTPBodyStream(next: { piece.take() }, metrics: { [metrics = response.metrics] in metrics })
        return HTTPResponseStream(head: response.head, body: body)
    }

    /// Streams the answer into a file.
    public func download(
        _ request: HTTPRequest, to target: DownloadTarget, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let response = try await stream(request, deadline: deadline)
        guard response.head.isSuccess else {
            let body = try await response.body.collect(upTo: 16 * 1024 * 1024)
            return HTTPResponse(head: response.head, body: body, metrics: response.metrics)
        }
        let writer = try FileWriter(path: target.path)
        var state = TransferProgress(receivedTotal: response.head.plainContentLength)
        var iterator = response.body.makeAsyncIterator()
        while let piece = try await iterator.next() {
            try writer.write(piece)
            state.received += Int64(piece.count)
            progress?(state)
        }
        try writer.finish()
        return HTTPResponse(head: response.head, metrics: response.metrics)
    }
}

extension HTTPResponseHead {
    /// Whether the status says that the request succeeded (RFC 9110 §15.3).
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The announced length of a body that is not compressed.
    package var plainContentLength: Int64? {
        guard fields["Content-Encoding"] == nil else { return nil }
        return fields["Content-Length"].flatMap { Int(outside: $0, in: .bytes) }.map(Int64.init)
    }
}

/// A buffered body that is given out once.
private final class OnePiece: Sendable {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) {
        self.bytes = Mutex(bytes)
    }

    func take() -> [UInt8]? {
        bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes.isEmpty ? nil : bytes
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Sends requests with libcurl: one multi handle on one thread of its own serves every call.
///
/// Connections are kept and reused, HTTP/2 is used where TLS negotiates it, and compressed bodies are unpacked. A
/// request is sent at most once: libcurl's own repeat on a stale connection is refused, so that a write never happens
/// twice unseen.
public final class CurlTransport: HTTPTransport {
    private let loop: TransferLoop

    /// Makes a transport; its thread starts with the first request.
    ///
    /// - Parameter configuration: what the transport may use.
    public init(configuration: CurlConfiguration = CurlConfiguration()) {
        loop = TransferLoop(configuration: configuration)
    }

    deinit {
        loop.stop()
    }

    /// Sends the request and buffers the answer; see `HTTPTransport`.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: is told how far both bodies have come.
    /// - Returns: the answer, whatever its status.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`.
    public func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        try await run(Transfer(request: request, deadline: deadline, progress: progress))
    }

    /// Sends the request and returns with the answer's header; see `HTTPTransport`.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: is told how far both bodies have come.
    /// - Returns: the answer's header, and its body as a stream.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`.
    public func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse.Stream {
        let body = Downstream()
        let transfer = Transfer(request: request, deadline: deadline, destination: .reader(body), progress: progress)
        let head = try await run(transfer).head
        let loop = loop
        let stream = HTTPBody.Stream { () async throws(TransportError) in
            try await withTaskCancellationHandler {
                await body.next { loop.resume(transfer) }
            } onCancel: {
                loop.cancel(transfer)
            }.get()
        } onAbandon: { [self] in
            // Held until here: a transport that was let go of ends its transfers.
            withExtendedLifetime(self) { loop.cancel(transfer) }
        } metrics: {
            body.metrics
        }
        return HTTPResponse.Stream(head: head, body: stream)
    }

    /// Sends the request and writes a successful answer to a file; see `HTTPTransport`.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - target: where the file belongs, and which part of the resource.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: is told how far the file has come.
    /// - Returns: the response, without a body when the file was written.
    /// - Throws: `TransportError`; `.file` when the file cannot be written.
    public func download(
        _ request: HTTPRequest, to target: HTTPResponse.Download, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let (request, attempt) = target.begin(request)
        let transfer = Transfer(
            request: request, deadline: deadline, destination: .file(attempt), progress: attempt.telling(progress))
        let response = try await run(transfer)
        // Not on the loop thread: the others would wait for the disk, too.
        if attempt.hasFile { try await attempt.finishAside() }
        return response
    }

    /// Ends every transfer with `.shutDown` and returns when the connections are closed.
    public func shutdown() async {
        await loop.stopAndWait()
    }

    /// Checks the request, feeds a streamed body and waits for the outcome.
    private func run(_ transfer: Transfer) async throws(TransportError) -> HTTPResponse {
        try begin(transfer)
        return try await withTaskCancellationHandler {
            await Transfer.Waiter.suspend { waiter in
                if transfer.wait(waiter) { loop.start(transfer) }
            }
        } onCancel: {
            loop.cancel(transfer)
        }.get()
    }

    /// Never inlined, so that a call keeps no room for it while it waits.
    @inline(never)
    private func begin(_ transfer: Transfer) throws(TransportError) {
        try transfer.request.validate()
        guard transfer.deadline > .now else {
            throw TransportError(.timedOut, "the deadline passed before the start", mayHaveReachedServer: false)
        }
        guard let upstream = transfer.upstream else { return }
        let pieces = try upstream.source.begin()
        transfer.maker?.start { [loop] in
            let failure = await upstream.pump(pieces) { loop.resume(transfer) }
            if let failure { loop.end(transfer, failure) }
        }
    }
}

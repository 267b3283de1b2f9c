// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Sends requests with libcurl: one multi handle on one thread of its own serves every call.
///
/// Connections are kept and reused, HTTP/2 is used where TLS negotiates it, and compressed bodies are unpacked. A request is
/// sent at most once: libcurl's own repeat on a stale connection is refused, so that a write never happens twice unseen.
public final class CurlTransport: HTTPTransport {
    private let loop: TransferLoop

    /// Makes a transport; its thread starts with the first request.
    public init(configuration: CurlConfiguration = CurlConfiguration()) {
        loop = TransferLoop(configuration: configuration)
    }

    deinit {
        loop.stop()
    }

    /// Sends the request and buffers the answer; see `HTTPTransport`.
    public func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> HTTPResponse {
        try request.validate()
        guard deadline > .now else {
            throw TransportError(.timedOut, "the deadline passed before the start", mayHaveReachedServer: false)
        }
        let transfer = Transfer(request: request, deadline: deadline)
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                if transfer.wait(waiter) { loop.start(transfer) }
            }
        } onCancel: {
            loop.cancel(transfer)
        }.get()
    }

    /// Ends every transfer with `.shutDown` and returns when the connections are closed.
    public func shutdown() async {
        await loop.stopAndWait()
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
public import RestTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests with `URLSession`: the default on Apple platforms, compiled and tested on Linux so that both stay
/// alike.
///
/// There are no cookies, no cache and no credential store; redirects and challenges come back as responses. On Linux
/// use `CurlTransport` from RestCurl: FoundationNetworking ends the process on some legal answers
/// (docs/urlsession.md says which).
public final class URLSessionTransport: HTTPTransport {
    private let configuration: SessionConfiguration
    private let router: SessionRouter
    private let source: SessionSource

    /// Makes a transport with its own connections.
    ///
    /// - Parameter configuration: what the transport may use.
    public init(configuration: SessionConfiguration = SessionConfiguration()) {
        self.configuration = configuration
        router = SessionRouter(configuration: configuration)
        source = SessionSource(configuration, delegate: router)
    }

    deinit {
        if router.shutDown() { source.close() }
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
        try await run(try call(request, deadline, progress: progress))
    }

    /// Sends the request and returns with the answer's header; see `HTTPTransport`.
    ///
    /// A slow reader makes the server wait on Apple platforms. FoundationNetworking cannot pause, so on Linux what was
    /// not read is kept in a nameless temporary file.
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
        let reader = BodyReader()
        let call = try call(request, deadline, destination: .reader(reader), progress: progress)
        let head = try await run(call).head
        let stream = HTTPBody.Stream { () async throws(TransportError) in
            try await withTaskCancellationHandler {
                await reader.next { call.noteResumed() }
            } onCancel: {
                call.fail(.cancelled, "the task was cancelled")
            }.get()
        } onAbandon: { [self] in
            // Held until here: a transport that was let go of ends its calls.
            withExtendedLifetime(self) { call.fail(.cancelled, "nobody reads the body any more") }
        } metrics: {
            reader.metrics
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
        return try await run(
            try call(request, deadline, destination: .file(attempt), progress: attempt.telling(progress)))
    }

    /// Ends every call with `.shutDown` and returns when their tasks have ended.
    public func shutdown() async {
        if router.shutDown() { source.close() }
        await router.waitUntilEmpty()
    }

    /// Checks the request.
    private func call(
        _ request: HTTPRequest, _ deadline: ContinuousClock.Instant,
        destination: ResponseCollector.Destination = .memory, progress: TransferProgress.Handler? = nil
    ) throws(TransportError) -> SessionCall {
        var request = request
        if case .file(let file) = request.body { request.body = file.body }
        try request.validate()
        guard deadline > .now else {
            throw TransportError(.timedOut, "the deadline passed before the start", mayHaveReachedServer: false)
        }
        return try SessionCall(
            request: request, deadline: deadline, configuration: configuration, source: source,
            destination: destination, progress: progress)
    }

    /// Feeds a streamed body and waits for the outcome.
    private func run(_ call: SessionCall) async throws(TransportError) -> HTTPResponse {
        var body: (source: HTTPBody.Source, pieces: HTTPBody.Source.Pieces)?
        if case .stream(let source) = call.request.body { body = (source, try source.begin()) }
        guard router.add(call) else {
            throw TransportError(.shutDown, "the transport was shut down", mayHaveReachedServer: false)
        }
        guard let body else { return try await wait(for: call) { router.launch(call) } }
        call.maker.start { [router] in
            await call.feed(body.source, body.pieces) { router.launch(call) }
        }
        // A call that ended before it had a task is in nobody's hands any more.
        defer { if !call.hasLeft { router.forget(call) } }
        return try await wait(for: call) {}
    }

    /// Launches in here: the call of a task that was cancelled before is over by then.
    private func wait(for call: SessionCall, launch: () -> Void) async throws(TransportError) -> HTTPResponse {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                call.wait(waiter)
                launch()
            }
        } onCancel: {
            call.fail(.cancelled, "the task was cancelled")
        }.get()
    }
}

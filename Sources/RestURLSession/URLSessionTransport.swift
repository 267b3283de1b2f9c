// SPDX-License-Identifier: Apache-2.0

import Foundation
public import RestTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests with `URLSession`: the default on Apple platforms, compiled and tested on Linux so that both stay
/// alike.
///
/// One session without cookies, cache and credential store; redirects and challenges come back as responses. On Linux
/// use `CurlTransport` from RestCurl: FoundationNetworking ends the process on some legal answers
/// (docs/architecture.md).
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let router: SessionRouter

    /// Makes a transport with a session of its own.
    ///
    /// - Parameters:
    ///   - maximumConnectionsPerHost: connections open to one host at a time.
    ///   - maximumBodyBytes: the largest body `send` buffers, in bytes after decompression.
    public init(maximumConnectionsPerHost: Int = 6, maximumBodyBytes: Int = 256 * 1024 * 1024) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost
        router = SessionRouter(maximumBodyBytes: maximumBodyBytes)
        session = URLSession(configuration: configuration, delegate: router, delegateQueue: nil)
    }

    deinit {
        if router.shutDown().isFirst { session.invalidateAndCancel() }
    }

    /// Sends the request and buffers the answer; see `HTTPTransport`.
    public func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> HTTPResponse {
        try request.validate()
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else {
            throw TransportError(.timedOut, "the deadline passed before the start", mayHaveReachedServer: false)
        }
        let message = try URLRequest(request, timeout: left)
        let call = SessionCall(expectsBody: request.method != .head)
        let timer = router.schedule(deadline) { call.end(.timedOut, "the deadline passed") }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in start(message, request.body, call: call, waiter: waiter) }
        } onCancel: {
            call.end(.cancelled, "the task was cancelled")
        }.get()
    }

    /// Ends every call with `.shutDown` and closes the connections.
    public func shutdown() async {
        let (isFirst, calls) = router.shutDown()
        for call in calls {
            call.end(.shutDown, "the transport was shut down")
        }
        if isFirst { session.invalidateAndCancel() }
    }

    /// Registers the task before it starts, so that no call-back finds its entry missing.
    private func start(_ message: URLRequest, _ body: HTTPBody, call: SessionCall, waiter: SessionCall.Waiter) {
        guard call.wait(waiter) else { return }
        let isOpen = router.whileOpen { register in
            let task: URLSessionTask
            if case .file(let path) = body {
                task = session.uploadTask(with: message, fromFile: URL(fileURLWithPath: path))
            } else {
                task = session.dataTask(with: message)
            }
            register(task.taskIdentifier, call)
            call.begin(task)
        }
        if !isOpen { call.end(.shutDown, "the transport was shut down") }
    }
}

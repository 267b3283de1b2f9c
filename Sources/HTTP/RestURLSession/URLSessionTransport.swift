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

    /// Sends the request; see `HTTPTransport`.
    ///
    /// On Linux the unread part of a streamed body is kept in memory.
    public func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        #if canImport(FoundationNetworking)
        // A task that is suspended by FoundationNetworking starts its request anew when it goes on.
        let overflow = Downstream.Buffer.Overflow.keep
        #else
        let overflow = Downstream.Buffer.Overflow.suspend
        #endif
        let place: BodyDestination =
            switch destination {
            case .memory: .memory
            case .file(let target): .file(target.attempt(for: request))
            case .stream: .reader(Downstream(overflow: overflow))
            }
        let call = try call(request, deadline, destination: place, progress: progress)
        var response = try await run(call)
        switch place {
        case .memory: break
        case .file(let attempt): if attempt.hasFile { response.content = .file(attempt) }
        case .reader(let reader):
            let stream = reader.stream {
                call.noteResumed()
            } cancel: { [self] reason in
                // Held until here: a transport that was let go of ends its calls.
                withExtendedLifetime(self) { call.fail(.cancelled, reason) }
            }
            response.content = .stream(stream)
        }
        return response
    }

    /// Ends every call with `.shutDown` and returns when their tasks have ended.
    public func shutdown() async {
        if router.shutDown() { source.close() }
        await router.waitUntilEnded()
    }

    /// Checks the request.
    private func call(
        _ request: HTTPRequest, _ deadline: ContinuousClock.Instant,
        destination: BodyDestination, progress: TransferProgress.Handler?
    ) throws(TransportError) -> SessionCall {
        var request = request
        if case .file(let file) = request.body { request.body = file.body }
        try request.validate(before: deadline)
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

/// What a `URLSessionTransport` may use: connections, time, memory and, on Apple platforms, trust and proxies.
///
/// The properties mean the same as those of `CurlConfiguration` from RestCurl. Foundation does not tell when a
/// connection stands, so connecting counts towards `firstByteTimeout`.
public struct SessionConfiguration: Sendable {
    /// Connections open to one host at a time; more requests wait for one to become free.
    public var maximumConnectionsPerHost = 32
    /// The longest time from sending the request to the end of the answer's header; `nil` leaves it to the deadline.
    public var firstByteTimeout: Duration?
    /// The longest time without a byte of a body in either direction; `nil` leaves it to the deadline.
    ///
    /// A stream whose reader makes it wait is not idle.
    public var idleTimeout: Duration? = .seconds(60)
    /// The largest body `send` buffers, in bytes after decompression; a larger one fails with `.tooLarge`.
    public var maximumBodyBytes = 256 * 1024 * 1024
    /// The largest response header, all lines together, in bytes; a larger one fails with `.tooLarge`.
    public var maximumHeaderBytes = 64 * 1024
    /// How many times larger than its compressed form a body may become, once it is over 4 MiB.
    ///
    /// Foundation does not tell how many bytes came over the wire, so this holds for bodies that announce their
    /// length; others are limited by `maximumBodyBytes` alone.
    public var maximumDecompressionRatio = 250
    /// Whether responses carry `TransferMetrics`.
    ///
    /// On Linux they hold what can be seen from outside: first byte, total and the bytes of the bodies.
    public var collectsMetrics = false
    #if canImport(Darwin)
    /// Whom to trust and how to prove who we are.
    public var tls = TLS()
    /// How to reach hosts other than this machine; loopback addresses are always reached directly.
    public var proxy = Proxy.system
    /// Whether a call waits for a network to come up instead of failing with `.notConnected`; its deadline holds.
    public var waitsForConnectivity = false
    #endif

    /// The defaults.
    public init() {}

    var bodyLimits: BodyLimits { BodyLimits(maximumBytes: maximumBodyBytes, maximumRatio: maximumDecompressionRatio) }
}

extension URLSessionConfiguration {
    /// The same configuration without cookies, cache and credential store.
    func plain(_ settings: SessionConfiguration) -> URLSessionConfiguration {
        urlCache = nil
        requestCachePolicy = .reloadIgnoringLocalCacheData
        httpCookieStorage = nil
        httpShouldSetCookies = false
        httpCookieAcceptPolicy = .never
        urlCredentialStorage = nil
        httpMaximumConnectionsPerHost = settings.maximumConnectionsPerHost
        return self
    }

    /// The same configuration for calls whose time runs by a clock of ours: URLSession's starts anew with every piece.
    func withoutTimeouts() -> URLSessionConfiguration {
        timeoutIntervalForRequest = URLRequest.backstop
        timeoutIntervalForResource = URLRequest.backstop
        return self
    }
}

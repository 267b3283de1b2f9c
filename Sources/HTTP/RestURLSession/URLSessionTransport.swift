// SPDX-License-Identifier: Apache-2.0

import Foundation
public import RestTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests with `URLSession`, which is the default transport on Apple platforms.
///
/// It is also compiled and tested on Linux, so that both variants stay alike. It has no cookies, no cache and no
/// credential store. Redirects and authentication challenges are returned as responses. On Linux use `CurlTransport` of
/// RestCurl, because FoundationNetworking crashes on some legal responses (see docs/urlsession.md).
public final class URLSessionTransport: HTTPTransport {
    private let configuration: SessionConfiguration
    private let router: SessionRouter
    private let source: SessionSource

    /// Creates a transport with its own connections.
    public init(configuration: SessionConfiguration = SessionConfiguration()) {
        self.configuration = configuration
        router = SessionRouter(configuration: configuration)
        source = SessionSource(configuration, delegate: router)
    }

    deinit {
        if router.shutDown() { source.close() }
    }

    /// Sends the request as `HTTPTransport` specifies.
    ///
    /// On Linux the unread part of a streamed body is in memory.
    public func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        #if canImport(FoundationNetworking)
        // FoundationNetworking restarts the request of a suspended task when the task is resumed.
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
                // Retained until here, so that releasing the transport ends its calls.
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

    private func run(_ call: SessionCall) async throws(TransportError) -> HTTPResponse {
        var body: (source: HTTPBody.Source, chunks: HTTPBody.Source.Chunks)?
        if case .stream(let source) = call.request.body { body = (source, try source.begin()) }
        guard router.add(call) else {
            throw TransportError(.shutDown, "the transport was shut down", mayHaveReachedServer: false)
        }
        guard let body else { return try await wait(for: call) { router.launch(call) } }
        call.maker.start { [router] in
            await call.feed(body.source, body.chunks) { router.launch(call) }
        }
        // If a call ended before it had a task, no other code removes it.
        defer { if !call.hasLeft { router.forget(call) } }
        return try await wait(for: call) {}
    }

    /// Launches the call after the cancellation handler is set, so that the call of a cancelled task is already over.
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

/// The settings of a `URLSessionTransport`: connections, timeouts, memory and, on Apple platforms, trust and proxies.
///
/// The properties have the same meaning as those of `CurlConfiguration` in RestCurl. Foundation does not report when a
/// connection is established, so `firstByteTimeout` includes connecting.
public struct SessionConfiguration: Sendable {
    /// The maximum number of open connections to a host, for which further requests wait.
    public var maximumConnectionsPerHost = 32
    /// The maximum time from sending the request to the end of the response head, or `nil` for the deadline only.
    public var firstByteTimeout: Duration?
    /// The maximum time without a byte of a body in either direction, or `nil` for the deadline only.
    ///
    /// The time in which a stream waits for its reader does not count.
    public var idleTimeout: Duration? = .seconds(60)
    /// The maximum body size in memory, in bytes after decompression, above which the call fails with `.tooLarge`.
    public var maximumBodyBytes = 256 * 1024 * 1024
    /// The maximum size of the response head in bytes, above which the call fails with `.tooLarge`.
    public var maximumHeaderBytes = 64 * 1024
    /// The maximum ratio of a body's size to its compressed size, which applies above 4 MiB.
    ///
    /// Foundation does not report the number of received bytes, so this applies to bodies with an announced length.
    /// Other bodies are limited only by `maximumBodyBytes`.
    public var maximumDecompressionRatio = 250
    /// Whether responses have `TransferMetrics`, which on Linux are only the first byte, the total and the sizes of the
    /// bodies.
    public var collectsMetrics = false
    #if canImport(Darwin)
    /// The trust in servers and the client certificate.
    public var tls = TLS()
    /// The proxy for other hosts than this machine, because loopback addresses are always reached directly.
    public var proxy = Proxy.system
    /// Whether a call waits for a network instead of failing with `.notConnected`, at most until its deadline.
    public var waitsForConnectivity = false
    #endif

    /// Creates the default settings.
    public init() {}

    var bodyLimits: BodyLimits { BodyLimits(maximumBytes: maximumBodyBytes, maximumRatio: maximumDecompressionRatio) }
}

extension URLSessionConfiguration {
    /// Returns a copy without cookies, cache and credential store.
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

    /// Returns a copy without URLSession's timeouts, which restart with every chunk, because the transport has its own
    /// clock.
    func withoutTimeouts() -> URLSessionConfiguration {
        timeoutIntervalForRequest = URLRequest.backstop
        timeoutIntervalForResource = URLRequest.backstop
        return self
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestBase
import RestJSON
import RestTransport

/// Runs the calls of a client from the request to the result, for all calling styles.
final class CallRunner: Sendable {
    let timeout: Duration
    let clock: any MonotonicClock
    let tokens: TokenManager
    let builder: RequestBuilder
    let retrying: Retrying
    let pipeline: Pipeline
    let observer: Observer
    let handlers = ErrorHandlers()
    let limiter: RateLimiter
    let calls: CallRegistry
    private let maximumResponseSize: Int
    /// Whether a call without a trace starts a new trace.
    private let tracesCalls: Bool
    /// The memory into which consecutive pages are parsed.
    private let tapes = JSONTapePool()

    init(tokens: TokenManager, login: Origin?, configuration: RestClient.Configuration) {
        builder = RequestBuilder(configuration)
        clock = configuration.clock
        timeout = configuration.timeout
        tracesCalls = configuration.tracesCalls
        maximumResponseSize = NumberRange.bytes.clamped(configuration.transportLimits.maximumResponseSize)
        self.tokens = tokens
        observer = Observer(configuration)
        limiter = RateLimiter(limits: configuration.limits, clock: clock)
        calls = CallRegistry(clock: clock)
        tokens.add(calls)
        retrying = Retrying(
            policy: configuration.retryPolicy, budget: RetryBudget(), observer: observer, clock: clock,
            draw: { .random(in: 0..<1) })
        let breaker = configuration.circuitBreaker.map { CircuitBreaking(policy: $0, clock: configuration.clock) }
        pipeline = Pipeline(
            interceptors: configuration.interceptors, breaker: breaker,
            limiting: RateLimiting(limiter: limiter, observer: observer),
            authorizing: Authorizing(tokens: tokens, login: login, services: builder.services, observer: observer),
            redirecting: Redirecting(policy: configuration.redirectPolicy), checking: StatusChecking(calls: calls),
            transport: configuration.withTransport.transport, observer: observer, clock: clock,
            retryPolicy: configuration.retryPolicy)
    }

    /// Runs a call, and returns the content that `read` extracts from the response.
    ///
    /// An error that `read` throws fails the call. `route` returns the caller's typed error for a ``RestError``, which
    /// the error handlers then receive.
    ///
    /// - Throws: the ``RestError`` of the call after retries and the app's handlers.
    func run<Content>(
        _ request: RestRequest, _ options: Call.Options = Call.Options(),
        route: @escaping @Sendable (RestError) -> (any Error)? = { _ in nil },
        read: @escaping @Sendable (RestResponse) throws(RestError) -> sending Content
    ) async throws(RestError) -> Content {
        let call = begin(request, options)
        let start = observer.callStarted(call)
        let result = await outcome(of: call) { await self.settled(call, route, read) }
        observer.callEnded(call, result, since: start)
        return try result.get()
    }

    /// Not inlined, so that only the call stores the request, and not also the async frame of its caller.
    @inline(never)
    private func begin(_ request: RestRequest, _ options: Call.Options) -> Call {
        var options = options
        options.beginsTrace = tracesCalls
        return Call(request, options, number: observer.nextCall(), at: clock.now, timeout: request.timeout ?? timeout)
    }

    /// Not inlined, for the same reason.
    @inline(never)
    private func build(_ call: Call) throws(RestError) -> HTTPRequest {
        try builder.request(for: call.request).tracing(call.trace)
    }

    /// Sends the call until it succeeds or must not be retried.
    private func settled<Content>(
        _ call: Call, _ route: (RestError) -> (any Error)?,
        _ read: @Sendable (RestResponse) throws(RestError) -> sending Content
    ) async -> sending Result<Content, RestError> {
        // Built once, so that each attempt sends the same request.
        var built: HTTPRequest?
        do throws(RestError) {
            return .success(
                try await retrying.repeating(
                    call, asking: { await decision(on: $0, of: call, retries: $1, route) }
                ) { () async throws(RestError) in
                    let request: HTTPRequest
                    if let built { request = built } else { request = try build(call) }
                    built = request
                    let response = try await pipeline.run(request, of: call)
                    return try await content(of: response, call, read)
                })
        } catch {
            return .failure(error)
        }
    }

    /// Runs the work of a call in a separate task, during which the call is registered.
    private func outcome<Content>(
        of call: Call, _ work: @escaping @Sendable () async -> sending Result<Content, RestError>
    ) async -> Result<Content, RestError> {
        do throws(RestError) { try register(call) } catch { return .failure(about(call, error)) }
        defer { calls.end(call) }
        return await call.outcome(of: work).mapError { about(call, $0) }
    }

    /// Not inlined, for the same reason as `begin`.
    @inline(never)
    private func register(_ call: Call) throws(RestError) {
        try calls.begin(call)
        // With a stream timeout, the transport's deadline is later than the call's, which ends at the response head.
        let isWatched = call.destination.isStream && call.request.streamTimeout != nil
        if isWatched || !(pipeline.interceptors.isEmpty && handlers.isEmpty) { calls.watch(call) }
    }

    /// Parses a response and reads its content, but a call that ends does not wait for a long response.
    private func content<Content>(
        of response: HTTPResponse, _ call: Call,
        _ read: @Sendable (RestResponse) throws(RestError) -> sending Content
    ) async throws(RestError) -> sending Content {
        // Nothing else ends a stream that a transport returns in place of a body in memory.
        if case .stream = response.content { calls.watch(call) }
        let response = try await call.delivered(response, upTo: maximumResponseSize)
        call.onBody?(response.body)
        let parse = { () throws(RestError) in
            try RestResponse(
                response, expecting: call.request.expectation, isWrite: call.request.isWrite, tapes: self.tapes)
        }
        guard response.body.count >= Call.longBody else { return try read(parse()) }
        calls.watch(call)
        return try await call.unbound { () throws(RestError) in try read(parse()) }
    }

    /// The decision of the app's handlers about an error, which are not asked after the end of the call.
    private func decision(
        on error: RestError, of call: Call, retries: Int, _ route: (RestError) -> (any Error)?
    ) async -> RestClient.FailedCall.Decision {
        guard !handlers.isEmpty, error.code != .cancelled else { return .propagate }
        let error = about(call, error)
        call.reached(error)
        calls.watch(call)
        let failed = RestClient.FailedCall(request: call.request, error: error, retries: retries)
        do throws(RestError) {
            return try await call.unbound { await handlers.decision(on: route(error) ?? error, of: failed) }
        } catch {
            return .propagate
        }
    }

    /// Passes an error from decoding on the caller's actor to the error handlers, without a retry.
    func told(_ error: RestError, of request: RestRequest) async -> RestError {
        let call = Call(request, at: clock.now, timeout: request.timeout ?? timeout)
        let result: Result<Never, RestError> = await outcome(of: call) {
            switch await self.decision(on: error, of: call, retries: 0, { _ in nil }) {
            case .replace(let other): .failure(other.joining(error.outcome))
            case .propagate, .retry: .failure(error)
            }
        }
        switch result {
        case .failure(let failure): return failure
        }
    }

    /// Not inlined, for the same reason as `begin`.
    @inline(never)
    private func about(_ call: Call, _ error: RestError) -> RestError {
        error.request == nil ? error.about(builder.summary(of: call.request)) : error
    }
}

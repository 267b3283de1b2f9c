// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestJSON
import RestTransport

/// Runs calls of one client from the request to the one result; every front is a few lines around it.
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
    /// Whether a call without a trace begins one.
    private let tracesCalls: Bool
    /// Page after page is parsed into the same memory.
    private let tapes = JSONTapePool()

    /// Puts the steps together.
    init(tokens: TokenManager, login: Origin?, configuration: RestClient.Configuration) {
        builder = RequestBuilder(configuration)
        clock = configuration.clock
        timeout = configuration.timeout
        tracesCalls = configuration.tracesCalls
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

    /// Runs a call.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - options: what else belongs to the call.
    ///   - route: the caller's own error that a failure stands for.
    ///   - read: takes what the caller wants out of the answer; what it throws is the call's failure.
    /// - Returns: what `read` made of the answer.
    /// - Throws: ``RestError``: the failure of the call, after retries and the app's handlers.
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

    /// Never inlined, so that the request lies in the call alone, and not in the frame of whoever waits for it too.
    @inline(never)
    private func begin(_ request: RestRequest, _ options: Call.Options) -> Call {
        var options = options
        options.beginsTrace = tracesCalls
        return Call(request, options, number: observer.nextCall(), at: clock.now, timeout: request.timeout ?? timeout)
    }

    /// Never inlined, for the same reason.
    @inline(never)
    private func build(_ call: Call) throws(RestError) -> HTTPRequest {
        try builder.request(for: call.request).tracing(call.trace)
    }

    /// Sends the call until it succeeded, or must not be sent again.
    private func settled<Content>(
        _ call: Call, _ route: (RestError) -> (any Error)?,
        _ read: @Sendable (RestResponse) throws(RestError) -> sending Content
    ) async -> sending Result<Content, RestError> {
        // Built once: each attempt sends what the first one sent.
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

    /// Does the work of a call in its own task, and knows of the call meanwhile.
    private func outcome<Content>(
        of call: Call, _ work: @escaping @Sendable () async -> sending Result<Content, RestError>
    ) async -> Result<Content, RestError> {
        do throws(RestError) { try register(call) } catch { return .failure(about(call, error)) }
        defer { calls.end(call) }
        return await call.outcome(of: work).mapError { about(call, $0) }
    }

    /// Never inlined, for the same reason as `begin`.
    @inline(never)
    private func register(_ call: Call) throws(RestError) {
        try calls.begin(call)
        // The transport keeps the deadline, but not where a stream goes on behind it.
        let isWatched = call.destination.isStream && call.request.streamTimeout != nil
        if isWatched || !(pipeline.interceptors.isEmpty && handlers.isEmpty) { calls.watch(call) }
    }

    /// Parses an answer and reads what the caller wants of it; a call that ends does not wait for a long one.
    private func content<Content>(
        of response: HTTPResponse, _ call: Call,
        _ read: @Sendable (RestResponse) throws(RestError) -> sending Content
    ) async throws(RestError) -> sending Content {
        let response = try await call.delivered(response)
        call.onBody?(response.body)
        let parse = { () throws(RestError) in
            try RestResponse(
                response, expecting: call.request.expectation, isWrite: call.request.isWrite, tapes: self.tapes)
        }
        guard response.body.count >= Call.longBody else { return try read(parse()) }
        calls.watch(call)
        return try await call.unbound { () throws(RestError) in try read(parse()) }
    }

    /// What the app's handlers decide about a failure; those of a call that was ended are not asked.
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

    /// The failure to read an answer where its caller is, after the app's handlers had their say; nothing is sent again
    /// for it.
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

    /// Never inlined, for the same reason as `begin`.
    @inline(never)
    private func about(_ call: Call, _ error: RestError) -> RestError {
        error.request == nil ? error.about(builder.summary(of: call.request)) : error
    }
}

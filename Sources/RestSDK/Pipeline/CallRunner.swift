// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestJSON
import RestTransport

/// Runs calls of one client from the request to the one outcome; every front is a few lines around it.
final class CallRunner: Sendable {
    let timeout: Duration
    let clock: any MonotonicClock
    let tokens: TokenManager
    let login: Origin?
    let builder: RequestBuilder
    let retrying: Retrying
    let pipeline: Pipeline
    let observer: Observer
    let handlers = ErrorHandlers()
    let limiter: RateLimiter
    let running = RunningCalls()
    /// Page after page is parsed into the same memory.
    private let tapes = JSONTapePool()

    /// Puts the steps together.
    init(tokens: TokenManager, login: Origin?, configuration: RestClientConfiguration) {
        clock = configuration.clock
        timeout = configuration.timeout
        self.tokens = tokens
        self.login = login
        builder = RequestBuilder(
            apiVersion: configuration.apiVersion, userAgent: configuration.userAgent,
            configurationProblem: configuration.problem)
        observer = Observer(sink: configuration.eventSink, clock: clock)
        limiter = RateLimiter(limits: configuration.limits, clock: clock)
        retrying = Retrying(
            policy: configuration.retryPolicy, budget: RetryBudget(), clock: clock, draw: { .random(in: 0..<1) })
        let breaker = configuration.circuitBreaker.map { CircuitBreaking(policy: $0, clock: configuration.clock) }
        let steps: [(any Interceptor)?] = [
            retrying, breaker, RateLimiting(limiter: limiter, observer: observer),
            Authorizing(tokens: tokens, login: login),
            Redirecting(policy: configuration.redirectPolicy), StatusChecking(clock: clock), Compositing(),
        ]
        pipeline = Pipeline(
            hostSteps: configuration.interceptors, steps: steps.compactMap { $0 },
            transport: configuration.transport, observer: observer, clock: clock,
            retryPolicy: configuration.retryPolicy)
    }

    /// Runs a call.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - progress: is told how far the bodies have come.
    ///   - route: the caller's own error that a failure stands for.
    ///   - read: takes what the caller wants out of the answer; what it throws is the call's failure.
    func run<Content>(
        _ request: RestRequest, progress: TransferProgress.Handler? = nil,
        route: (RestError) -> (any Error)? = { _ in nil },
        read: (RestResponse, RequestContext) async throws(RestError) -> Content
    ) async throws(RestError) -> Content {
        let context = RequestContext(
            request: request, call: observer.nextCall(), now: clock.now, timeout: request.timeout ?? timeout,
            progress: progress)
        return try await observer.call(context) { () async throws(RestError) in
            do throws(RestError) { try running.begin(context) } catch {
                throw error.about(builder.summary(of: request))
            }
            defer { running.end(context) }
            let result = await withTaskCancellationHandler {
                await settled(context, route: route, read: read)
            } onCancel: {
                context.life.end(.cancelled)
            }
            return try context.life.finish(result, isWrite: request.isWrite).get()
        }
    }

    /// The call's result after the handlers of its failures had their say.
    private func settled<Content>(
        _ context: RequestContext, route: (RestError) -> (any Error)?,
        read: (RestResponse, RequestContext) async throws(RestError) -> Content
    ) async -> Result<Content, RestError> {
        var attempts: [RestError.Attempt] = []
        var retries = 0
        var lastReason: RetryReason?
        while true {
            let error: RestError
            do throws(RestError) {
                let response = try await interruptibleAnswer(context).get()
                let content = try await read(response, context)
                if let lastReason { retrying.budget.succeeded(after: lastReason) }
                return .success(content)
            } catch let failure {
                error = failure.after(attempts + failure.attempts).about(builder.summary(of: context.request))
            }
            guard error.code != .cancelled else { return .failure(error) }
            let call = FailedCall(request: context.request, error: error, retries: retries)
            switch await decision(on: route(error) ?? error, of: call, context) {
            case .propagate: return .failure(error)
            case .replace(let other): return .failure(other.supposing(error.outcome))
            case .retry(let wish):
                let delay = wish.bounded
                let reason = RetryPolicy.reason(for: error, isIdempotent: true) ?? .transient
                guard call.mayBeRepeated, context.hasTime(at: clock.now + delay), retrying.budget.take(reason),
                    await slept(delay, context)
                else { return .failure(error) }
                lastReason = reason
                attempts = error.attempts + [RestError.Attempt(error, delay: delay)]
                retries += 1
            }
        }
    }

    /// What the handlers decide; the call does not wait for one beyond its deadline, nor once it was cancelled.
    private func decision(
        on error: @autoclosure () -> any Error, of call: FailedCall, _ context: RequestContext
    ) async -> ErrorDecision {
        guard !handlers.isEmpty else { return .propagate }
        let error = error()
        let deadline = max(context.deadline, clock.now + ErrorHandlers.lastWords)
        let work = HostWork<ErrorDecision>()
        let outcome = await context.life.whileInterruptible {
            work.end(.cancelled)
        } during: {
            await work.outcome(in: context.life, until: deadline, clock: clock) { [handlers] _ in
                await handlers.decision(on: error, of: call)
            }
        }
        switch outcome {
        case .value(let decision): return decision
        case .abandoned(let ending):
            return .replace(
                with: RestError(ending, outcome: call.error.outcome, underlying: call.error)
                    .after(call.error.attempts).about(builder.summary(of: call.request)))
        }
    }

    /// Waits, unless that is beyond the deadline; `false` when the wait did not come to its end.
    private func slept(_ delay: Duration, _ context: RequestContext) async -> Bool {
        let end = clock.now + delay
        guard end < context.deadline else { return false }
        return await context.life.slept(until: end, on: clock)
    }

    /// The answer to a call that can be ended from outside at any moment: each wait of the SDK's own steps can be; the
    /// host's run in a task of their own.
    private func interruptibleAnswer(_ context: RequestContext) async -> Result<RestResponse, RestError> {
        guard !pipeline.hostSteps.isEmpty else { return await result(context) }
        return await context.life.interruptible { await self.result(context) }
    }

    private func result(_ context: RequestContext) async -> Result<RestResponse, RestError> {
        do throws(RestError) { return .success(try await answer(context)) } catch { return .failure(error) }
    }

    /// Sends the call and reads its answer, off the caller's actor.
    @concurrent
    private func answer(_ context: RequestContext) async throws(RestError) -> RestResponse {
        let request = context.request
        try builder.validate(request)
        let instance = try await instance(context)
        let http = try builder.request(for: request, instance: instance)
        var context = context
        context.instance = instance
        let response = try await pipeline.run(http, context)
        request.bodyObserver?.see(response.body)
        return try context.parsed(response, on: tapes, clock)
    }

    /// The server that the call asks: the login host, or the instance that the account's token belongs to.
    ///
    /// Logs in first if there is no token yet, and retries that like a request.
    private func instance(_ context: RequestContext) async throws(RestError) -> Origin {
        if context.request.host == .login {
            guard let login else {
                throw .invalidRequest(
                    "host", "this client was made without a login host", isWrite: context.request.isWrite)
            }
            return login
        }
        if !tokens.hasCredential {
            // A call that takes no token goes on where the account's calls went, also when its login has ended.
            if !context.request.takesToken, let instance = tokens.lastInstance { return instance }
            if !context.request.isAuthorized, let login { return login }
            return try await retrying.repeating(context, body: context.request.body) { () async throws(RestError) in
                try await credential(context).instance
            }
        }
        return try await credential(context).instance
    }

    private func credential(_ context: RequestContext) async throws(RestError) -> Credential {
        try await context.credential(from: tokens).credential
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestTransport

/// The steps of every attempt: the interceptors in order, then the SDK's own steps and the transport.
///
/// A class, so that each waiting step stores one pointer to it.
final class Pipeline: Sendable {
    /// The app's interceptors, which may ignore the end of a call.
    let interceptors: [any Interceptor]
    // The SDK's own steps, which return immediately when their task is cancelled.
    let breaker: CircuitBreaking?
    let limiting: RateLimiting
    let authorizing: Authorizing
    let redirecting: Redirecting
    let checking: StatusChecking
    let compositing = Compositing()
    let transport: any HTTPTransport
    let observer: Observer
    let clock: any MonotonicClock
    /// The policy with the timeout of attempts, for calls without their own policy.
    let retryPolicy: RetryPolicy
    let nonces = DPoPNonces()

    init(
        interceptors: [any Interceptor], breaker: CircuitBreaking?, limiting: RateLimiting, authorizing: Authorizing,
        redirecting: Redirecting, checking: StatusChecking, transport: any HTTPTransport, observer: Observer,
        clock: any MonotonicClock, retryPolicy: RetryPolicy
    ) {
        (self.interceptors, self.breaker, self.limiting) = (interceptors, breaker, limiting)
        (self.authorizing, self.redirecting, self.checking) = (authorizing, redirecting, checking)
        (self.transport, self.observer, self.clock) = (transport, observer, clock)
        self.retryPolicy = retryPolicy
    }

    /// Sends the request of the call through all steps.
    ///
    /// Not inlined, so that calls with different result types share one copy of the steps.
    @inline(never)
    func run(_ request: HTTPRequest, of call: Call) async throws(RestError) -> HTTPResponse {
        let context = RequestContext(call: call)
        guard !interceptors.isEmpty else { return try await ownSteps(request, context) }
        return try await throughApp(request, context)
    }

    /// Not inlined, to keep its locals out of the async frame of a call without interceptors.
    @inline(never)
    private func throughApp(_ request: HTTPRequest, _ context: RequestContext) async throws(RestError) -> HTTPResponse {
        let call = context.call
        let next = RequestContext.Next(pipeline: self, context: context, number: 0, pass: call.appBegins())
        var response: HTTPResponse?
        defer { call.appEnded(with: response) }
        let received = try await call.unbound { () async throws(RestError) in try await next(request) }
        response = received
        return received
    }

    /// Runs the part of the pipeline that `next` represents: an interceptor and the following ones, or the SDK's own
    /// steps.
    ///
    /// A response is checked by its status, regardless of its origin. An error contains the outcome of everything that
    /// the call has sent.
    func go(on next: RequestContext.Next, _ request: HTTPRequest) async throws(RestError) -> HTTPResponse {
        let call = next.context.call
        do throws(RestError) {
            guard next.number < interceptors.count else { return try await sent(request, next) }
            let received = try await interceptors[next.number].intercept(
                request, context: next.context, next: next.following)
            return try await checking.judged(received, call)
        } catch {
            throw error.joining(call.reachedOutcome)
        }
    }

    /// Runs the SDK's own steps after the last interceptor.
    private func sent(_ request: HTTPRequest, _ next: RequestContext.Next) async throws(RestError) -> HTTPResponse {
        let call = next.context.call
        try call.nextBegins(next.pass)
        return try await call.bound { () async throws(RestError) in
            let response = try await ownSteps(request, next.context)
            // Inside `bound`, because a call that has ended meanwhile reports its outcome when `bound` returns.
            call.nextEnded(with: response)
            return response
        }
    }

    /// Runs the SDK's own steps and records their outcome, even if an interceptor changes the result.
    private func ownSteps(_ request: HTTPRequest, _ context: RequestContext) async throws(RestError) -> HTTPResponse {
        do throws(RestError) {
            let response: HTTPResponse
            if let breaker {
                response = try await fromLimits(request, context, breaker)
            } else {
                response = try await fromLimits(request, context)
            }
            context.call.reached(nil)
            return response
        } catch {
            context.call.reached(error)
            throw error
        }
    }

    /// Runs the steps of a client with a circuit breaker.
    ///
    /// The circuit is checked first, so that no call waits in vain, and again after the waits for the rate limits and a
    /// token, because it may have opened meanwhile.
    private func fromLimits(
        _ request: HTTPRequest, _ context: RequestContext, _ breaker: CircuitBreaking
    ) async throws(RestError) -> HTTPResponse {
        try breaker.check(context.request)
        return try await limiting.intercept(request, context: context) { (request) async throws(RestError) in
            try await authorizing.intercept(request, context: context) { (request) async throws(RestError) in
                try await breaker.intercept(request, context: context) { (request) async throws(RestError) in
                    try await fromRedirects(request, context)
                }
            }
        }
    }

    /// Runs the steps of a client without a circuit breaker.
    ///
    /// The closures are nested so that the compiler makes a single function of them, because each function that waits
    /// for the response needs its own async frame.
    private func fromLimits(_ request: HTTPRequest, _ context: RequestContext) async throws(RestError) -> HTTPResponse {
        try await limiting.intercept(request, context: context) { (request) async throws(RestError) in
            try await authorizing.intercept(request, context: context) { (request) async throws(RestError) in
                try await fromRedirects(request, context)
            }
        }
    }

    /// Runs the steps after the token, inlined into the caller.
    @inline(__always)
    private func fromRedirects(
        _ request: HTTPRequest, _ context: RequestContext
    ) async throws(RestError) -> HTTPResponse {
        try await redirecting.intercept(request, context: context) { (request) async throws(RestError) in
            try await checking.intercept(request, context: context) { (request) async throws(RestError) in
                try await compositing.intercept(request, context: context) {
                    (request) async throws(RestError) in try await attempt(request, context.call)
                }
            }
        }
    }

    /// Sends one attempt, unless the call has ended or there is no time left.
    private func attempt(_ request: HTTPRequest, _ call: Call) async throws(RestError) -> HTTPResponse {
        let attempt = try begin(call)
        let result: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            result = .success(
                try await call.respond(
                    to: request, from: transport(for: request, of: call), deadline: attempt.deadline,
                    progress: observer.progress(call, since: attempt.start)))
        } catch {
            result = .failure(error)
        }
        return try end(attempt, result, call)
    }

    private struct Attempt {
        let number: Int
        let start: ContinuousClock.Instant
        let deadline: ContinuousClock.Instant
    }

    /// Not inlined, like `end`, to keep its locals out of the async frame of the call.
    @inline(never)
    private func begin(_ call: Call) throws(RestError) -> Attempt {
        let start = clock.now
        let number = try call.beginAttempt(at: start)
        observer.report(.attemptStarted(number: number), call)
        return Attempt(number: number, start: start, deadline: deadline(of: call, from: start))
    }

    @inline(never)
    private func end(
        _ attempt: Attempt, _ result: Result<HTTPResponse, TransportError>, _ call: Call
    ) throws(RestError) -> HTTPResponse {
        let result = result.mapError { RestError($0, isWrite: call.request.isWrite) }
        observer.attemptEnded(attempt.number, result, since: attempt.start, call)
        call.attemptEnded()
        return try result.get()
    }

    private func deadline(of call: Call, from start: ContinuousClock.Instant) -> ContinuousClock.Instant {
        // A stream's body is read at the reader's pace, for as long as the call may take.
        guard call.destination.isStream else {
            let limit = (call.request.retryPolicy ?? retryPolicy).attemptTimeout
            return limit.map { min(start + $0.bounded, call.deadline) } ?? call.deadline
        }
        return call.request.streamTimeout.map { max(start + $0.bounded, call.deadline) } ?? call.deadline
    }
}

/// Returns responses with status 2xx and 304, and throws a typed error with the server's errors for any other status.
struct StatusChecking: Sendable {
    let calls: CallRegistry

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        try await judged(try await next(request), context.call)
    }

    /// Returns a response whose status is successful, regardless of its origin.
    ///
    /// - Throws: the typed error of any other response.
    func judged(_ response: HTTPResponse, _ call: Call) async throws(RestError) -> HTTPResponse {
        if response.head.isSuccess || response.head.status == 304 {
            if call.request.readsMessages, let error = BayeuxRejection.error(in: response) { throw error }
            return response
        }
        throw try await rejection(response, of: call)
    }

    /// Reads the error of a response, but a call that ends does not wait for a long response.
    ///
    /// Not inlined, to keep its locals out of the async frame of the step.
    @inline(never)
    private func rejection(_ response: HTTPResponse, of call: Call) async throws(RestError) -> RestError {
        let isWrite = call.request.isWrite
        let response = (try? await response.beginning(upTo: RestError.maximumBodySize)) ?? response
        guard response.body.count >= Call.longBody else { return RestError(rejection: response, isWrite: isWrite) }
        // The outcome of a write according to the status, before the body is read.
        call.reached(RestError(rejection: HTTPResponse(head: response.head, body: []), isWrite: isWrite))
        calls.watch(call)
        return try await call.unbound { RestError(rejection: response, isWrite: isWrite) }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The way of every attempt: through the interceptors, outermost first, to the transport, and back.
///
/// An object, so that each step on the way keeps one pointer to it while it waits.
final class Pipeline: Sendable {
    /// The app's own interceptors, which may ignore the end of a call.
    let interceptors: [any Interceptor]
    // The SDK's steps, which return at once when their task is cancelled.
    let breaker: CircuitBreaking?
    let limiting: RateLimiting
    let authorizing: Authorizing
    let redirecting: Redirecting
    let checking: StatusChecking
    let compositing = Compositing()
    let transport: any HTTPTransport
    let observer: Observer
    let clock: any MonotonicClock
    /// Gives the attempts their time, where a call has no policy of its own.
    let retryPolicy: RetryPolicy

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

    /// Sends the request of the call through every step.
    ///
    /// Never inlined: one copy of the steps serves the calls of all kinds of results.
    @inline(never)
    func run(_ request: HTTPRequest, of call: Call) async throws(RestError) -> HTTPResponse {
        let context = RequestContext(call: call)
        guard !interceptors.isEmpty else { return try await ownSteps(request, context) }
        return try await throughApp(request, context)
    }

    /// Never inlined, so that a call of a client without interceptors keeps no room for it while it waits.
    @inline(never)
    private func throughApp(_ request: HTTPRequest, _ context: RequestContext) async throws(RestError) -> HTTPResponse {
        let call = context.call
        let next = RequestContext.Next(pipeline: self, context: context, number: 0, pass: call.appBegins())
        var response: HTTPResponse?
        defer { call.appEnded(with: response) }
        let answer = try await call.unbound { () async throws(RestError) in try await next(request) }
        response = answer
        return answer
    }

    /// The part of the pipeline that `next` stands for: an interceptor of the app and those behind it, or the SDK's own
    /// steps.
    ///
    /// A response is judged by its status, whoever made it. An error tells the outcome of everything that the call has
    /// sent so far.
    func go(on next: RequestContext.Next, _ request: HTTPRequest) async throws(RestError) -> HTTPResponse {
        let call = next.context.call
        do throws(RestError) {
            guard next.number < interceptors.count else { return try await sent(request, next) }
            let answer = try await interceptors[next.number].intercept(
                request, context: next.context, next: next.following)
            return try await checking.judged(answer, call)
        } catch {
            throw error.joining(call.reachedOutcome)
        }
    }

    /// The SDK's steps behind the last interceptor.
    private func sent(_ request: HTTPRequest, _ next: RequestContext.Next) async throws(RestError) -> HTTPResponse {
        let call = next.context.call
        try call.nextBegins(next.pass)
        return try await call.bound { () async throws(RestError) in
            let response = try await ownSteps(request, next.context)
            // Inside, because a call that has ended meanwhile reports what is known when this is left.
            call.nextEnded(with: response)
            return response
        }
    }

    /// All of the SDK's steps; what they come to is known, whatever the app's code makes of it.
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

    /// The steps of a client with a breaker.
    ///
    /// The breaker is asked at once, so that no call waits in vain, and again after the waits for a place and a token,
    /// since the circuit may have opened meanwhile.
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

    /// The steps of a client without one.
    ///
    /// Written out, so that the compiler makes one function of them all: a call keeps room for each function that
    /// waits for its answer.
    private func fromLimits(_ request: HTTPRequest, _ context: RequestContext) async throws(RestError) -> HTTPResponse {
        try await limiting.intercept(request, context: context) { (request) async throws(RestError) in
            try await authorizing.intercept(request, context: context) { (request) async throws(RestError) in
                try await fromRedirects(request, context)
            }
        }
    }

    /// The steps after the token, as part of the function around them.
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

    /// One attempt, unless the call has ended or there is no time for it.
    private func attempt(_ request: HTTPRequest, _ call: Call) async throws(RestError) -> HTTPResponse {
        let attempt = try begin(call)
        let result: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            result = .success(
                try await call.answer(
                    to: request, from: transport, deadline: attempt.deadline, progress: observer.progress(call)))
        } catch {
            result = .failure(error)
        }
        return try end(attempt, result, call)
    }

    /// An attempt under way.
    private struct Attempt {
        let number: Int
        let start: ContinuousClock.Instant
        let deadline: ContinuousClock.Instant
    }

    /// Never inlined, like `end`, so that a call keeps no room for it while it waits.
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

    /// When an attempt ends at the latest.
    private func deadline(of call: Call, from start: ContinuousClock.Instant) -> ContinuousClock.Instant {
        // The body of a stream comes at its reader's pace, for as long as the call may take.
        guard call.destination.isStream else {
            let limit = (call.request.retryPolicy ?? retryPolicy).attemptTimeout
            return limit.map { min(start + $0.bounded, call.deadline) } ?? call.deadline
        }
        return call.request.streamTimeout.map { max(start + $0.bounded, call.deadline) } ?? call.deadline
    }
}

/// Lets 2xx (and 304) pass and turns every other status into a typed error with the server's own faults.
struct StatusChecking: Sendable {
    let calls: CallRegistry

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        try await judged(try await next(request), context.call)
    }

    /// Gives a response back that says success by its status, whoever made it.
    ///
    /// - Throws: the typed error of any other.
    func judged(_ response: HTTPResponse, _ call: Call) async throws(RestError) -> HTTPResponse {
        if response.head.isSuccess || response.head.status == 304 { return response }
        throw try await refusal(response, of: call)
    }

    /// The error of the answer; a call that ends does not wait until a long one is read.
    ///
    /// Never inlined, so that the step keeps no room for it while it waits.
    @inline(never)
    private func refusal(_ response: HTTPResponse, of call: Call) async throws(RestError) -> RestError {
        let isWrite = call.request.isWrite
        let response = (try? await response.collected(upTo: RestError.maximumBodySize)) ?? response
        guard response.body.count >= Call.longBody else { return RestError(refusal: response, isWrite: isWrite) }
        // What the status says of a write is known before the body is read.
        call.reached(RestError(refusal: HTTPResponse(head: response.head, body: []), isWrite: isWrite))
        calls.watch(call)
        return try await call.unbound { RestError(refusal: response, isWrite: isWrite) }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Sends a call again after a fault that passes, if that cannot apply a write twice, the budget allows it and the
/// deadline too.
struct Retrying: Interceptor {
    let policy: RetryPolicy
    let budget: RetryBudget
    let clock: any MonotonicClock
    /// Draws evenly from 0..<1.
    let draw: @Sendable () -> Double

    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest, RequestContext) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        return try await repeating(context, body: request.body) { () async throws(RestError) in
            try await next(request, context)
        }
    }

    /// Does the work, again and again until it succeeds or must not be repeated; a success pays back what its last
    /// repeat cost.
    ///
    /// - Parameters:
    ///   - context: the call.
    ///   - body: what is sent; a body that can be sent once is not sent again.
    ///   - work: what is done.
    func repeating<Value>(
        _ context: RequestContext, body: HTTPBody, work: () async throws(RestError) -> Value
    ) async throws(RestError) -> Value {
        var attempts: [RestError.Attempt] = []
        var lastReason: RetryReason?
        while true {
            let failure: RestError
            do {
                let value = try await work()
                budget.succeeded(after: lastReason)
                return value
            } catch {
                failure = error
            }
            guard let retry = retry(after: failure, context, body, attempts: attempts.count + 1) else {
                throw failure.after(attempts)
            }
            attempts.append(RestError.Attempt(failure, delay: retry.delay))
            lastReason = retry.reason
            try await wait(retry.delay, failure.after(attempts), context)
        }
    }

    /// Whether to send the call again, and when.
    private func retry(
        after failure: RestError, _ context: RequestContext, _ body: HTTPBody, attempts: Int
    ) -> (reason: RetryReason, delay: Duration)? {
        let policy = context.request.retryPolicy ?? policy
        guard attempts < policy.maximumAttempts, body.isReplayable || context.attemptCount == 0,
            let reason = RetryPolicy.reason(for: failure, isIdempotent: context.request.isIdempotent),
            let delay = policy.delay(
                beforeRetry: attempts, for: reason, draw: draw(), retryAfter: failure.retryAfter),
            context.hasTime(at: clock.now + delay), budget.take(reason)
        else { return nil }
        return (reason, delay)
    }

    private func wait(_ delay: Duration, _ failure: RestError, _ context: RequestContext) async throws(RestError) {
        guard await context.life.slept(until: clock.now + delay, on: clock) else {
            throw RestError(
                .cancelled, "cancelled while waiting to send the call again", outcome: failure.outcome,
                attempts: failure.attempts, underlying: failure)
        }
    }
}

extension RestError.Attempt {
    /// The attempt that ended with this failure.
    init(_ failure: RestError, delay: Duration) {
        self.init(code: failure.code, status: failure.status, outcome: failure.outcome, delay: delay)
    }
}

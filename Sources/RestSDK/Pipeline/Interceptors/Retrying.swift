// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Sends a call again after a fault that passes, if that cannot apply a write twice, the budget allows it and the deadline too.
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
        var lastReason: RetryReason?
        let response = try await repeating(context, &lastReason) { () async throws(RestError) in
            try await next(request, context)
        }
        budget.succeeded(after: lastReason)
        return response
    }

    /// Does the work, again and again until it succeeds or must not be repeated.
    ///
    /// - Parameters:
    ///   - context: the call.
    ///   - lastReason: is set to why the work was repeated last.
    ///   - work: what is done.
    func repeating<Value>(
        _ context: RequestContext, _ lastReason: inout RetryReason?, work: () async throws(RestError) -> Value
    ) async throws(RestError) -> Value {
        var attempts: [RestError.Attempt] = []
        while true {
            let failure: RestError
            do {
                return try await work()
            } catch {
                failure = error
            }
            guard let retry = retry(after: failure, context, attempts: attempts.count + 1) else {
                throw failure.after(attempts)
            }
            attempts.append(RestError.Attempt(failure, delay: retry.delay))
            lastReason = retry.reason
            try await wait(retry.delay, failure.after(attempts))
        }
    }

    /// Whether to send the call again, and when.
    private func retry(
        after failure: RestError, _ context: RequestContext, attempts: Int
    ) -> (reason: RetryReason, delay: Duration)? {
        let policy = context.request.retryPolicy ?? policy
        guard attempts < policy.maximumAttempts,
            let reason = RetryPolicy.reason(for: failure, isIdempotent: context.request.isIdempotent),
            let delay = policy.delay(
                beforeRetry: attempts, for: reason, draw: draw(), retryAfter: failure.retryAfter),
            clock.now + delay < context.deadline, budget.take(reason)
        else { return nil }
        return (reason, delay)
    }

    private func wait(_ delay: Duration, _ failure: RestError) async throws(RestError) {
        do {
            try await clock.sleep(until: clock.now + delay, tolerance: nil)
        } catch {
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

// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The one loop in which calls are sent again.
///
/// The policy sends a call again after a fault that passes, and so do the app's handlers of errors. Neither can apply a
/// write twice, pass the deadline, overdraw the budget or exceed ``RetryPolicy/maximumAttempts``.
struct Retrying: Sendable {
    /// What the app's handlers say to a failure that the policy does not retry, given how often they sent the call
    /// again already.
    typealias Handlers = (RestError, _ retries: Int) async -> FailedCall.Decision

    /// That the call is sent again, and when.
    private struct Retry {
        let reason: RetryReason
        let delay: Duration
    }

    /// What became of a call so far.
    private struct Past {
        var attempts: [RestError.Attempt] = []
        var retriesByHandlers = 0
        var lastReason: RetryReason?
    }

    let policy: RetryPolicy
    let budget: RetryBudget
    let observer: Observer
    let clock: any MonotonicClock
    /// Draws evenly from 0..<1.
    let draw: @Sendable () -> Double

    /// Does the work, again and again until it succeeds or must not be repeated; a success pays back what its last
    /// repeat cost.
    func repeating<Value>(
        _ call: Call, asking handlers: Handlers, _ work: () async throws(RestError) -> sending Value
    ) async throws(RestError) -> sending Value {
        var past = Past()
        while true {
            let failure: RestError
            do throws(RestError) {
                let value = try await work()
                budget.succeeded(after: past.lastReason)
                return value
            } catch {
                failure = error
            }
            try await prepare(after: failure, call, asking: handlers, &past)
        }
    }

    /// Returns when the call is to be sent again.
    ///
    /// Never inlined, so that a call that succeeds has no room for it in its frame.
    ///
    /// - Throws: the failure, when it is not.
    @inline(never)
    private func prepare(
        after failure: RestError, _ call: Call, asking handlers: Handlers, _ past: inout Past
    ) async throws(RestError) {
        let failure = explained(call.concluded(failure), call).after(past.attempts)
        let retry: Retry
        if let planned = planned(after: failure, call, past.attempts.count + 1) {
            retry = planned
        } else {
            let decision = await handlers(failure, past.retriesByHandlers)
            retry = try wished(decision, failure, call, past.attempts.count + 1)
            past.retriesByHandlers += 1
        }
        past.attempts.append(RestError.Attempt(failure, delay: retry.delay))
        past.lastReason = retry.reason
        try await wait(retry.delay, failure.after(past.attempts), call)
    }

    /// The failure, with the reason why the call is not sent again if that is its body.
    private func explained(_ failure: RestError, _ call: Call) -> RestError {
        guard isSpent(call), policy(of: call).maximumAttempts > 1,
            RetryPolicy.reason(for: failure, isIdempotent: call.request.isIdempotent) != nil
        else { return failure }
        return failure.withSpentBody
    }

    /// Whether the call was sent with a body that cannot be made again.
    private func isSpent(_ call: Call) -> Bool { !call.request.body.isReplayable && call.attemptCount > 0 }

    /// Whether the policy sends the call again that was sent so often, and when.
    private func planned(after failure: RestError, _ call: Call, _ attempts: Int) -> Retry? {
        guard mayRepeat(call, attempts),
            let reason = RetryPolicy.reason(for: failure, isIdempotent: call.request.isIdempotent),
            let delay = policy(of: call).delay(
                beforeRetry: attempts, for: reason, draw: draw(), retryAfter: failure.retryAfter)
        else { return nil }
        return paid(Retry(reason: reason, delay: delay), call)
    }

    /// What the handlers decided, as far as it does no harm.
    ///
    /// - Throws: the failure, or the error in its place.
    private func wished(
        _ decision: FailedCall.Decision, _ failure: RestError, _ call: Call, _ attempts: Int
    ) throws(RestError) -> Retry {
        switch decision {
        case .propagate: throw failure
        case .replace(let other): throw other.joining(failure.outcome)
        case .retry(let delay):
            let isHarmless = call.request.isIdempotent || failure.outcome == nil || failure.outcome == .notApplied
            let reason = RetryPolicy.reason(for: failure, isIdempotent: true) ?? .transient
            guard isHarmless, mayRepeat(call, attempts),
                let retry = paid(Retry(reason: reason, delay: delay.bounded), call)
            else { throw failure }
            return retry
        }
    }

    private func mayRepeat(_ call: Call, _ attempts: Int) -> Bool {
        attempts < policy(of: call).maximumAttempts && !isSpent(call)
    }

    /// The retry, if there is time for it and the budget pays.
    private func paid(_ retry: Retry, _ call: Call) -> Retry? {
        call.hasTime(at: clock.now + retry.delay) && budget.take(retry.reason) ? retry : nil
    }

    private func policy(of call: Call) -> RetryPolicy { call.request.retryPolicy ?? policy }

    private func wait(_ delay: Duration, _ failure: RestError, _ call: Call) async throws(RestError) {
        observer.report(.retrying(after: failure.code, delay: delay), call)
        do {
            try await clock.sleep(until: clock.now + delay, tolerance: nil)
        } catch {
            throw RestError(
                .cancelled, "cancelled while waiting for the next attempt", outcome: failure.outcome,
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

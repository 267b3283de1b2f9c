// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestBase
import RestTransport
import Synchronization

/// The only loop that retries calls.
///
/// The retry policy retries a call after a transient error, and the app's error handlers can retry it too. Neither can
/// apply a write twice, exceed the deadline, the retry budget or ``RetryPolicy/maximumAttempts``.
struct Retrying: Sendable {
    /// The decision of the app's handlers about an error that the policy does not retry, with the number of their
    /// earlier retries.
    typealias Handlers = (RestError, _ retries: Int) async -> RestClient.FailedCall.Decision

    private struct Retry {
        let reason: RetryReason
        let delay: Duration
    }

    private struct Past {
        var attempts: [RestError.Attempt] = []
        var retriesByHandlers = 0
        var lastReason: RetryReason?
    }

    let policy: RetryPolicy
    let budget: RetryBudget
    let observer: Observer
    let clock: any MonotonicClock
    /// Returns a random number in 0..<1.
    let draw: @Sendable () -> Double

    /// Repeats the work until it succeeds, which refunds the cost of the last retry, or must not be repeated.
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

    /// Returns when the call must be sent again, or throws its error.
    ///
    /// Not inlined, to keep its locals out of the frame of a call that succeeds.
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

    /// Adds the reason to the error if the call is not retried because of its body.
    private func explained(_ failure: RestError, _ call: Call) -> RestError {
        guard isSpent(call), policy(of: call).maximumAttempts > 1,
            RetryPolicy.reason(for: failure, isIdempotent: call.request.isIdempotent) != nil
        else { return failure }
        return failure.withSpentBody
    }

    /// Whether the call was sent with a body that cannot be sent again.
    private func isSpent(_ call: Call) -> Bool { !call.request.body.isReplayable && call.attemptCount > 0 }

    private func planned(after failure: RestError, _ call: Call, _ attempts: Int) -> Retry? {
        guard mayRepeat(call, attempts),
            let reason = RetryPolicy.reason(for: failure, isIdempotent: call.request.isIdempotent),
            let delay = policy(of: call).delay(
                beforeRetry: attempts, for: reason, draw: draw(), retryAfter: failure.retryAfter)
        else { return nil }
        return paid(Retry(reason: reason, delay: delay), call)
    }

    /// Returns the retry that the handlers requested if it is safe, or else throws the error or its replacement.
    private func wished(
        _ decision: RestClient.FailedCall.Decision, _ failure: RestError, _ call: Call, _ attempts: Int
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

    /// Returns the retry if there is time for it and the budget covers its cost.
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
    init(_ failure: RestError, delay: Duration) {
        self.init(code: failure.code, status: failure.status, outcome: failure.outcome, delay: delay)
    }
}

/// The retry budget of a client, which keeps retries from overloading a server in trouble.
///
/// If a server is down, a client makes 35 retries (500 ÷ 14), and then one for every 14 calls that succeed at first.
final class RetryBudget: Sendable {
    static let capacity = 500

    private let tokens = Mutex(RetryBudget.capacity)

    /// Takes the cost of a retry, or returns `false` if the call must not be retried.
    func take(_ reason: RetryReason) -> Bool {
        tokens.withLock { tokens in
            guard tokens >= reason.cost else { return false }
            tokens -= reason.cost
            return true
        }
    }

    /// Adds the cost of the last retry after a success, or 1 if there was no retry.
    func succeeded(after reason: RetryReason?) {
        tokens.withLock { $0 = min(Self.capacity, $0 + (reason?.cost ?? 1)) }
    }
}

/// The policy for retries of failed calls.
///
/// The values are those of the AWS clients: full jitter, with short delays after transient errors and longer delays for
/// throttling. Delays are clamped between zero and a century.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts, including the first, so that 1 means no retry.
    public var maximumAttempts = 3
    /// The maximum of the first random delay after a transient error, which doubles with each further retry.
    public var transientScale: Duration = .milliseconds(50)
    /// The same maximum after the server requested a delay (429, 503, `Retry-After`).
    public var throttlingScale: Duration = .seconds(1)
    /// The maximum random delay.
    public var maximumDelay: Duration = .seconds(20)
    /// The timeout of one attempt.
    ///
    /// If `nil`, only the call's deadline applies. An attempt that exceeds it fails with ``RestError/Code/timedOut``,
    /// and is retried if this cannot apply a write twice. Choose a longer time than the slowest acceptable response
    /// takes.
    public var attemptTimeout: Duration?
    /// The maximum `Retry-After` that is waited for, above which the call fails immediately.
    public var maximumRetryAfter: Duration = .seconds(60)

    /// Creates the default policy.
    public init() {}

    /// A policy that never retries a call.
    public static let never: RetryPolicy = {
        var policy = RetryPolicy()
        policy.maximumAttempts = 1
        return policy
    }()
}

/// The reason why a call can be retried.
package enum RetryReason: Sendable, Hashable {
    /// A transient error, such as a lost connection or a server error.
    case transient
    /// The server requested a delay.
    case throttled

    var cost: Int {
        switch self {
        case .transient: 14
        case .throttled: 5
        }
    }
}

extension RetryPolicy {
    /// Returns the reason why a failed call can be retried, or `nil` if it must not be.
    ///
    /// A request that is not idempotent is retried only if it certainly was not sent. The error's outcome covers
    /// everything that the call sent.
    package static func reason(for error: RestError, isIdempotent: Bool) -> RetryReason? {
        guard isIdempotent || error.neverLeft else { return nil }
        if let error = error.underlying as? OAuthError { return reason(for: error) }
        switch (error.code, error.status) {
        case (.notConnected, _), (.transport, _), (.timedOut, _): return .transient
        case (.rateLimited, 429), (.api, 420), (.server, 503): return .throttled
        case (.rateLimited, 403) where error.isConcurrencyLimit: return .throttled
        case (.server, 500), (.server, 502), (.server, 504): return .transient
        default: return nil
        }
    }

    /// Returns the reason why a call can be retried that was not sent because it got no token.
    private static func reason(for error: OAuthError) -> RetryReason? {
        switch (error.code, error.transport?.code) {
        case (.serverUnavailable, _): .throttled
        // The server is still processing another request with the same token.
        case (.invalidGrant, _) where !error.isFinal: .throttled
        case (.timedOut, _), (.storeUnavailable, _): .transient
        case (.unreachable, .hostNotFound), (.unreachable, .notConnected), (.unreachable, .connectionLost),
            (.unreachable, .timedOut), (.unreachable, .invalidResponse), (.unreachable, .other):
            .transient
        default: nil
        }
    }

    /// Returns the delay before the retry with this number, from 1, or `nil` if the server requested too long a delay.
    ///
    /// `draw` is a random number in 0..<1. The maximum `retryAfter` is ``maximumRetryAfter``.
    package func delay(
        beforeRetry attempt: Int, for reason: RetryReason, draw: Double, retryAfter: Duration?
    ) -> Duration? {
        let scale = (reason == .throttled || retryAfter != nil ? throttlingScale : transientScale).bounded
        let bound = min(scale * (1 << min(max(attempt - 1, 0), 30)), maximumDelay.bounded)
        guard let retryAfter else { return bound * draw }
        return retryAfter > maximumRetryAfter ? nil : max(retryAfter, bound * draw)
    }
}

extension RestError {
    /// Whether certainly nothing that the call sent has left this process.
    fileprivate var neverLeft: Bool {
        guard outcome == nil || outcome == .notApplied else { return false }
        return underlying is OAuthError || (underlying as? TransportError)?.mayHaveReachedServer == false
    }

    /// Whether too many long requests of the org are running, which is transient, unlike the daily limit.
    ///
    /// Salesforce's message is `ConcurrentRequests (Concurrent API Requests) Limit exceeded.`, or begins with the
    /// limit: `ConcurrentPerOrgLongTxn Limit exceeded.`
    var isConcurrencyLimit: Bool {
        faults.contains { $0.errorCode == .requestLimitExceeded && $0.message.hasBytes(prefix: "Concurrent") }
    }
}

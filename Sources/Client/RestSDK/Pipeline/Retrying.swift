// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestBase
import RestTransport
import Synchronization

/// The one loop in which calls are sent again.
///
/// The policy sends a call again after a fault that passes, and so do the app's handlers of errors. Neither can apply a
/// write twice, pass the deadline, overdraw the budget or exceed ``RetryPolicy/maximumAttempts``.
struct Retrying: Sendable {
    /// What the app's handlers say to a failure that the policy does not retry, given how often they sent the call
    /// again already.
    typealias Handlers = (RestError, _ retries: Int) async -> RestClient.FailedCall.Decision

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

/// A bucket of tokens that every retry of a client draws on, so that a server in trouble is not buried under retries.
///
/// With a dead server, a client makes 35 retries (500 ÷ 14) and then one for every 14 calls that succeed at once.
final class RetryBudget: Sendable {
    static let capacity = 500

    private let tokens = Mutex(RetryBudget.capacity)

    /// Takes what the retry costs; `false` when there is too little left, and then the call must not be sent again.
    func take(_ reason: RetryReason) -> Bool {
        tokens.withLock { tokens in
            guard tokens >= reason.cost else { return false }
            tokens -= reason.cost
            return true
        }
    }

    /// Puts back after a success: what its last retry cost, or one token if it needed none.
    func succeeded(after reason: RetryReason?) {
        tokens.withLock { $0 = min(Self.capacity, $0 + (reason?.cost ?? 1)) }
    }
}

/// How often and how patiently a call is sent again, as data.
///
/// The figures are those of the AWS clients: full jitter, a short scale for passing faults, a longer one for
/// throttling. A negative wait counts as none, and one beyond a century as a century.
public struct RetryPolicy: Sendable, Hashable {
    /// How often a call is sent at most, the first time included; 1 never sends again.
    public var maximumAttempts = 3
    /// The first wait after a passing fault is drawn between zero and this; each further one between zero and twice the
    /// bound before.
    public var transientScale: Duration = .milliseconds(50)
    /// The same after the server asked for patience (429, 503, `Retry-After`).
    public var throttlingScale: Duration = .seconds(1)
    /// No wait of ours is longer.
    public var maximumDelay: Duration = .seconds(20)
    /// How long one attempt may take; `nil` gives each all the time that is left to the call.
    ///
    /// An attempt that takes longer is given up with ``RestError/Code/timedOut``, and the call is sent again where that
    /// cannot apply a write twice. Choose more than the slowest answer that is worth waiting for.
    public var attemptTimeout: Duration?
    /// A `Retry-After` beyond this is not waited for: the call fails at once and says how long the server asked for.
    public var maximumRetryAfter: Duration = .seconds(60)

    /// The policy with its defaults.
    public init() {}

    /// Never sends a call again.
    public static let never: RetryPolicy = {
        var policy = RetryPolicy()
        policy.maximumAttempts = 1
        return policy
    }()
}

/// Why a call may be sent again.
package enum RetryReason: Sendable, Hashable {
    /// A fault that passes by itself: a lost connection, a failing server.
    case transient
    /// The server asks for patience.
    case throttled

    /// What a retry takes out of the ``RetryBudget``.
    var cost: Int {
        switch self {
        case .transient: 14
        case .throttled: 5
        }
    }
}

extension RetryPolicy {
    /// Why the failed call may be sent again; `nil` when it must not.
    ///
    /// A request that is not idempotent is sent again only if it provably never left: then the server cannot have
    /// applied it. The error's outcome is about everything that the call sent.
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

    /// Why the call may be sent again that got no token; no part of it has left then.
    private static func reason(for error: OAuthError) -> RetryReason? {
        switch (error.code, error.transport?.code) {
        case (.serverUnavailable, _): .throttled
        // Another request with the same token is under way at the server, which takes its time.
        case (.invalidGrant, _) where !error.isFinal: .throttled
        case (.timedOut, _), (.storeUnavailable, _): .transient
        case (.unreachable, .hostNotFound), (.unreachable, .notConnected), (.unreachable, .connectionLost),
            (.unreachable, .timedOut), (.unreachable, .invalidResponse), (.unreachable, .other):
            .transient
        default: nil
        }
    }

    /// How long to wait before sending the call for the `attempt`-th time again (1 for the first retry).
    ///
    /// - Parameters:
    ///   - attempt: which retry it is, from 1.
    ///   - reason: why the call is sent again.
    ///   - draw: a number drawn evenly from 0..<1.
    ///   - retryAfter: what the server asked for.
    /// - Returns: the wait, or `nil` when the server asks for more than ``maximumRetryAfter``.
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
    /// Whether nothing that the call sent can have left this process.
    fileprivate var neverLeft: Bool {
        guard outcome == nil || outcome == .notApplied else { return false }
        return underlying is OAuthError || (underlying as? TransportError)?.mayHaveReachedServer == false
    }

    /// Whether too many long calls of the org run at once, which passes; a daily allowance that is spent does not.
    ///
    /// The platform says `ConcurrentRequests (Concurrent API Requests) Limit exceeded.`, or names the kind of call that
    /// is too many: `ConcurrentPerOrgLongTxn Limit exceeded.`
    var isConcurrencyLimit: Bool {
        faults.contains { $0.errorCode == .requestLimitExceeded && $0.message.hasBytes(prefix: "Concurrent") }
    }
}

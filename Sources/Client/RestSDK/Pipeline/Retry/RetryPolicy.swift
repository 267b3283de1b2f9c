// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestText
import RestTransport

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

// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport

/// Decides whether a transfer that failed goes on, and waits until it does: as long as it makes progress, however often
/// it breaks.
struct TransferRetry: Sendable {
    private let policy: RetryPolicy
    private let clock: any MonotonicClock
    /// The failures in a row that brought nothing, the last one included.
    private var failures = 0

    init(_ policy: RetryPolicy, clock: any MonotonicClock) {
        self.policy = policy
        self.clock = clock
    }

    /// Waits for the next attempt, by the client's clock.
    ///
    /// - Parameters:
    ///   - error: why the last one failed.
    ///   - hasProgress: whether it brought something that is kept.
    /// - Throws: the error, when the transfer is to end with it: it does not pass, or too many in a row brought
    ///   nothing.
    mutating func wait(after error: RestError, hasProgress: Bool) async throws(RestError) {
        failures = hasProgress ? 0 : failures + 1
        guard failures < policy.maximumAttempts,
            let reason = RetryPolicy.reason(for: error, isIdempotent: true),
            let delay = policy.delay(
                beforeRetry: max(failures, 1), for: reason, draw: .random(in: 0..<1), retryAfter: error.retryAfter)
        else { throw error }
        do {
            try await clock.sleep(until: clock.now + delay, tolerance: nil)
        } catch {
            throw RestError(.cancelled, "cancelled while waiting for the next attempt")
        }
    }
}

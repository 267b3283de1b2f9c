// SPDX-License-Identifier: Apache-2.0

import Synchronization

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

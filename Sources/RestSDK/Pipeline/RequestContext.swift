// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What every step of one call knows about it.
public struct RequestContext: Sendable {
    /// The call.
    public let request: RestRequest
    /// The call's number among those of its client, as in ``RestEvent/call``; 0 when nobody observes.
    public let call: UInt64
    /// When the call ends with ``RestError/Code/timedOut``, whatever it is doing.
    public let deadline: ContinuousClock.Instant
    /// Counts how often the call was sent: first time, retries, replays and redirects alike.
    let attempts = AttemptCounter()

    /// How often the call was sent so far.
    public var attemptCount: Int { attempts.count }
}

/// Counts the attempts of one call, which all copies of its context share.
final class AttemptCounter: Sendable {
    private let sent = Atomic<Int>(0)

    /// How many attempts began.
    var count: Int { sent.load(ordering: .relaxed) }

    /// Begins an attempt and gives its number, from 0.
    func begin() -> Int { sent.add(1, ordering: .relaxed).oldValue }
}

// SPDX-License-Identifier: Apache-2.0

/// A clock that deadlines are measured on: the system's continuous clock, or one that tests move by hand.
public protocol MonotonicClock: Clock where Instant == ContinuousClock.Instant {}

extension ContinuousClock: MonotonicClock {}

/// Where a transfer stands in time, and whether that is too late.
package struct TransferActivity: Sendable {
    /// What a transfer is late for.
    package enum Lateness: Equatable {
        /// In time; look again at that moment at the latest.
        case none(next: ContinuousClock.Instant)
        /// Too late, for this reason.
        case late(String)
    }

    /// When the request was sent or the last bytes of a body moved.
    package var last: ContinuousClock.Instant
    /// Whether the request was handed to a connection.
    package var hasLeft = false
    /// Whether the answer's header is complete.
    package var hasHead = false
    /// Whether bytes of the request body are still to be sent.
    package var isSending = false
    /// Whether the transfer waits for the reader or the maker of a body.
    package var isPaused = false

    /// Makes the activity of a transfer that has not left.
    package init(last: ContinuousClock.Instant) {
        self.last = last
    }

    /// Whether the transfer has used up its deadline or one of the configured times; `nil` leaves a time unlimited.
    package func lateness(
        at now: ContinuousClock.Instant, deadline: ContinuousClock.Instant, firstByte: Duration?, idle: Duration?
    ) -> Lateness {
        guard now < deadline else { return .late("the deadline passed") }
        var next = deadline
        if let firstByte, !hasHead {
            let end = last + firstByte
            if hasLeft, end <= now { return .late("no answer arrived within firstByteTimeout") }
            next = min(next, hasLeft ? end : now + firstByte)
        }
        if let idle {
            // Before the header there is nothing to be idle about, except for a body being sent.
            let isCounting = hasLeft && !isPaused && (hasHead || isSending)
            let end = last + idle
            if isCounting, end <= now { return .late("no byte moved within idleTimeout") }
            next = min(next, isCounting ? end : now + idle)
        }
        return .none(next: next)
    }
}

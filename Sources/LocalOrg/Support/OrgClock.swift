// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The org's time: a monotonic clock for lifetimes, and the time of day that goes with it.
struct OrgClock: Sendable {
    private let clock: any MonotonicClock
    private let start: ContinuousClock.Instant
    private let startMilliseconds: Int64

    init(_ clock: any MonotonicClock) {
        self.clock = clock
        start = clock.now
        startMilliseconds = WireTime.milliseconds
    }

    var now: ContinuousClock.Instant { clock.now }

    /// Milliseconds since 1970 in UTC: the time of day at the start, and what the clock has gone on since.
    var milliseconds: Int64 { startMilliseconds + Int64(clamping: Int((clock.now - start) / .milliseconds(1))) }

    /// Seconds since 1970 in UTC.
    var seconds: Int64 { milliseconds / 1_000 }
}

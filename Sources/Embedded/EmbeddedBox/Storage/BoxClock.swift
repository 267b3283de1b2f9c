// SPDX-License-Identifier: Apache-2.0

import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The box's time: a monotonic clock, and the time of day that goes with it.
struct BoxClock: Sendable {
    private let clock: any MonotonicClock
    private let start: ContinuousClock.Instant
    private let startSeconds: Int64

    init(_ clock: any MonotonicClock) {
        self.clock = clock
        start = clock.now
        startSeconds = Int64(Date().timeIntervalSince1970)
    }

    var now: ContinuousClock.Instant { clock.now }

    /// Seconds since 1970 in UTC.
    var seconds: Int64 { startSeconds + (clock.now - start).components.seconds }
}

extension Date {
    /// A point in time by the seconds since 1970.
    init(seconds: Int64) {
        self.init(timeIntervalSince1970: Double(seconds))
    }

    /// Whole seconds since 1970, within the years that a timestamp can have.
    var wholeSeconds: Int64 { Int64(min(max(timeIntervalSince1970, -62_135_596_800), 253_402_300_799)) }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Lets one report of progress a second through, the first after one second.
final class ProgressPace: Sendable {
    private static let interval: Duration = .seconds(1)

    private let clock: any MonotonicClock
    private let last: Mutex<ContinuousClock.Instant>

    init(clock: any MonotonicClock) {
        self.clock = clock
        last = Mutex(clock.now)
    }

    /// Whether it is time for a report; asking counts as one.
    var isDue: Bool {
        let now = clock.now
        return last.withLock { last in
            guard now - last >= Self.interval else { return false }
            last = now
            return true
        }
    }
}

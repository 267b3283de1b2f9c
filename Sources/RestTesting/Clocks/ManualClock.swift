// SPDX-License-Identifier: Apache-2.0

public import RestTransport
import Synchronization

/// A clock on which nobody waits: sleeping moves it forward at once, and writes down how long the sleep would have been.
public final class ManualClock: MonotonicClock {
    private struct State {
        var now: ContinuousClock.Instant
        var sleeps: [Duration] = []
    }

    private let state = Mutex(State(now: .now))

    /// Makes a clock that begins at the system's present.
    public init() {}

    /// The clock's present.
    public var now: ContinuousClock.Instant { state.withLock { $0.now } }

    /// The smallest step the clock can tell.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The sleeps so far, in order.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Moves the clock forward.
    public func advance(by duration: Duration) {
        state.withLock { $0.now += duration }
    }

    /// Moves the clock to the deadline at once, unless the task was cancelled.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.sleeps.append(deadline - state.now)
            state.now = max(state.now, deadline)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

/// A clock for tests, in which a sleep moves the clock forward at once and its duration is recorded.
///
/// With a bound, a longer sleep is an alarm: it waits until the clock reaches its deadline. So a deadline and work with
/// short sleeps can share a clock.
public final class ManualClock: MonotonicClock {
    private struct State {
        var now: ContinuousClock.Instant
        var sleeps: [Duration] = []
        var alarms: [UInt64: Alarm] = [:]
        var lastAlarm: UInt64 = 0

        /// Moves the clock forward and removes the alarms that are due.
        mutating func move(to instant: ContinuousClock.Instant) -> [Alarm] {
            now = max(now, instant)
            let due = alarms.filter { $0.value.instant <= now }
            for number in due.keys { alarms[number] = nil }
            return due.values.sorted { $0.instant < $1.instant }
        }
    }

    private struct Alarm {
        let instant: ContinuousClock.Instant
        let reached = AwaitedValue<Bool>()
    }

    private let state = Mutex(State(now: .now))
    private let bound: Duration?

    /// Creates a clock that begins at the system's current time.
    ///
    /// - Parameter bound: the maximum sleep that moves the clock. Longer sleeps wait. If `nil`, no sleep waits.
    public init(alarmsBeyond bound: Duration? = nil) {
        self.bound = bound
    }

    /// The clock's current time.
    public var now: ContinuousClock.Instant { state.withLock { $0.now } }

    /// The smallest step of the clock.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The sleeps that moved the clock so far, in order.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// The number of waiting alarms.
    public var alarms: Int { state.withLock { $0.alarms.count } }

    /// Moves the clock forward.
    public func advance(by duration: Duration) {
        let due = state.withLock { $0.move(to: $0.now + duration) }
        for alarm in due { alarm.reached.resolve(true) }
    }

    /// Moves the clock to the deadline at once, or waits for it as an alarm, unless the task was cancelled.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let due: [Alarm]? = state.withLock { state in
            if let bound, deadline - state.now > bound { return nil }
            state.sleeps.append(deadline - state.now)
            return state.move(to: deadline)
        }
        guard let due else { return try await wait(until: deadline) }
        for alarm in due { alarm.reached.resolve(true) }
    }

    private func wait(until instant: ContinuousClock.Instant) async throws {
        let alarm = Alarm(instant: instant)
        let number = state.withLock { state -> UInt64? in
            guard instant > state.now else { return nil }
            state.lastAlarm += 1
            state.alarms[state.lastAlarm] = alarm
            return state.lastAlarm
        }
        guard let number else { return }
        let isReached = await withTaskCancellationHandler {
            await alarm.reached.value()
        } onCancel: {
            state.withLock { $0.alarms.removeValue(forKey: number) }?.reached.resolve(false)
        }
        if !isReached { throw CancellationError() }
    }
}

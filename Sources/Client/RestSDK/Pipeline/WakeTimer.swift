// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// One timer for everybody who waits in the same place: it wakes at the earliest of the instants it was set to.
///
/// Its task is unstructured, because it belongs to no single call. It ends when it wakes, with an earlier one, or with
/// its owner.
final class WakeTimer: Sendable {
    private struct State {
        /// When the task wakes; `nil` without one.
        var wake: ContinuousClock.Instant?
        /// Missing for the moment in which it is made.
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let name: String
    private let clock: any MonotonicClock

    /// Makes a timer that is not set.
    init(_ name: String, clock: any MonotonicClock) {
        self.name = name
        self.clock = clock
    }

    deinit { state.withLock { $0.task }?.cancel() }

    /// Calls `work` at the instant, unless the timer wakes earlier anyway.
    ///
    /// - Parameters:
    ///   - wake: when.
    ///   - work: gets the present; must not hold the owner of the timer.
    func set(_ wake: ContinuousClock.Instant, _ work: @escaping @Sendable (ContinuousClock.Instant) -> Void) {
        let isFirst = state.withLock { state in
            guard state.wake.map({ wake < $0 }) ?? true else { return false }
            state.wake = wake
            return true
        }
        guard isFirst else { return }
        let task = Task(name: name) { [weak self, clock] in
            try? await clock.sleep(until: wake, tolerance: nil)
            guard !Task.isCancelled, self?.woke(at: wake) ?? false else { return }
            work(clock.now)
        }
        let needless = state.withLock { state in
            // An earlier one was set meanwhile, or this one has woken already.
            guard state.wake == wake else { return Optional(task) }
            defer { state.task = task }
            return state.task
        }
        needless?.cancel()
    }

    private func woke(at wake: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            guard state.wake == wake else { return false }
            state = State()
            return true
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Wakes who waits for the next change.
final class ChangeWatch: Sendable {
    private struct State {
        var latest: Int64 = 0
        var waiting: [UInt64: @Sendable (Bool) -> Void] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())
    /// A queue and not a task, because tests may block every thread of the task pool.
    private let timer = DispatchQueue(label: "LocalBox.waits")

    /// Tells that the latest change has this number.
    func note(_ number: Int64) {
        let woken = state.withLock { state -> [@Sendable (Bool) -> Void] in
            guard number > state.latest else { return [] }
            state.latest = number
            defer { state.waiting.removeAll() }
            return Array(state.waiting.values)
        }
        for wake in woken { wake(true) }
    }

    /// Calls the function once: with `true` at the next change, or with `false` when the time is over.
    func wait(behind number: Int64, for time: Duration, _ wake: @escaping @Sendable (Bool) -> Void) {
        let ticket = state.withLock { state -> UInt64? in
            guard state.latest <= number else { return nil }
            state.next += 1
            state.waiting[state.next] = wake
            return state.next
        }
        guard let ticket else { return wake(true) }
        timer.asyncAfter(deadline: .now() + (time / .seconds(1))) { [weak self] in
            self?.state.withLock { $0.waiting.removeValue(forKey: ticket) }?(false)
        }
    }
}

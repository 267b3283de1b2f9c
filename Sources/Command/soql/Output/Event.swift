// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Something that happens once, with a number that tells how, and that tasks wait for.
final class Event: Sendable {
    private struct State {
        var outcome: Int32?
        var next = 0
        var waiting: [Int: CheckedContinuation<Int32?, Never>] = [:]
    }

    private let state = Mutex(State())

    /// How it happened; `nil` as long as it did not.
    var outcome: Int32? { state.withLock(\.outcome) }

    /// Lets it happen; only the first time counts.
    func happen(_ outcome: Int32) {
        let waiting = state.withLock { state in
            state.outcome = state.outcome ?? outcome
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.self)
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    /// Waits until it happens; `nil` when the task was cancelled before.
    func wait() async -> Int32? {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Int32?? in
                    if let outcome = state.outcome { return .some(outcome) }
                    if Task.isCancelled { return .some(nil) }
                    state.waiting[number] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: nil)
        }
    }
}

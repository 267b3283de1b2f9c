// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that threads change and tasks wait for.
final class Watched<Value: Sendable>: Sendable {
    private typealias Waiter = (
        condition: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Value, Never>
    )

    private struct State {
        var value: Value
        var waiters: [Waiter] = []

        /// Takes out the waiters whose condition holds now.
        mutating func takeSatisfied() -> [Waiter] {
            guard !waiters.isEmpty else { return [] }
            let ready = waiters.filter { $0.condition(value) }
            guard !ready.isEmpty else { return [] }
            waiters.removeAll { $0.condition(value) }
            return ready
        }
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The current value.
    var value: Value { state.withLock { $0.value } }

    /// Changes the value and resumes the tasks whose condition it fulfils.
    func update(_ body: (inout Value) -> Void) {
        let ready = state.withLock { state in
            body(&state.value)
            return state.takeSatisfied().map { (state.value, $0.continuation) }
        }
        for (value, continuation) in ready {
            continuation.resume(returning: value)
        }
    }

    /// Waits until the value fulfils the condition, which is asked at every change.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                if condition(state.value) { return state.value }
                state.waiters.append((condition, continuation))
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}

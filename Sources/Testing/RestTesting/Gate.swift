// SPDX-License-Identifier: Apache-2.0

import RestBase
import Synchronization

/// A gate at which tasks wait until it opens, even if they are cancelled.
package final class Gate: Sendable {
    private let opened = AwaitedValue<Void>()
    private let visited = AwaitedValue<Void>()
    private let visitors = Atomic(0)

    package init() {}

    package func pass() async {
        visitors.add(1, ordering: .relaxed)
        visited.resolve(())
        await opened.value()
    }

    /// Returns when a task waits at the gate or has passed it.
    package func waitForVisitor() async { await visited.value() }

    package var hasVisitor: Bool { visitors.load(ordering: .relaxed) > 0 }

    /// Opens the gate for all tasks, now and later.
    package func open() { opened.resolve(()) }
}

/// A value that threads change and for which tasks wait.
package final class Watched<Value: Sendable>: Sendable {
    private typealias Waiter = (condition: @Sendable (Value) -> Bool, awaited: AwaitedValue<Value>)

    private struct State {
        var value: Value
        var waiters: [Waiter] = []

        mutating func takeSatisfied() -> [Waiter] {
            let ready = waiters.filter { $0.condition(value) }
            waiters.removeAll { $0.condition(value) }
            return ready
        }
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    package var value: Value { state.withLock { $0.value } }

    /// Changes the value and resumes the tasks whose condition is true.
    package func update(_ body: (inout Value) -> Void) {
        let ready = state.withLock { state in
            body(&state.value)
            return state.takeSatisfied().map { (state.value, $0.awaited) }
        }
        for (value, awaited) in ready { awaited.resolve(value) }
    }

    /// Waits until the condition is true, evaluating it after every change.
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async -> Value {
        let awaited = AwaitedValue<Value>()
        let value = state.withLock { state -> Value? in
            if condition(state.value) { return state.value }
            state.waiters.append((condition, awaited))
            return nil
        }
        if let value { return value }
        return await awaited.value()
    }
}

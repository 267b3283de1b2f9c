// SPDX-License-Identifier: Apache-2.0

package import RestSDK
package import RestTransport
import Synchronization

/// A gate at which tasks wait until it is opened, even if they are cancelled.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var hasVisitor = false
        /// The tasks that wait for the gate to open.
        var visitors: [CheckedContinuation<Void, Never>] = []
        /// The tasks that wait for the first one to arrive.
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Makes a closed gate.
    package init() {}

    /// Returns when the gate is open.
    package func pass() async {
        await withCheckedContinuation { visitor in
            let ready = state.withLock { state in
                state.hasVisitor = true
                defer { state.watchers = [] }
                guard !state.isOpen else { return state.watchers + [visitor] }
                state.visitors.append(visitor)
                return state.watchers
            }
            for continuation in ready { continuation.resume() }
        }
    }

    /// Returns when a task waits at the gate or has passed it.
    package func waitForVisitor() async {
        await withCheckedContinuation { watcher in
            let isThere = state.withLock { state in
                if !state.hasVisitor { state.watchers.append(watcher) }
                return state.hasVisitor
            }
            if isThere { watcher.resume() }
        }
    }

    /// Whether a task waits at the gate or has passed it.
    package var hasVisitor: Bool { state.withLock { $0.hasVisitor } }

    /// Lets every task through, now and later.
    package func open() {
        let visitors = state.withLock { state in
            state.isOpen = true
            defer { state.visitors = [] }
            return state.visitors
        }
        for visitor in visitors { visitor.resume() }
    }
}

/// Code of a host that is held up at a gate, whatever becomes of its call.
package struct GatedInterceptor: Interceptor {
    private let gate: Gate

    /// Makes a step that lets requests pass when the gate is open.
    package init(gate: Gate) {
        self.gate = gate
    }

    package func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse {
        await gate.pass()
        return try await next(request)
    }
}

/// A value that threads change and tasks wait for.
package final class Watched<Value: Sendable>: Sendable {
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

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The current value.
    package var value: Value { state.withLock { $0.value } }

    /// Changes the value and resumes the tasks whose condition it fulfils.
    package func update(_ body: (inout Value) -> Void) {
        let ready = state.withLock { state in
            body(&state.value)
            return state.takeSatisfied().map { (state.value, $0.continuation) }
        }
        for (value, continuation) in ready {
            continuation.resume(returning: value)
        }
    }

    /// Waits until the value fulfils the condition, which is asked at every change.
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async -> Value {
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

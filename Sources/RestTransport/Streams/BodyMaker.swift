// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The task in which a streamed request body is made: owned by the call that sends the body, and cancelled with it.
///
/// Nobody awaits it. Who makes a body may take any time and may pay no heed to being cancelled; a call that waited for
/// it would outlive its deadline, and a stream could not hand out an answer that comes before the body's end.
package final class BodyMaker: Sendable {
    private enum State {
        /// Nothing is made yet.
        case idle
        /// The task runs, or has ended by itself.
        case started(Task<Void, Never>)
        /// The call is over: a task that starts now is cancelled at once.
        case cancelled
    }

    private let state = Mutex(State.idle)

    /// Makes a maker that does nothing yet.
    package init() {}

    /// Starts to make the body; to be called once.
    package func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isOver = state.withLock { state in
            if case .cancelled = state { return true }
            state = .started(task)
            return false
        }
        if isOver { task.cancel() }
    }

    /// Cancels the task; what the body's maker does about it runs in here, so no lock may be held.
    package func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state = .cancelled }
            if case .started(let task) = state { return task }
            return nil
        }
        task?.cancel()
    }
}

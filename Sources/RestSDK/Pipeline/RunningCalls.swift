// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The calls of one client that are under way, so that all of them can be ended at once.
final class RunningCalls: Sendable {
    private struct State {
        var isShutDown = false
        var calls: [ObjectIdentifier: CallLife] = [:]
    }

    private let state = Mutex(State())

    /// Whether the client was shut down.
    var isShutDown: Bool { state.withLock { $0.isShutDown } }

    /// Takes a call in.
    ///
    /// - Throws: ``RestError/Code/shutDown`` when the client was shut down.
    func begin(_ call: RequestContext) throws(RestError) {
        let isShutDown = state.withLock { state in
            if !state.isShutDown { state.calls[ObjectIdentifier(call.life)] = call.life }
            return state.isShutDown
        }
        if isShutDown { throw RestError(.shutDown, outcome: call.request.isWrite ? .notApplied : nil) }
    }

    /// The call is over.
    func end(_ call: RequestContext) {
        state.withLock { _ = $0.calls.removeValue(forKey: ObjectIdentifier(call.life)) }
    }

    /// Cancels every call that is under way.
    func cancelAll() {
        let calls = state.withLock { Array($0.calls.values) }
        for call in calls { call.interrupt(.cancelled) }
    }

    /// Ends every call that is under way, and takes no more.
    func shutDown() {
        let calls = state.withLock { state in
            state.isShutDown = true
            return Array(state.calls.values)
        }
        for call in calls { call.interrupt(.shutDown) }
    }
}

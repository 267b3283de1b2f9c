// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestTransport
import Synchronization

/// The calls of one client that are under way: they can be ended all at once, and each is ended when its time is up
/// while code of the app keeps it.
final class CallRegistry: LogoutListener {
    private struct State {
        var isShutDown = false
        var calls: [ObjectIdentifier: Call] = [:]
        var streams: [ObjectIdentifier: WeakStream] = [:]
    }

    /// A stream that ends when nobody can read it any more.
    private struct WeakStream {
        weak let body: StreamedBody?
    }

    /// How long the app's code has when the call's time is up: the SDK's own steps keep the deadline themselves, and
    /// the handlers of errors may want to see that failure too.
    static let grace: Duration = .milliseconds(100)

    private let state = Mutex(State())
    private let timer: WakeTimer

    init(clock: any MonotonicClock) {
        timer = WakeTimer("call deadlines", clock: clock)
    }

    /// Whether the client was shut down.
    var isShutDown: Bool { state.withLock { $0.isShutDown } }

    /// Takes a call in.
    ///
    /// - Throws: ``RestError/Code/shutDown`` when the client was shut down.
    func begin(_ call: Call) throws(RestError) {
        let isShutDown = state.withLock { state in
            if !state.isShutDown { state.calls[ObjectIdentifier(call)] = call }
            return state.isShutDown
        }
        if isShutDown { throw RestError(.shutDown, outcome: call.request.isWrite ? .notApplied : nil) }
    }

    /// The call is over.
    func end(_ call: Call) {
        state.withLock { _ = $0.calls.removeValue(forKey: ObjectIdentifier(call)) }
    }

    /// Takes in the body of a call whose head has come; its reader is told when the client ends it.
    func begin(_ body: StreamedBody) {
        let isShutDown = state.withLock { state in
            state.streams[ObjectIdentifier(body)] = WeakStream(body: body)
            return state.isShutDown
        }
        if isShutDown { body.end(.shutDown) }
    }

    /// The body was read, or nobody can read it any more.
    func end(_ body: ObjectIdentifier) {
        state.withLock { _ = $0.streams.removeValue(forKey: body) }
    }

    /// Cancels every call that is under way.
    func cancelAll() { endAll(.cancelled) }

    /// Ends every call that is under way, and takes no more.
    func shutDown() {
        state.withLock { $0.isShutDown = true }
        endAll(.shutDown)
    }

    /// Ends every call that is under way as `loggedOut`; later ones find that there is no account.
    func loggedOut() { endAll(.loggedOut) }

    private func endAll(_ ending: CallEnding) {
        let (calls, streams) = state.withLock { (Array($0.calls.values), Array($0.streams.values)) }
        for call in calls { call.end(ending) }
        for stream in streams { stream.body?.end(ending) }
    }

    /// Sees to it that a call ends when its time is up, though code that is at work for it ignores the end.
    func watch(_ call: Call) { wake(at: call.deadline + Self.grace) }

    private func wake(at instant: ContinuousClock.Instant) {
        timer.set(instant) { [weak self] now in self?.endCalls(late: now) }
    }

    /// Ends the calls whose time is up, and wakes again for the next.
    private func endCalls(late now: ContinuousClock.Instant) {
        let calls = state.withLock { Array($0.calls.values) }
        for call in calls where call.deadline + Self.grace <= now { call.end(.timedOut) }
        let next = calls.lazy.map { $0.deadline + Self.grace }.filter { $0 > now }.min()
        if let next { wake(at: next) }
    }
}

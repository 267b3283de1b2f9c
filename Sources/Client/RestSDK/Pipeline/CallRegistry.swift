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

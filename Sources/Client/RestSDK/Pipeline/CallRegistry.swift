// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestTransport
import Synchronization

/// Work of a client that takes many calls, such as event subscriptions, and ends with the client or its login.
package protocol ClientWork: AnyObject, Sendable {
    /// Ends everything in progress with the error that the client's calls get.
    ///
    /// - Parameter error: ``RestError/Code/cancelled``, ``RestError/Code/shutDown`` or ``RestError/Code/loggedOut``.
    func end(_ error: RestError)
}

/// The active calls of a client, which can all be ended together, and are ended after their deadline if app code hangs.
final class CallRegistry: LogoutListener {
    private struct State {
        var isShutDown = false
        var calls: [ObjectIdentifier: Call] = [:]
        var streams: [ObjectIdentifier: WeakStream] = [:]
        /// The work of other modules, by its type.
        var works: [ObjectIdentifier: any ClientWork] = [:]
    }

    /// A stream that ends when its last reader releases it.
    private struct WeakStream {
        weak let body: StreamedBody?
    }

    /// The time that app code has after the deadline, for example for error handlers that receive the timeout.
    ///
    /// The SDK's own steps respect the deadline themselves.
    static let grace: Duration = .milliseconds(100)

    private let state = Mutex(State())
    private let timer: WakeTimer

    init(clock: any MonotonicClock) { timer = WakeTimer("call deadlines", clock: clock) }

    var isShutDown: Bool { state.withLock { $0.isShutDown } }

    /// Adds a call.
    ///
    /// - Throws: ``RestError/Code/shutDown`` after the client was shut down.
    func begin(_ call: Call) throws(RestError) {
        let isShutDown = state.withLock { state in
            if !state.isShutDown { state.calls[ObjectIdentifier(call)] = call }
            return state.isShutDown
        }
        if isShutDown { throw RestError(.shutDown, outcome: call.request.isWrite ? .notApplied : nil) }
    }

    func end(_ call: Call) {
        state.withLock { _ = $0.calls.removeValue(forKey: ObjectIdentifier(call)) }
    }

    /// Adds the body of a call whose head has arrived, so that the client can end it.
    func begin(_ body: StreamedBody) {
        let isShutDown = state.withLock { state in
            state.streams[ObjectIdentifier(body)] = WeakStream(body: body)
            return state.isShutDown
        }
        if isShutDown { body.end(.shutDown) }
    }

    /// Removes a body that was read or has no readers.
    func end(_ body: ObjectIdentifier) {
        state.withLock { _ = $0.streams.removeValue(forKey: body) }
    }

    /// Cancels all active calls.
    func cancelAll() { endAll(.cancelled) }

    /// Ends all active calls and rejects later ones.
    func shutDown() {
        state.withLock { $0.isShutDown = true }
        endAll(.shutDown)
    }

    /// Ends all active calls as `loggedOut`, while later calls fail without an account.
    func loggedOut() { endAll(.loggedOut) }

    private func endAll(_ ending: CallEnding) {
        let (calls, streams, works) = state.withLock {
            (Array($0.calls.values), Array($0.streams.values), Array($0.works.values))
        }
        for work in works { work.end(RestError(ending, outcome: nil)) }
        for call in calls { call.end(ending) }
        for stream in streams { stream.body?.end(ending) }
    }

    /// Returns the client's work of a type, which is made for its first caller.
    func work<Work: ClientWork>(_ make: () -> Work) -> Work {
        state.withLock { state in
            if let known = state.works[ObjectIdentifier(Work.self)] as? Work { return known }
            let work = make()
            state.works[ObjectIdentifier(Work.self)] = work
            return work
        }
    }

    /// Ends the call shortly after its deadline, even if app code ignores cancellation.
    func watch(_ call: Call) { wake(at: call.deadline + Self.grace) }

    private func wake(at instant: ContinuousClock.Instant) {
        timer.set(instant) { [weak self] now in self?.endCalls(late: now) }
    }

    /// Ends the calls whose time is up, and sets the timer for the next one.
    private func endCalls(late now: ContinuousClock.Instant) {
        let calls = state.withLock { Array($0.calls.values) }
        for call in calls where call.deadline + Self.grace <= now { call.end(.timedOut) }
        let next = calls.lazy.map { $0.deadline + Self.grace }.filter { $0 > now }.min()
        if let next { wake(at: next) }
    }
}

/// A timer that is shared by several waiters and fires at the earliest of its times.
///
/// Its task is unstructured, because it does not belong to a single call. It ends when the timer fires or is released,
/// and when an earlier time replaces it.
final class WakeTimer: Sendable {
    private struct State {
        /// The time at which the task wakes, or `nil` if there is no task.
        var wake: ContinuousClock.Instant?
        /// The task, which is `nil` for a moment while it is created.
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let name: String
    private let clock: any MonotonicClock

    init(_ name: String, clock: any MonotonicClock) {
        self.name = name
        self.clock = clock
    }

    deinit { state.withLock { $0.task }?.cancel() }

    /// Calls `work` at the given time, unless the timer is already set to an earlier time.
    ///
    /// `work` receives the current time, and must not retain the owner of the timer.
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
            // An earlier time was set meanwhile, or this task has already woken.
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

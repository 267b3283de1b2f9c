// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// The host's own code at work for one call: its interceptors, or its handlers of errors.
///
/// It runs in a task of its own, because a child task cannot be left behind. When the call is cancelled or its time is
/// up, the task is cancelled, and the call goes on without it. Code that never returns keeps this one task and sends
/// nothing any more.
final class HostWork<Value: Sendable>: Sendable {
    /// What the call goes on with.
    enum Outcome: Sendable {
        /// What the host's code came to.
        case value(Value)
        /// Nothing: the call was ended while the host's code was at work.
        case abandoned(CallState.Ending)
    }

    private struct Core {
        var state = HostWorkState()
        var waiter: CheckedContinuation<Outcome, Never>?
        /// What the call goes on with that was ended before it waited.
        var early: Outcome?
        /// The work, and the alarm at the deadline; missing for the moment in which they are made.
        var tasks: (work: Task<Void, Never>, alarm: Task<Void, Never>)?
    }

    private let core = Mutex(Core())

    private init() {}

    /// Runs the host's code until it is done or the call ends.
    ///
    /// - Parameters:
    ///   - life: is told when the deadline ends the call, so that nothing is sent any more.
    ///   - deadline: when the call ends.
    ///   - clock: measures it.
    ///   - work: the host's code, given the work itself to tell when the SDK's own steps go on.
    static func outcome(
        in life: CallLife, until deadline: ContinuousClock.Instant, clock: any MonotonicClock,
        of work: @escaping @Sendable (HostWork) async -> Value
    ) async -> Outcome {
        let host = HostWork()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { host.start(work, in: life, until: deadline, clock, waiter: $0) }
        } onCancel: {
            host.end(.cancelled)
        }
    }

    /// The host's code lets the SDK's own steps go on.
    func stepsBegin() {
        core.withLock { $0.state.stepsBegin() }
    }

    /// The SDK's own steps are over.
    func stepsEnd() {
        let ending = core.withLock { $0.state.stepsEnd() }
        if let ending { abandon(ending) }
    }

    private func start(
        _ work: @escaping @Sendable (HostWork) async -> Value, in life: CallLife,
        until deadline: ContinuousClock.Instant, _ clock: any MonotonicClock,
        waiter: CheckedContinuation<Outcome, Never>
    ) {
        let early = core.withLock { core in
            if core.early == nil { core.waiter = waiter }
            return core.early
        }
        if let early { return waiter.resume(returning: early) }
        let working = Task(name: "host") { finish(await work(self)) }
        let alarm = Task(name: "host deadline") {
            guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
            life.end(.timedOut)
            end(.timedOut)
        }
        let isOver = core.withLock { core in
            core.tasks = (working, alarm)
            return core.state.phase == .over
        }
        if isOver {
            working.cancel()
            alarm.cancel()
        }
    }

    private func end(_ ending: CallState.Ending) {
        let (isAbandoned, tasks) = core.withLock { ($0.state.end(ending), $0.tasks) }
        if isAbandoned { return abandon(ending) }
        // The steps heed the deadline by themselves, and say then that it passed.
        if ending == .cancelled { tasks?.work.cancel() }
    }

    private func abandon(_ ending: CallState.Ending) {
        core.withLock { $0.tasks }?.work.cancel()
        resume(.abandoned(ending))
    }

    private func finish(_ value: Value) {
        if core.withLock({ $0.state.finish() }) { resume(.value(value)) }
    }

    private func resume(_ outcome: Outcome) {
        let (waiter, alarm) = core.withLock { core in
            defer { core.waiter = nil }
            if core.waiter == nil { core.early = outcome }
            return (core.waiter, core.tasks?.alarm)
        }
        alarm?.cancel()
        waiter?.resume(returning: outcome)
    }
}

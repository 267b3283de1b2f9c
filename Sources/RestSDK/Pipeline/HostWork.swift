// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// The host's own code at work for one call: its interceptors, its handlers of errors, or its types that are read out
/// of a long answer.
///
/// It runs in a task of its own, because a child task cannot be left behind. When the call is cancelled or its time is
/// up, the task is cancelled, and the call goes on without it. Code that never returns keeps this one task and sends
/// nothing any more.
final class HostWork<Value>: Sendable {
    /// What the call goes on with.
    enum Outcome {
        /// What the host's code came to.
        case value(Value)
        /// Nothing: the call was ended while the host's code was at work.
        case abandoned(CallState.Ending)
    }

    private typealias Tasks = (work: Task<Void, Never>, alarm: Task<Void, Never>)

    private struct Core {
        var state = HostWorkState()
        var waiter: CheckedContinuation<Outcome, Never>?
        /// What ended the call before it waited.
        var early: CallState.Ending?
        /// The work, and the alarm at the deadline; missing for the moment in which they are made.
        var tasks: Tasks?

        /// Whom to resume, and the tasks that are not needed then.
        mutating func takeWaiter() -> (waiter: CheckedContinuation<Outcome, Never>?, tasks: Tasks?) {
            defer { waiter = nil }
            return (waiter, tasks)
        }
    }

    private let core = Mutex(Core())

    /// Runs the host's code until it is done or the call ends; once only.
    ///
    /// - Parameters:
    ///   - life: is told when the deadline ends the call, so that nothing is sent any more, and knows what else did.
    ///   - deadline: when the call ends.
    ///   - clock: measures it.
    ///   - work: the host's code, given the work itself to tell when the SDK's own steps go on.
    func outcome(
        in life: CallLife, until deadline: ContinuousClock.Instant, clock: any MonotonicClock,
        of work: @escaping @Sendable (HostWork) async -> sending Value
    ) async -> Outcome {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { start(work, in: life, until: deadline, clock, waiter: $0) }
        } onCancel: {
            end(.cancelled)
        }
        guard case .abandoned(let ending) = outcome else { return outcome }
        // A shutdown reaches this work as a cancellation of its task.
        return .abandoned(life.ending ?? ending)
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
        _ work: @escaping @Sendable (HostWork) async -> sending Value, in life: CallLife,
        until deadline: ContinuousClock.Instant, _ clock: any MonotonicClock,
        waiter: CheckedContinuation<Outcome, Never>
    ) {
        let early = core.withLock { core in
            if core.early == nil { core.waiter = waiter }
            return core.early
        }
        if let early { return waiter.resume(returning: .abandoned(early)) }
        let working = Task(name: "host") { finish(await work(self)) }
        let alarm = Task(name: "host deadline") {
            guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
            life.end(.timedOut)
            end(.timedOut)
        }
        let state = core.withLock { core in
            core.tasks = (working, alarm)
            return core.state
        }
        // The call may have been ended while there were no tasks to cancel.
        if state.cancelsWork { working.cancel() }
        if state.phase == .over { alarm.cancel() }
    }

    /// The call is ended from outside.
    func end(_ ending: CallState.Ending) {
        let (isAbandoned, work) = core.withLock { core in
            (core.state.end(ending), core.state.cancelsWork ? core.tasks?.work : nil)
        }
        if isAbandoned { return abandon(ending) }
        work?.cancel()
    }

    private func abandon(_ ending: CallState.Ending) {
        let (waiter, tasks) = core.withLock { core in
            if core.waiter == nil { core.early = ending }
            return core.takeWaiter()
        }
        tasks?.work.cancel()
        tasks?.alarm.cancel()
        waiter?.resume(returning: .abandoned(ending))
    }

    private func finish(_ value: sending Value) {
        guard let (waiter, tasks) = core.withLock({ $0.state.finish() ? $0.takeWaiter() : nil }) else { return }
        tasks?.alarm.cancel()
        waiter?.resume(returning: .value(value))
    }
}

extension HostWork.Outcome: Sendable where Value: Sendable {}

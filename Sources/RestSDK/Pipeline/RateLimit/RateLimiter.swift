// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Lets a client's requests start by its limits: a lock around the rules, the waiters, and one timer.
final class RateLimiter: Sendable {
    private typealias Release = RateLimiterState.Release

    private struct Core {
        var state: RateLimiterState
        var waiters: [UInt64: CheckedContinuation<Release, Never>] = [:]
        var last: UInt64 = 0
        /// When the timer that is set wakes.
        var wake: ContinuousClock.Instant?
        /// Missing for the moment in which it is made.
        var timer: Task<Void, Never>?

        /// When a timer must be set; `nil` when the one that is set wakes early enough, or nobody waits.
        mutating func nextWake() -> ContinuousClock.Instant? {
            guard let next = state.nextRelease, wake.map({ next < $0 }) ?? true else { return nil }
            wake = next
            return next
        }
    }

    private let core: Mutex<Core>
    private let clock: any MonotonicClock

    init(limits: RateLimits, clock: any MonotonicClock) {
        core = Mutex(Core(state: RateLimiterState(limits: limits)))
        self.clock = clock
    }

    deinit {
        core.withLock { $0.timer }?.cancel()
    }

    /// What the org told last of its daily allowance.
    var allowance: APIAllowance? { core.withLock { $0.state.allowance } }

    /// How many wait in line.
    var waiting: Int { core.withLock { $0.state.waiting } }

    /// How many may be under way since the org called us too many; `nil` while it does not.
    var ceiling: Int? { core.withLock { $0.state.ceiling } }

    /// Waits until an attempt of the call may start.
    ///
    /// - Throws: ``RestError``: cancelled or timed out while waiting, or refused because the org's daily calls are used
    ///   up.
    func enter(_ context: RequestContext) async throws(RestError) {
        let request = context.request
        let now = clock.now
        let (answer, number) = core.withLock { core in
            core.last += 1
            return (core.state.ask(isUrgent: request.ignoresLimits, at: now), core.last)
        }
        let outcome: WriteOutcome? = request.isWrite ? .notApplied : nil
        switch answer {
        case .start: return
        case .refuse(let allowance): throw RestError(spent: allowance, outcome: outcome)
        case .wait: break
        }
        let release = await context.life.whileInterruptible {
            self.abandon(number)
        } during: {
            await withTaskCancellationHandler {
                await withCheckedContinuation { wait(as: number, until: context.deadline, in: context.life, $0) }
            } onCancel: {
                abandon(number)
            }
        }
        switch release {
        case .start: return
        case .cancelled: throw RestError(.cancelled, outcome: outcome)
        case .timedOut: throw RestError(.timedOut, outcome: outcome)
        }
    }

    /// The request is over.
    ///
    /// - Returns: what the org told of its allowance, if that is news.
    func leave(_ ending: RateLimiterState.Ending, learning allowance: APIAllowance?) -> APIAllowance? {
        let (isNews, waitsForPlace) = core.withLock { core in
            core.state.ended(ending)
            return (allowance.map { core.state.learn($0) } ?? false, core.state.waiting > 0)
        }
        if waitsForPlace { releaseWaiters(at: clock.now) }
        return isNews ? allowance : nil
    }
}

extension RateLimiter {
    /// Stands in line; the continuation is kept in the same critical section, so that no release can miss it.
    private func wait(
        as number: UInt64, until deadline: ContinuousClock.Instant, in life: CallLife,
        _ continuation: CheckedContinuation<Release, Never>
    ) {
        let now = clock.now
        core.withLock { core in
            // The line may have become free meanwhile; the release below starts whoever may then.
            core.waiters[number] = continuation
            core.state.join(number, deadline: deadline)
        }
        releaseWaiters(at: now)
        // A cancellation that came before the continuation was kept found nobody to let go.
        if Task.isCancelled || life.ending != nil { abandon(number) }
    }

    private func abandon(_ number: UInt64) {
        let waiter = core.withLock { core in
            core.state.abandon(number) ? core.waiters.removeValue(forKey: number) : nil
        }
        waiter?.resume(returning: .cancelled)
    }

    /// Lets go who may start and whose deadline passed, and sets the timer for the next.
    private func releaseWaiters(at now: ContinuousClock.Instant) {
        let (released, wake) = core.withLock { core in
            let released = core.state.release(at: now).compactMap { number, release in
                core.waiters.removeValue(forKey: number).map { ($0, release) }
            }
            return (released, core.nextWake())
        }
        for (waiter, release) in released { waiter.resume(returning: release) }
        if let wake { setTimer(wake) }
    }

    /// Unstructured, because it belongs to no single call: it ends at the next deadline of the line, with an earlier
    /// timer or with the client, whichever comes first.
    private func setTimer(_ wake: ContinuousClock.Instant) {
        let timer = Task(name: "rate limit") { [weak self, clock] in
            try? await clock.sleep(until: wake, tolerance: nil)
            if !Task.isCancelled { self?.timerWoke(wake) }
        }
        let needless = core.withLock { core in
            // An earlier one was set meanwhile, or this one has woken already.
            guard core.wake == wake else { return Optional(timer) }
            defer { core.timer = timer }
            return core.timer
        }
        needless?.cancel()
    }

    private func timerWoke(_ wake: ContinuousClock.Instant) {
        core.withLock { core in
            guard core.wake == wake else { return }
            (core.wake, core.timer) = (nil, nil)
        }
        releaseWaiters(at: clock.now)
    }
}

extension RestError {
    fileprivate init(spent allowance: APIAllowance, outcome: WriteOutcome?) {
        self.init(
            .rateLimited, "not sent: \(allowance), and the rest is reserved for others; wait, or lower the reserve",
            outcome: outcome)
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Lets a client's requests start by its limits: a lock around the rules and the waiters, and one timer.
final class RateLimiter: Sendable {
    private typealias Release = RateLimiterState.Release

    private struct Core {
        var state: RateLimiterState
        var waiters: [UInt64: CheckedContinuation<Release, Never>] = [:]
        var last: UInt64 = 0
    }

    /// How an attempt may start.
    enum Admission: Sendable {
        /// Now, at once or after a wait, as the attempt of this number.
        case start(UInt64), startAfterWait(UInt64)
        /// Not at all: its caller does not want it any more, or its deadline passed.
        case cancelled, timedOut
        /// Not at all: the org's daily calls are used up but for the reserve.
        case refused(APIAllowance)
    }

    private let core: Mutex<Core>
    private let clock: any MonotonicClock
    private let timer: WakeTimer

    init(limits: RateLimits, clock: any MonotonicClock) {
        core = Mutex(Core(state: RateLimiterState(limits: limits)))
        self.clock = clock
        timer = WakeTimer("rate limit", clock: clock)
    }

    /// What the org reported last of its daily allowance.
    var allowance: APIAllowance? { core.withLock { $0.state.allowance } }

    /// How many requests wait in the queue.
    var waiting: Int { core.withLock { $0.state.waiting } }

    /// How many may be under way since the org called us too many; `nil` while it does not.
    var ceiling: Int? { core.withLock { $0.state.ceiling } }

    /// An attempt wants to start.
    ///
    /// - Parameter isUrgent: whether it starts whatever the limits are.
    /// - Returns: whether it starts, or why not; `nil` when it has to ``wait(until:)``.
    func ask(isUrgent: Bool) -> Admission? {
        let now = clock.now
        switch core.withLock({ $0.state.ask(isUrgent: isUrgent, at: now) }) {
        case .start(let attempt): return .start(attempt)
        case .refuse(let allowance): return .refused(allowance)
        case .wait: return nil
        }
    }

    /// Waits until an attempt may start.
    ///
    /// - Parameter deadline: how long it may wait.
    /// - Returns: whether it starts, or why not.
    func wait(until deadline: ContinuousClock.Instant) async -> Admission {
        let number = core.withLock { core in
            core.last += 1
            return core.last
        }
        let release = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(as: number, until: deadline, $0) }
        } onCancel: {
            abandon(number)
        }
        switch release {
        case .start(let attempt): return .startAfterWait(attempt)
        case .refuse(let allowance): return .refused(allowance)
        case .cancelled: return .cancelled
        case .timedOut: return .timedOut
        }
    }

    /// The attempt of this number is over.
    ///
    /// - Parameters:
    ///   - attempt: the number.
    ///   - ending: how it ended.
    ///   - allowance: what its response says of the org's allowance.
    ///   - mayBeCounted: whether the org may have counted it.
    /// - Returns: the allowance, if it is news.
    func leave(
        _ attempt: UInt64, _ ending: RateLimiterState.Ending, learning allowance: APIAllowance?, mayBeCounted: Bool
    ) -> APIAllowance? {
        let now = clock.now
        let (isNews, waitsForPlace) = core.withLock { core in
            core.state.ended(attempt, ending, mayBeCounted: mayBeCounted)
            let isNews = allowance.map { core.state.learn($0, from: attempt, at: now) } ?? false
            return (isNews, core.state.waiting > 0)
        }
        if waitsForPlace { releaseWaiters(at: now) }
        return isNews ? allowance : nil
    }
}

extension RateLimiter {
    /// Waits in the queue; the continuation is kept in the same critical section, so that no release can miss it.
    private func wait(
        as number: UInt64, until deadline: ContinuousClock.Instant,
        _ continuation: CheckedContinuation<Release, Never>
    ) {
        let now = clock.now
        core.withLock { core in
            // The queue may have become free meanwhile; the release below starts the requests that may start.
            core.waiters[number] = continuation
            core.state.join(number, deadline: deadline)
        }
        releaseWaiters(at: now)
        // A cancellation that came before the continuation was kept found nobody to let go.
        if Task.isCancelled { abandon(number) }
    }

    private func abandon(_ number: UInt64) {
        let waiter = core.withLock { core in
            core.state.abandon(number) ? core.waiters.removeValue(forKey: number) : nil
        }
        waiter?.resume(returning: .cancelled)
    }

    /// Resumes the requests that can start, must fail or have timed out, and sets the timer for the next.
    private func releaseWaiters(at now: ContinuousClock.Instant) {
        let (released, wake) = core.withLock { core in
            let released = core.state.release(at: now).compactMap { number, release in
                core.waiters.removeValue(forKey: number).map { ($0, release) }
            }
            return (released, core.state.nextRelease)
        }
        for (waiter, release) in released { waiter.resume(returning: release) }
        if let wake { timer.set(wake) { [weak self] now in self?.releaseWaiters(at: now) } }
    }
}

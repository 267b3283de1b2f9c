// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

/// Delays attempts by the client's own limits, and records the limits that the org reports.
struct RateLimiting: Sendable {
    let limiter: RateLimiter
    let observer: Observer

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        let attempt: UInt64
        if let admission = limiter.ask(isUrgent: context.request.ignoresLimits) {
            attempt = try admit(admission, context.call)
        } else {
            attempt = try await wait(context.call)
        }
        do {
            let response = try await next(request)
            leave(attempt, .succeeded, response.head, context.call)
            return response
        } catch {
            leave(
                attempt, error.isConcurrencyLimit ? .crowded : .failed, error.response, context.call,
                wasLost: (error.underlying as? TransportError)?.mayHaveReachedServer ?? false)
            throw error
        }
    }

    /// Not inlined, like `leave`, to keep its locals out of the caller's async frame.
    @inline(never)
    private func wait(_ call: Call) async throws(RestError) -> UInt64 {
        try admit(await observer.wait(call, Self.event) { await limiter.wait(until: call.deadline) }, call)
    }

    /// Returns the number of the attempt, or throws if it may not start.
    private func admit(_ admission: RateLimiterState.Admission, _ call: Call) throws(RestError) -> UInt64 {
        let outcome: RestError.WriteOutcome? = call.request.isWrite ? .notApplied : nil
        switch admission {
        case .start(let attempt): return attempt
        case .cancelled: throw RestError(.cancelled, outcome: outcome)
        case .timedOut: throw RestError(.timedOut, outcome: outcome)
        case .refuse(let allowance):
            throw RestError(
                .rateLimited,
                "not sent: \(allowance), and the rest is reserved; wait, or lower RestClient.RateLimits.reserve",
                outcome: outcome)
        }
    }

    private static func event(_ admission: RateLimiterState.Admission, _ duration: Duration) -> RestEvent.Kind? {
        switch admission {
        case .start, .timedOut: .waitedForLimits(duration: duration)
        case .cancelled, .refuse: nil
        }
    }

    /// `wasLost` is true if the attempt may have reached the org but its response is lost.
    @inline(never)
    private func leave(
        _ attempt: UInt64, _ ending: RateLimiterState.Ending, _ head: HTTPResponse.Head?, _ call: Call,
        wasLost: Bool = false
    ) {
        let allowance = head.flatMap { RestClient.APIAllowance(in: $0.fields) }
        let news = limiter.leave(
            attempt, ending, learning: allowance, mayBeCounted: allowance != nil || (head == nil && wasLost))
        guard let news else { return }
        observer.report(.allowance(news), call)
    }
}

/// Applies the limits of a client with a lock around the rules and the waiters, and one timer.
final class RateLimiter: Sendable {
    private typealias Admission = RateLimiterState.Admission

    private struct Core {
        var state: RateLimiterState
        var waiters: [UInt64: AwaitedValue<Admission>] = [:]
        var last: UInt64 = 0
    }

    private let core: Mutex<Core>
    private let clock: any MonotonicClock
    private let timer: WakeTimer

    init(limits: RestClient.RateLimits, clock: any MonotonicClock) {
        core = Mutex(Core(state: RateLimiterState(limits: limits)))
        self.clock = clock
        timer = WakeTimer("rate limit", clock: clock)
    }

    var allowance: RestClient.APIAllowance? { core.withLock { $0.state.allowance } }

    var waiting: Int { core.withLock { $0.state.waiting } }

    /// The maximum number of requests in flight after the org reported too many, or `nil` if it does not.
    var ceiling: Int? { core.withLock { $0.state.ceiling } }

    /// Returns the decision about an attempt, or `nil` if it must ``wait(until:)``.
    func ask(isUrgent: Bool) -> RateLimiterState.Admission? {
        let now = clock.now
        return core.withLock { $0.state.ask(isUrgent: isUrgent, at: now) }
    }

    /// Waits until an attempt may start or must fail.
    func wait(until deadline: ContinuousClock.Instant) async -> RateLimiterState.Admission {
        let awaited = AwaitedValue<Admission>()
        let number = core.withLock { core in
            core.last += 1
            core.waiters[core.last] = awaited
            core.state.join(core.last, deadline: deadline)
            return core.last
        }
        // The queue may have become free meanwhile.
        releaseWaiters(at: clock.now)
        return await withTaskCancellationHandler {
            await awaited.value()
        } onCancel: {
            abandon(number)
        }
    }

    /// Records the end of an attempt, and returns the API usage in its response if it has changed.
    func leave(
        _ attempt: UInt64, _ ending: RateLimiterState.Ending, learning allowance: RestClient.APIAllowance?,
        mayBeCounted: Bool
    ) -> RestClient.APIAllowance? {
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
    private func abandon(_ number: UInt64) {
        let waiter = core.withLock { core in
            core.state.abandon(number) ? core.waiters.removeValue(forKey: number) : nil
        }
        waiter?.resolve(.cancelled)
    }

    /// Resumes the requests that can start, must fail or have timed out, and sets the timer for the next request.
    private func releaseWaiters(at now: ContinuousClock.Instant) {
        let (released, wake) = core.withLock { core in
            let released = core.state.release(at: now).compactMap { number, release in
                core.waiters.removeValue(forKey: number).map { ($0, release) }
            }
            return (released, core.state.nextRelease)
        }
        for (waiter, release) in released { waiter.resolve(release) }
        if let wake { timer.set(wake) { [weak self] now in self?.releaseWaiters(at: now) } }
    }
}

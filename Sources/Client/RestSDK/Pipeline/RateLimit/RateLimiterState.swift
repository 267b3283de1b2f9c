// SPDX-License-Identifier: Apache-2.0

/// The rules of the client's own limits, as a value without I/O, clocks or locks.
///
/// Requests wait in one queue and start in its order, so that no request is passed over. Rules are applied when a
/// request starts, not when it begins to wait.
struct RateLimiterState {
    enum Admission: Equatable {
        /// Start now, as the attempt with this number.
        case start(UInt64)
        /// Fail, because the org's daily calls are used up except for the reserve.
        case refuse(RestClient.APIAllowance)
        case timedOut
        case cancelled
    }

    /// The result of an attempt for the limits.
    enum Ending: Equatable {
        case succeeded
        case failed
        /// The org rejected the request because too many long requests are running.
        case crowded
    }

    private struct Waiter {
        let number: UInt64
        let deadline: ContinuousClock.Instant
    }

    /// The interval at which one request is sent although the daily calls are used up.
    static let probeInterval = Duration.seconds(60)

    private let limits: RestClient.RateLimits
    private var line: [Waiter] = []
    private(set) var running = 0
    /// The number of the last attempt that started, counted from 1.
    private var lastStart: UInt64 = 0
    /// The start times of the last requests, oldest first, up to the maximum number per second.
    private var starts: [ContinuousClock.Instant] = []
    /// A lower bound of the deadlines in the queue.
    private var firstDeadline: ContinuousClock.Instant?
    private(set) var allowance: RestClient.APIAllowance?
    /// The time of the last report, or of the start of a request that asks again.
    private var lastReport: ContinuousClock.Instant?
    /// The number of the last attempt that had started before the last report.
    private var lastReported: UInt64 = 0
    /// The number of later attempts that the org may have counted.
    private var unreported = 0
    /// The maximum number in flight after the org reported too many, which grows by one after this many successes.
    private(set) var ceiling: Int?
    private var successes = 0

    init(limits: RestClient.RateLimits) { self.limits = limits }

    var waiting: Int { line.count }

    /// Returns the decision about a request, or `nil` if it must wait in the queue, unless it is urgent.
    mutating func ask(isUrgent: Bool = false, at now: ContinuousClock.Instant) -> Admission? {
        if !isUrgent {
            if let spent = spentAllowance(at: now) { return .refuse(spent) }
            guard line.isEmpty, canStart(at: now) else { return nil }
        }
        return .start(start(at: now, isUrgent: isUrgent))
    }

    /// Adds a request to the queue until its deadline.
    mutating func join(_ number: UInt64, deadline: ContinuousClock.Instant) {
        line.append(Waiter(number: number, deadline: deadline))
        firstDeadline = firstDeadline.map { min($0, deadline) } ?? deadline
    }

    /// Records the end of an attempt.
    ///
    /// The org did not count it if nothing was sent, or if the response does not report the usage.
    mutating func ended(_ attempt: UInt64, _ ending: Ending, mayBeCounted: Bool = true) {
        switch ending {
        case .crowded:
            ceiling = max(1, running / 2)
            successes = 0
        case .succeeded: recover()
        case .failed: break
        }
        running -= 1
        if !mayBeCounted, attempt > lastReported { unreported -= 1 }
    }

    /// Removes a request from the queue, and returns `false` if the queue does not contain it.
    mutating func abandon(_ number: UInt64) -> Bool {
        guard let index = line.firstIndex(where: { $0.number == number }) else { return false }
        line.remove(at: index)
        return true
    }

    /// Removes the requests from the queue that can start, must fail or have timed out.
    mutating func release(at now: ContinuousClock.Instant) -> [(number: UInt64, release: Admission)] {
        var released: [(number: UInt64, release: Admission)] = []
        if let firstDeadline, firstDeadline <= now {
            released = line.filter { $0.deadline <= now }.map { ($0.number, .timedOut) }
            line.removeAll { $0.deadline <= now }
            self.firstDeadline = line.map(\.deadline).min()
        }
        var count = 0
        while count < line.count, canStart(at: now) {
            let release = spentAllowance(at: now).map(Admission.refuse) ?? .start(start(at: now, isUrgent: false))
            released.append((line[count].number, release))
            count += 1
        }
        line.removeFirst(count)
        if line.isEmpty { firstDeadline = nil }
        return released
    }

    /// The next time ``release(at:)`` must run even without other events, or `nil` if the queue is empty.
    var nextRelease: ContinuousClock.Instant? {
        guard let firstDeadline, !line.isEmpty else { return nil }
        guard running < places, let nextStart else { return firstDeadline }
        return min(firstDeadline, nextStart)
    }

    /// Records the org's report in the response to an attempt, and returns whether it changed by at least one percent.
    ///
    /// Responses can arrive out of order. A smaller number of used calls is therefore ignored, unless its attempt
    /// started after the last report.
    mutating func learn(_ allowance: RestClient.APIAllowance, from attempt: UInt64, at now: ContinuousClock.Instant)
        -> Bool
    {
        let before = self.allowance
        if let before, attempt <= lastReported, before.allowed == allowance.allowed, allowance.used < before.used {
            return false
        }
        self.allowance = allowance
        (lastReport, lastReported, unreported) = (now, lastStart, 0)
        return before?.allowed != allowance.allowed || before?.percentUsed != allowance.percentUsed
    }
}

extension RateLimiterState {
    private var places: Int { min(limits.concurrent ?? .max, ceiling ?? .max) }

    /// The earliest time for the next start by the maximum per second, or `nil` for now.
    private var nextStart: ContinuousClock.Instant? {
        guard let perSecond = limits.perSecond, starts.count >= perSecond else { return nil }
        return starts[0] + .seconds(1)
    }

    private func canStart(at now: ContinuousClock.Instant) -> Bool {
        running < places && nextStart.map { $0 <= now } ?? true
    }

    private mutating func start(at now: ContinuousClock.Instant, isUrgent: Bool) -> UInt64 {
        if !isUrgent, spentAllowance != nil { lastReport = now }
        running += 1
        unreported += 1
        lastStart += 1
        if let perSecond = limits.perSecond {
            starts.append(now)
            if starts.count > perSecond { starts.removeFirst(starts.count - perSecond) }
        }
        return lastStart
    }

    private mutating func recover() {
        guard let ceiling else { return }
        successes += 1
        guard successes >= ceiling else { return }
        successes = 0
        self.ceiling = ceiling < 1_000 ? ceiling + 1 : nil
    }

    /// The usage, including requests since the last report, if it is used up except for the reserve.
    private var spentAllowance: RestClient.APIAllowance? {
        guard let reserve = limits.reserve, let allowance else { return nil }
        let used = RestClient.APIAllowance(
            used: allowance.used + unreported, allowed: allowance.allowed, app: allowance.app)
        return used.left <= reserve ? used : nil
    }

    /// The usage if it is used up and no probe is due.
    private func spentAllowance(at now: ContinuousClock.Instant) -> RestClient.APIAllowance? {
        guard let lastReport, now - lastReport < Self.probeInterval else { return nil }
        return spentAllowance
    }
}

extension RestClient.APIAllowance {
    // Both numbers are small enough to be multiplied by a thousand.
    fileprivate var percentUsed: Int { used * 100 / max(1, allowed) }
}

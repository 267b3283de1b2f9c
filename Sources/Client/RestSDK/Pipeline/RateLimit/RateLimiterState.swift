// SPDX-License-Identifier: Apache-2.0

/// The rules of the client's own limits: a value without I/O, clocks or locks.
///
/// Requests wait in one queue and start in its order, so that none is passed over. Every rule is applied when a request
/// starts, not when it begins to wait.
struct RateLimiterState {
    /// Whether a request may start, at once or after it waited.
    enum Admission: Equatable {
        /// Start now, as the attempt of this number.
        case start(UInt64)
        /// Fail: the org's daily calls are used up but for the reserve.
        case refuse(RestClient.APIAllowance)
        /// Its deadline passed.
        case timedOut
        /// The caller does not want it any more.
        case cancelled
    }

    /// How a request that started ended, as far as limits are concerned.
    enum Ending: Equatable {
        case succeeded
        case failed
        /// The org refused it because too many of its requests run at once.
        case crowded
    }

    private struct Waiter {
        let number: UInt64
        let deadline: ContinuousClock.Instant
    }

    /// How often a request is let through when the allowance is used up.
    static let probeInterval = Duration.seconds(60)

    private let limits: RestClient.RateLimits
    private var line: [Waiter] = []
    private(set) var running = 0
    /// The number of the last attempt that started; they are counted from 1.
    private var lastStart: UInt64 = 0
    /// When the last requests started, as many as may start in a second; the oldest first.
    private var starts: [ContinuousClock.Instant] = []
    /// Not later than any deadline in the line.
    private var firstDeadline: ContinuousClock.Instant?
    /// What the org reported last.
    private(set) var allowance: RestClient.APIAllowance?
    /// When it did, or when a request started that asks anew.
    private var lastReport: ContinuousClock.Instant?
    /// The last attempt that had started by then.
    private var lastReported: UInt64 = 0
    /// How many attempts started since then that the org may have counted.
    private var unreported = 0
    /// How many may be under way since the org called us too many; grows by one with every so many successes.
    private(set) var ceiling: Int?
    private var successes = 0

    init(limits: RestClient.RateLimits) {
        self.limits = limits
    }

    /// How many requests wait in the queue.
    var waiting: Int { line.count }

    /// A request wants to start now.
    ///
    /// - Parameters:
    ///   - isUrgent: whether it starts whatever the limits are; it counts all the same.
    ///   - now: the present.
    /// - Returns: whether it starts or is rejected, or `nil` if it must wait in the queue.
    mutating func ask(isUrgent: Bool = false, at now: ContinuousClock.Instant) -> Admission? {
        if !isUrgent {
            if let spent = spentAllowance(at: now) { return .refuse(spent) }
            guard line.isEmpty, canStart(at: now) else { return nil }
        }
        return .start(start(at: now, isUrgent: isUrgent))
    }

    /// A request that was told to wait is in the queue until its deadline.
    mutating func join(_ number: UInt64, deadline: ContinuousClock.Instant) {
        line.append(Waiter(number: number, deadline: deadline))
        firstDeadline = firstDeadline.map { min($0, deadline) } ?? deadline
    }

    /// The attempt of this number is over.
    ///
    /// - Parameters:
    ///   - attempt: the number.
    ///   - ending: how it ended.
    ///   - mayBeCounted: whether the org may have counted it: it did not if nothing of it left, or if its response says
    ///     nothing of the allowance.
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

    /// A request leaves the queue; `false` if it was not in it any more.
    mutating func abandon(_ number: UInt64) -> Bool {
        guard let index = line.firstIndex(where: { $0.number == number }) else { return false }
        line.remove(at: index)
        return true
    }

    /// Takes out of the queue the requests that may start, must fail, or whose deadline passed.
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

    /// Takes in what the org reported with the response to an attempt.
    ///
    /// Responses may overtake each other. So a smaller number of used calls counts only if its attempt started after
    /// the last report.
    ///
    /// - Returns: whether it changed by a percent or more.
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

    /// When the next may start by the number of starts per second; `nil` for at once.
    private var nextStart: ContinuousClock.Instant? {
        guard let perSecond = limits.perSecond, starts.count >= perSecond else { return nil }
        return starts[0] + .seconds(1)
    }

    private func canStart(at now: ContinuousClock.Instant) -> Bool {
        running < places && nextStart.map { $0 <= now } ?? true
    }

    /// Starts an attempt.
    ///
    /// - Returns: its number.
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

    /// The allowance, if it is used up but for the reserve; requests that started since the org's last report count as
    /// used.
    private var spentAllowance: RestClient.APIAllowance? {
        guard let reserve = limits.reserve, let allowance else { return nil }
        let used = RestClient.APIAllowance(
            used: allowance.used + unreported, allowed: allowance.allowed, app: allowance.app)
        return used.left <= reserve ? used : nil
    }

    /// The allowance, if it is used up and no probe is due.
    private func spentAllowance(at now: ContinuousClock.Instant) -> RestClient.APIAllowance? {
        guard let lastReport, now - lastReport < Self.probeInterval else { return nil }
        return spentAllowance
    }
}

extension RestClient.APIAllowance {
    // Both lie in a range whose numbers can be multiplied by a thousand.
    fileprivate var percentUsed: Int { used * 100 / max(1, allowed) }
}

// SPDX-License-Identifier: Apache-2.0

/// The rules of the client's own limits: a value without I/O, clocks or locks.
///
/// Requests wait in one line and start in its order, so that none is passed over.
struct RateLimiterState {
    /// The answer to a request that wants to start.
    enum Answer: Equatable {
        /// Start now.
        case start
        /// Stand in line and wait for a ``Release``.
        case wait
        /// Fail: the org's daily calls are used up but for the reserve.
        case refuse(APIAllowance)
    }

    /// What became of a request that waited.
    enum Release: Equatable {
        /// Start now.
        case start
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

    private let limits: RateLimits
    private var line: [Waiter] = []
    private(set) var running = 0
    /// When the last requests started, as many as may start in a second; the oldest first.
    private var starts: [ContinuousClock.Instant] = []
    /// Not later than any deadline in the line.
    private var firstDeadline: ContinuousClock.Instant?
    private var lastProbe: ContinuousClock.Instant?
    /// What the org told last.
    private(set) var allowance: APIAllowance?
    /// How many may be under way since the org called us too many; grows by one with every so many successes.
    private(set) var ceiling: Int?
    private var successes = 0

    init(limits: RateLimits) {
        self.limits = limits
    }

    /// How many wait in line.
    var waiting: Int { line.count }

    /// A request wants to start now.
    ///
    /// - Parameters:
    ///   - isUrgent: whether it starts whatever the limits are; it counts all the same.
    ///   - now: the present.
    /// - Returns: whether it starts, waits in line or is refused.
    mutating func ask(isUrgent: Bool = false, at now: ContinuousClock.Instant) -> Answer {
        if !isUrgent {
            if let spent = spentAllowance(at: now) { return .refuse(spent) }
            guard line.isEmpty, canStart(at: now) else { return .wait }
        }
        start(at: now)
        return .start
    }

    /// A request that was told to wait stands in line until its deadline.
    mutating func join(_ number: UInt64, deadline: ContinuousClock.Instant) {
        line.append(Waiter(number: number, deadline: deadline))
        firstDeadline = firstDeadline.map { min($0, deadline) } ?? deadline
    }

    /// A request that started is over.
    mutating func ended(_ ending: Ending) {
        switch ending {
        case .crowded:
            ceiling = max(1, running / 2)
            successes = 0
        case .succeeded: recover()
        case .failed: break
        }
        running -= 1
    }

    /// A request leaves the line; `false` when it was not in it any more.
    mutating func abandon(_ number: UInt64) -> Bool {
        guard let index = line.firstIndex(where: { $0.number == number }) else { return false }
        line.remove(at: index)
        return true
    }

    /// Takes out of the line who may start and whose deadline passed.
    mutating func release(at now: ContinuousClock.Instant) -> [(number: UInt64, release: Release)] {
        var released: [(number: UInt64, release: Release)] = []
        if let firstDeadline, firstDeadline <= now {
            released = line.filter { $0.deadline <= now }.map { ($0.number, .timedOut) }
            line.removeAll { $0.deadline <= now }
            self.firstDeadline = line.map(\.deadline).min()
        }
        var count = 0
        while count < line.count, canStart(at: now) {
            start(at: now)
            released.append((line[count].number, .start))
            count += 1
        }
        line.removeFirst(count)
        if line.isEmpty { firstDeadline = nil }
        return released
    }

    /// When ``release(at:)`` has something to do though nothing happens before; `nil` when nobody waits.
    var nextRelease: ContinuousClock.Instant? {
        guard let firstDeadline, !line.isEmpty else { return nil }
        guard running < places, let nextStart else { return firstDeadline }
        return min(firstDeadline, nextStart)
    }

    /// Takes in what the org told; `true` when it changed by a percent or more.
    mutating func learn(_ allowance: APIAllowance) -> Bool {
        defer { self.allowance = allowance }
        guard let before = self.allowance else { return true }
        return before.allowed != allowance.allowed || before.percentUsed != allowance.percentUsed
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

    private mutating func start(at now: ContinuousClock.Instant) {
        running += 1
        guard let perSecond = limits.perSecond else { return }
        starts.append(now)
        if starts.count > perSecond { starts.removeFirst(starts.count - perSecond) }
    }

    private mutating func recover() {
        guard let ceiling else { return }
        successes += 1
        guard successes >= ceiling else { return }
        successes = 0
        self.ceiling = ceiling < 1_000 ? ceiling + 1 : nil
    }

    /// The allowance, if it is used up and no probe is due.
    private mutating func spentAllowance(at now: ContinuousClock.Instant) -> APIAllowance? {
        guard let reserve = limits.reserve, let allowance, allowance.left <= reserve else { return nil }
        guard let last = lastProbe, now - last < Self.probeInterval else {
            // The first refusal counts as a probe: what the org told is new.
            defer { lastProbe = now }
            return lastProbe == nil ? allowance : nil
        }
        return allowance
    }
}

extension APIAllowance {
    // Both lie in a range whose numbers can be multiplied by a thousand.
    fileprivate var percentUsed: Int { used * 100 / max(1, allowed) }
}

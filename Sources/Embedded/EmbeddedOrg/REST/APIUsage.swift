// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// The calls of the last 24 hours, as `Sforce-Limit-Info` shows them.
final class APIUsage: Sendable {
    /// The limit that is shown when none was configured; then no call is refused.
    static let shownAllowance = 15_000

    let allowance: Int
    private let isLimited: Bool
    private let clock: OrgClock
    private let calls = Mutex(RollingDay())

    init(limit: Int?, clock: OrgClock) {
        allowance = max(0, limit ?? Self.shownAllowance)
        isLimited = limit != nil
        self.clock = clock
    }

    var used: Int { calls.withLock { $0.count(at: clock.milliseconds) } }

    /// Counts a call, or refuses it beyond the limit.
    func take() throws(OrgFault) {
        let now = clock.milliseconds
        let isTaken = calls.withLock { calls in
            guard !isLimited || calls.count(at: now) < allowance else { return false }
            calls.add(at: now)
            return true
        }
        guard isTaken else { throw .requestLimit }
    }
}

/// A count over 24 hours, kept by the hour.
struct RollingDay: Sendable {
    private static let hour: Int64 = 3_600_000
    private var counts: [Int64: Int] = [:]

    /// The calls of this hour and the 23 before it.
    mutating func count(at milliseconds: Int64) -> Int {
        let now = milliseconds / Self.hour
        if counts.keys.contains(where: { $0 <= now - 24 }) { counts = counts.filter { $0.key > now - 24 } }
        return counts.values.reduce(0, +)
    }

    mutating func add(at milliseconds: Int64) { counts[milliseconds / Self.hour, default: 0] += 1 }
}

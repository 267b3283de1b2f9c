// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A time zone: how far its clocks are from UTC, at any moment.
///
/// The rules are those of the system's zone files (RFC 9636). Foundation knows zones by ICU only, which no program here
/// links on Linux.
package struct ZoneRules: Sendable, Hashable {
    /// The zone's name: `America/New_York`.
    package let identifier: String
    /// When the clocks change, in seconds since 1970, in order.
    let changes: [Int64]
    /// The seconds east of UTC before the first change, and behind each one.
    let offsets: [Int64]

    /// Whether the changes of the last 400 years begin anew behind the last one.
    let isEndless: Bool

    /// The Gregorian calendar, and so every rule, begins anew after these seconds.
    static let cycle: Int64 = 146_097 * 86_400

    init(identifier: String, changes: [Int64], offsets: [Int64], isEndless: Bool = false) {
        self.identifier = identifier
        self.changes = changes
        self.offsets = offsets
        self.isEndless = isEndless
    }

    /// The zone without an offset, under the name that the platform has for it.
    package static let utc = ZoneRules(identifier: "GMT", changes: [], offsets: [0])

    /// Whether its clocks are always those of UTC.
    package var isUTC: Bool { offsets == [0] }

    /// The zone of that name, read from the system's files once; `nil` when they have none.
    package static func named(_ identifier: String) -> ZoneRules? {
        if ["GMT", "UTC"].contains(identifier) { return utc }
        return known.withLock { known in
            if let zone = known[identifier] { return zone }
            let zone = ZoneFile.bytes(of: identifier).flatMap { ZoneFile($0)?.rules(named: identifier) }
            // What clients ask for is never kept without bounds.
            if known.count < mostKnown { known[identifier] = .some(zone) }
            return zone
        }
    }

    private static let known = Mutex<[String: ZoneRules?]>([:])
    private static let mostKnown = 1_000

    /// The seconds east of UTC at a moment, in seconds since 1970.
    package func offset(at moment: Int64) -> Int64 { offsets[count(of: moment)] }

    /// The moment when the clocks first show a time, or first a later one if they never show it.
    ///
    /// The time is in seconds since 1970 as if the clocks were those of UTC.
    package func moment(ofClock time: Int64) -> Int64 {
        let (before, after) = (offset(at: time - 86_400), offset(at: time + 86_400))
        // What clocks that are put back show twice counts when they show it first.
        if offset(at: time - before) == before { return time - before }
        if offset(at: time - after) == after { return time - after }
        // They are put forward beyond it: the change is the first moment behind.
        return change(until: time - before)
    }

    /// The last change up to a moment.
    private func change(until moment: Int64) -> Int64 {
        let position = count(of: moment)
        guard position > 0 else { return moment }
        return changes[position - 1] + moment - folded(moment)
    }

    /// How many changes there have been up to a moment.
    private func count(of moment: Int64) -> Int {
        let moment = folded(moment)
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= moment { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The moment at the same place of the calendar within the years that the changes cover.
    private func folded(_ moment: Int64) -> Int64 {
        guard isEndless, let last = changes.last, moment > last else { return moment }
        let cycles = (moment - last + Self.cycle - 1) / Self.cycle
        return moment - cycles * Self.cycle
    }
}

// SPDX-License-Identifier: Apache-2.0

package import RestBase
package import SOQLSyntax

/// Converts date formulas to ranges of days.
///
/// Weeks begin on Sunday, and the fiscal year is the calendar year.
package struct DateRangeResolver: Sendable {
    package let today: CivilDay

    package init(today: CivilDay) {
        self.today = today
    }

    /// Creates a resolver for a time in milliseconds since 1970.
    package init(milliseconds: Int64) {
        today = CivilDay(number: Int(milliseconds).floorDivided(by: 86_400_000))
    }

    /// Returns the days of a formula, or `nil` if they are outside of the years 1700 to 4000 that Salesforce supports.
    package func days(of formula: SOQLDateFormula) -> Range<CivilDay>? {
        guard formula.count.map({ $0 <= Self.largestCount }) ?? true else { return nil }
        let range = unboundedDays(of: formula)
        let years = CivilDay(year: 1_700, month: 1)...CivilDay(year: 4_001, month: 1)
        return years.contains(range.lowerBound) && years.contains(range.upperBound) ? range : nil
    }

    /// A number that exceeds the days in the years 1700 to 4000.
    private static let largestCount = 1_000_000

    private func unboundedDays(of formula: SOQLDateFormula) -> Range<CivilDay> {
        switch formula {
        case .yesterday: today + -1..<today
        case .today: today..<today + 1
        case .tomorrow: today + 1..<today + 2
        case .last90Days: today + -90..<today + 1
        case .next90Days: today + 1..<today + 91
        // Formulas for days include today. Formulas for other units exclude the current unit.
        case .lastN(.day, let n): today + -n..<today + 1
        case .nextN(.day, let n): today + 1..<today + (n + 1)
        case .last(let unit): start(unit, -1)..<start(unit, 0)
        case .this(let unit): start(unit, 0)..<start(unit, 1)
        case .next(let unit): start(unit, 1)..<start(unit, 2)
        case .lastN(let unit, let n): start(unit, -n)..<start(unit, 0)
        case .nextN(let unit, let n): start(unit, 1)..<start(unit, n + 1)
        case .nAgo(let unit, let n): start(unit, -n)..<start(unit, 1 - n)
        }
    }

    /// Returns the first day of the unit at a distance from the current unit.
    private func start(_ unit: SOQLDateFormula.Unit, _ distance: Int) -> CivilDay {
        let date = today.date
        return switch unit {
        case .day: today + distance
        case .week: today + (7 * distance - today.weekday)
        case .month: CivilDay(year: date.year, month: date.month + distance)
        case .quarter, .fiscalQuarter: CivilDay(year: date.year, month: (date.month - 1) / 3 * 3 + 1 + 3 * distance)
        case .year, .fiscalYear: CivilDay(year: date.year + distance, month: 1)
        }
    }
}

extension SOQLDateFormula {
    fileprivate var count: Int? {
        switch self {
        case .lastN(_, let n), .nextN(_, let n), .nAgo(_, let n): n
        default: nil
        }
    }
}

extension SOQLDateTime {
    /// The time in UTC as stored: `2026-01-29T10:11:12.000+0000`.
    ///
    /// It is `nil` if the date does not exist or has no four-digit year in UTC. Fractions of milliseconds are dropped,
    /// as in Salesforce.
    var wireText: String? {
        guard isValid else { return nil }
        let minutes = time.hour * 60 + time.minute - offsetMinutes
        let day = CivilDay(date) + minutes.floorDivided(by: 24 * 60)
        let minuteOfDay = minutes - minutes.floorDivided(by: 24 * 60) * 24 * 60
        let clock = SOQLTime(hour: minuteOfDay / 60, minute: minuteOfDay % 60, second: time.second).text
        let date = day.date
        guard (0...9_999).contains(date.year) else { return nil }
        let milliseconds = String(1_000 + time.nanosecond / 1_000_000).dropFirst()
        return date.text + "T" + clock + "." + milliseconds + "+0000"
    }
}

extension CivilDay {
    package init(_ date: SOQLDate) {
        self.init(year: date.year, month: date.month, day: date.day)
    }

    package var date: SOQLDate { SOQLDate(year: parts.year, month: parts.month, day: parts.day) }
}

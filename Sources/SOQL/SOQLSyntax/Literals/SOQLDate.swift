// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A calendar date as written, which may be invalid (``isValid``).
public struct SOQLDate: Sendable, Hashable {
    /// The year from 0 to 9999, the month and the day, as written.
    public var year: Int, month: Int, day: Int

    /// Creates a date from its parts.
    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Whether the date exists in the proleptic Gregorian calendar, in a year from 0 to 9999.
    public var isValid: Bool {
        (0...9_999).contains(year) && (1...12).contains(month) && day >= 1
            && day <= CivilDay.days(inMonth: month, of: year)
    }

    /// The date as `YYYY-MM-DD`.
    public var text: String {
        year.padded(to: 4) + "-" + month.padded(to: 2) + "-" + day.padded(to: 2)
    }
}

/// A time of day as written, which may be invalid (``isValid``).
public struct SOQLTime: Sendable, Hashable {
    /// The hour, minute and second, as written.
    public var hour: Int, minute: Int, second: Int
    /// The fraction of the second in nanoseconds.
    ///
    /// Further digits are dropped.
    public var nanosecond: Int

    /// Creates a time of day from its parts.
    public init(hour: Int, minute: Int, second: Int, nanosecond: Int = 0) {
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
    }

    /// Whether the time exists in a day.
    public var isValid: Bool {
        (0..<24).contains(hour) && (0..<60).contains(minute) && (0..<60).contains(second)
            && (0..<1_000_000_000).contains(nanosecond)
    }

    /// The time as `hh:mm:ss` with the shortest fraction and without a zone.
    public var text: String {
        let clock = hour.padded(to: 2) + ":" + minute.padded(to: 2) + ":" + second.padded(to: 2)
        guard nanosecond > 0 else { return clock }
        var fraction = Substring(nanosecond.padded(to: 9))
        while let shorter = fraction.removing(suffix: "0") { fraction = shorter }
        return clock + "." + fraction
    }
}

/// A time as written: date, time of day and offset from UTC.
public struct SOQLDateTime: Sendable, Hashable {
    /// The date in the zone.
    public var date: SOQLDate
    /// The time of day in the zone.
    public var time: SOQLTime
    /// The offset in minutes east of UTC.
    public var offsetMinutes: Int

    /// Creates a time from its parts.
    public init(date: SOQLDate, time: SOQLTime, offsetMinutes: Int = 0) {
        self.date = date
        self.time = time
        self.offsetMinutes = offsetMinutes
    }

    /// Whether the date and the time of day exist, and the offset is less than a day.
    public var isValid: Bool {
        date.isValid && time.isValid && offsetMinutes.magnitude < 24 * 60
    }

    /// The time as `YYYY-MM-DDThh:mm:ss[.f](Z|±hh:mm)`.
    public var text: String {
        date.text + "T" + time.text + zoneText
    }

    private var zoneText: String {
        guard offsetMinutes != 0 else { return "Z" }
        let minutes = Int(clamping: offsetMinutes.magnitude)
        return (offsetMinutes < 0 ? "-" : "+") + (minutes / 60).padded(to: 2) + ":" + (minutes % 60).padded(to: 2)
    }
}

extension Int {
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}

extension SOQLDate: LosslessStringConvertible, Comparable {
    /// Parses `YYYY-MM-DD`, or returns `nil` for any other string, and for a date that does not exist.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2] else { return nil }
        let numbers = parts.compactMap(Self.number)
        guard numbers.count == 3 else { return nil }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
        guard isValid else { return nil }
    }

    /// The date as `YYYY-MM-DD`.
    public var description: String { text }

    /// Returns whether a date is before another date.
    public static func < (left: SOQLDate, right: SOQLDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

extension SOQLDate: Codable {
    /// Decodes a string `YYYY-MM-DD`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = SOQLDate(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the string is not a date")
        }
        self = date
    }

    /// Encodes a string `YYYY-MM-DD`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension SOQLTime: Comparable {
    /// Returns whether a time of day is before another one.
    public static func < (left: SOQLTime, right: SOQLTime) -> Bool {
        (left.hour, left.minute, left.second, left.nanosecond)
            < (right.hour, right.minute, right.second, right.nanosecond)
    }
}

/// A range of whole days relative to today, such as `LAST_WEEK` or `LAST_N_DAYS:7`.
public enum SOQLDateFormula: Sendable, Hashable {
    /// The previous, the current or the next day.
    case yesterday, today, tomorrow
    /// The 90 days that end today, or the 90 days that begin tomorrow.
    case last90Days, next90Days
    /// The whole unit before, around or after today.
    case last(Unit), this(Unit), next(Unit)
    /// `LAST_N_…:n` and `NEXT_N_…:n`.
    case lastN(Unit, Int), nextN(Unit, Int)
    /// `N_…_AGO:n`.
    case nAgo(Unit, Int)

    /// The unit of a range, whose raw value is the singular in formula names.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        /// The calendar units.
        ///
        /// `DAY` is only used in formulas with a number.
        case day = "DAY", week = "WEEK", month = "MONTH", quarter = "QUARTER", year = "YEAR"
        /// The units of the fiscal year.
        case fiscalQuarter = "FISCAL_QUARTER", fiscalYear = "FISCAL_YEAR"
    }

    /// Creates the formula with this name, in any case, and the number after its colon.
    ///
    /// Returns `nil` if there is no such formula, or if its number is missing or not allowed.
    public init?(name: String, n: Int? = nil) {
        guard let entry = SOQLDateFormula.table[name.uppercased()] else { return nil }
        switch (entry, n) {
        case (.plain(let formula), nil): self = formula
        case (.counted(let make), let n?) where n >= 0: self = make(n)
        default: return nil
        }
    }

    /// Whether the formula with this name is followed by `:n`, or `nil` if it does not exist.
    package static func needsNumber(name: String) -> Bool? {
        switch table[name.uppercased()] {
        case .plain?: false
        case .counted?: true
        case nil: nil
        }
    }

    /// The names of all 44 formulas, in alphabetical order.
    public static var names: [String] { table.keys.sorted() }

    private enum Entry: Sendable {
        case plain(SOQLDateFormula)
        case counted(@Sendable (Int) -> SOQLDateFormula)
    }

    private static let table: [String: Entry] = {
        var table: [String: Entry] = [
            "YESTERDAY": .plain(.yesterday), "TODAY": .plain(.today), "TOMORROW": .plain(.tomorrow),
            "LAST_90_DAYS": .plain(.last90Days), "NEXT_90_DAYS": .plain(.next90Days),
        ]
        for unit in Unit.allCases {
            table["LAST_N_\(unit.rawValue)S"] = .counted { .lastN(unit, $0) }
            table["NEXT_N_\(unit.rawValue)S"] = .counted { .nextN(unit, $0) }
            table["N_\(unit.rawValue)S_AGO"] = .counted { .nAgo(unit, $0) }
            guard unit != .day else { continue }
            table["LAST_\(unit.rawValue)"] = .plain(.last(unit))
            table["THIS_\(unit.rawValue)"] = .plain(.this(unit))
            table["NEXT_\(unit.rawValue)"] = .plain(.next(unit))
        }
        return table
    }()

    /// Whether the number, if there is one, is not negative.
    public var isValid: Bool {
        switch self {
        case .lastN(_, let n), .nextN(_, let n), .nAgo(_, let n): n >= 0
        default: true
        }
    }

    /// The formula as written in a query.
    public var text: String {
        switch self {
        case .yesterday: "YESTERDAY"
        case .today: "TODAY"
        case .tomorrow: "TOMORROW"
        case .last90Days: "LAST_90_DAYS"
        case .next90Days: "NEXT_90_DAYS"
        case .last(let unit): "LAST_\(unit.rawValue)"
        case .this(let unit): "THIS_\(unit.rawValue)"
        case .next(let unit): "NEXT_\(unit.rawValue)"
        case .lastN(let unit, let n): "LAST_N_\(unit.rawValue)S:\(n)"
        case .nextN(let unit, let n): "NEXT_N_\(unit.rawValue)S:\(n)"
        case .nAgo(let unit, let n): "N_\(unit.rawValue)S_AGO:\(n)"
        }
    }
}

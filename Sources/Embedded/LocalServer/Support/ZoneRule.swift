// SPDX-License-Identifier: Apache-2.0

/// The rule for the years to come at the end of a zone file: `EST5EDT,M3.2.0,M11.1.0`.
///
/// It is POSIX's TZ, with the hours of RFC 9636 §3.3.2.
struct ZoneRule: Sendable, Hashable {
    /// The seconds east of UTC in the time without a second rule.
    let standard: Int64
    /// The other part of the year, if there is one.
    var summer: Summer?

    struct Summer: Sendable, Hashable {
        let offset: Int64
        let start: Day
        let end: Day
    }

    /// A day of every year, and the seconds after its midnight.
    struct Day: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            /// `J60`: 1 March in every year, as leap days are not counted.
            case julian(Int)
            /// `59`: the days of the year from 0.
            case ordinal(Int)
            /// `M3.2.0`: the second Sunday of March; the fifth is the last.
            case weekday(month: Int, week: Int, day: Int)
        }

        let kind: Kind
        let time: Int64
    }

    init(standard: Int64) {
        self.standard = standard
    }

    /// Reads a rule; `nil` for a text that is none.
    init?(_ text: String) {
        var reader = RuleReader(text)
        guard reader.skipName(), let standard = reader.time() else { return nil }
        self.standard = -standard
        guard !reader.isAtEnd else { return }
        guard reader.skipName() else { return nil }
        var offset = self.standard + 3_600
        if !reader.isAt(",") {
            guard let time = reader.time() else { return nil }
            offset = -time
        }
        guard let start = reader.day(), let end = reader.day(), reader.isAtEnd else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    /// The changes of a year, in order.
    func changes(in year: Int) -> [(moment: Int64, offset: Int64)] {
        guard let summer else { return [] }
        return [
            (summer.start.seconds(in: year) - standard, summer.offset),
            (summer.end.seconds(in: year) - summer.offset, standard),
        ].sorted { $0.moment < $1.moment }
    }
}

extension ZoneRule.Day {
    /// The seconds from 1970 to the day's time on clocks that show UTC.
    func seconds(in year: Int) -> Int64 {
        let first = Self.days(before: year)
        let day =
            switch kind {
            case .julian(let number): first + number - 1 + (Self.isLeap(year) && number >= 60 ? 1 : 0)
            case .ordinal(let number): first + number
            case .weekday(let month, let week, let day): Self.day(month, week, day, in: year)
            }
        return Int64(day) * 86_400 + time
    }

    private static func day(_ month: Int, _ week: Int, _ day: Int, in year: Int) -> Int {
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let first = days(before: year) + lengths.prefix(month - 1).reduce(0, +)
        // 1970-01-01 was a Thursday.
        let weekday = ((first + 4) % 7 + 7) % 7
        var result = first + (day - weekday + 7) % 7 + (week - 1) * 7
        while result >= first + lengths[month - 1] { result -= 7 }
        return result
    }

    /// The days from 1970-01-01 to the first of a year; after year 1.
    private static func days(before year: Int) -> Int {
        let past = year - 1
        return past * 365 + past / 4 - past / 100 + past / 400 - 719_162
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

/// Takes a rule apart.
private struct RuleReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    func isAt(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Skips `EST` or `<+03>`.
    mutating func skipName() -> Bool {
        if take("<") {
            rest = rest.drop { $0 != UInt8(ascii: ">") }
            return take(">")
        }
        let name = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        rest = rest.dropFirst(name.count)
        return name.count >= 3
    }

    private mutating func number(in range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        // bounded: by the digits, and the range
        guard (1...3).contains(digits.count), let number = Int(String(digits) ?? ""), range.contains(number) else {
            return nil
        }
        return number
    }

    /// `[±]h[hh][:mm[:ss]]` in seconds.
    mutating func time() -> Int64? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number(in: 0...167) else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] where take(":") {
            guard let value = number(in: 0...59) else { return nil }
            seconds += value * unit
        }
        return Int64(isNegative ? -seconds : seconds)
    }

    /// `,day[/time]`; the time is 02:00 unless it is given.
    mutating func day() -> ZoneRule.Day? {
        guard take(","), let kind = kind() else { return nil }
        guard take("/") else { return ZoneRule.Day(kind: kind, time: 7_200) }
        return time().map { ZoneRule.Day(kind: kind, time: $0) }
    }

    private mutating func kind() -> ZoneRule.Day.Kind? {
        if take("J") { return number(in: 1...365).map { .julian($0) } }
        guard take("M") else { return number(in: 0...365).map { .ordinal($0) } }
        guard let month = number(in: 1...12), take("."), let week = number(in: 1...5), take("."),
            let day = number(in: 0...6)
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }
}

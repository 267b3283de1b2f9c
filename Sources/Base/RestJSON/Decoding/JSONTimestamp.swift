// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A date and time in a JSON string: the ISO 8601 forms of RFC 3339, the short time zone `+0000` that orgs send, or a
/// plain date.
///
/// This module has no date type. A rule in `JSONDecodingOptions` can create one from `seconds` and `nanoseconds`.
public struct JSONTimestamp: Sendable, Hashable {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down and negative for earlier dates.
    public let seconds: Int64
    /// Nanoseconds after `seconds`, below 1,000,000,000.
    public let nanoseconds: Int

    /// Creates a timestamp.
    public init(seconds: Int64, nanoseconds: Int = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Seconds since 1970 including the fraction, with the precision of a `Double`.
    public var secondsSince1970: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

    /// Whole seconds since midnight in UTC.
    package var secondOfDay: Int { Int((seconds % 86_400 + 86_400) % 86_400) }

    /// Parses `2026-01-29`, `2026-01-29T10:11:12Z`, `…12.345+01:00`, `…12.000+0000` and similar forms.
    ///
    /// A time requires a time zone. A plain date means midnight in UTC. The leap second `:60` becomes the second after
    /// it. Digits beyond nanoseconds are dropped. Returns `nil` for any other string and for invalid dates, such as 30
    /// February.
    public init?(_ text: String) {
        var reader = Reader(rest: ArraySlice(text.utf8))
        guard let days = reader.days().map(Int64.init) else { return nil }
        if reader.rest.isEmpty {
            self.init(seconds: days * 86_400)
            return
        }
        guard reader.takes("T") || reader.takes("t") || reader.takes(" "), let time = reader.time(),
            let zone = reader.zone(), reader.rest.isEmpty
        else { return nil }
        self.init(seconds: days * 86_400 + Int64(time.seconds - zone), nanoseconds: time.nanoseconds)
    }

    /// Creates the timestamp nearest to a number of seconds since 1970, in whole milliseconds.
    ///
    /// Returns `nil` outside the years 0 to 9999.
    public init?(rounding seconds: Double) {
        guard (-62_167_219_200..<253_402_300_799).contains(seconds) else { return nil }
        // bounded: by the guard
        let milliseconds = Int64((seconds * 1_000).rounded())
        let whole = (milliseconds - (milliseconds % 1_000 + 1_000) % 1_000) / 1_000
        self.init(seconds: whole, nanoseconds: Int(milliseconds - whole * 1_000) * 1_000_000)
    }

    /// The timestamp in UTC as `2026-01-29T10:11:12.345Z`, truncated to milliseconds.
    ///
    /// `nil` outside the years 0 to 9999.
    public var text: String? {
        guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
        let time = secondOfDay
        let day = CivilDay(number: Int((seconds - Int64(time)) / 86_400)).parts
        var bytes = Array("0000-00-00T00:00:00.000Z".utf8)
        func write(_ number: Int, to last: Int) {
            var (rest, index) = (number, last)
            while rest > 0 {
                bytes[index] += UInt8(rest % 10)  // bounded: a digit
                (rest, index) = (rest / 10, index - 1)
            }
        }
        write(day.year, to: 3)
        write(day.month, to: 6)
        write(day.day, to: 9)
        write(time / 3_600, to: 12)
        write(time / 60 % 60, to: 15)
        write(time % 60, to: 18)
        write(nanoseconds / 1_000_000 % 1_000, to: 22)
        return String(decoding: bytes, as: UTF8.self)
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func takes(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(digits: Int, in range: ClosedRange<Int>) -> Int? {
            let text = rest.prefix(digits)
            guard text.count == digits, text.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
            rest = rest.dropFirst(digits)
            let value = text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return range.contains(value) ? value : nil
        }

        /// Parses a date and returns the days since 1970-01-01 in the Gregorian calendar.
        mutating func days() -> Int? {
            guard let year = number(digits: 4, in: 0...9999), takes("-"), let month = number(digits: 2, in: 1...12),
                takes("-"), let day = number(digits: 2, in: 1...31)
            else { return nil }
            return CivilDay(checkedYear: year, month: month, day: day)?.number
        }

        mutating func time() -> (seconds: Int, nanoseconds: Int)? {
            guard let hour = number(digits: 2, in: 0...23), takes(":"), let minute = number(digits: 2, in: 0...59)
            else { return nil }
            guard takes(":") else { return (hour * 3600 + minute * 60, 0) }
            guard let second = number(digits: 2, in: 0...60) else { return nil }
            let whole = hour * 3600 + minute * 60 + second
            guard takes(".") || takes(",") else { return (whole, 0) }
            let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            let fraction = digits.prefix(9).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return (whole, (digits.count..<max(9, digits.count)).reduce(fraction) { number, _ in number * 10 })
        }

        /// Parses a time zone (`Z`, `+hh:mm`, `+hhmm` or `+hh`) and returns seconds east of UTC.
        mutating func zone() -> Int? {
            if takes("Z") || takes("z") { return 0 }
            let isEast = takes("+")
            guard isEast || takes("-"), let hours = number(digits: 2, in: 0...23) else { return nil }
            _ = takes(":")
            guard let minutes = rest.isEmpty ? 0 : number(digits: 2, in: 0...59) else { return nil }
            return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
        }
    }
}

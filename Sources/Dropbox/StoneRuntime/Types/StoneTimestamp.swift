// SPDX-License-Identifier: Apache-2.0

import RestBase

/// A format in which points in time are written, in UTC: one of the two that Dropbox's specs have.
public enum StoneTimestamp: Sendable, CustomStringConvertible {
    /// `2026-01-29T10:11:12Z`, the format `%Y-%m-%dT%H:%M:%SZ`.
    case seconds
    /// `2026-01-29`, the format `%Y-%m-%d`.
    case day

    /// The format in the notation of Python's `strptime`.
    public var description: String {
        switch self {
        case .seconds: "%Y-%m-%dT%H:%M:%SZ"
        case .day: "%Y-%m-%d"
        }
    }

    /// The seconds since 1970 that a text stands for; `nil` for one of another format.
    func seconds(in text: ArraySlice<UInt8>) -> Double? {
        switch self {
        case .seconds: return Self.plainSeconds(in: text)
        case .day:
            guard text.count == 10, let days = Self.days(in: text) else { return nil }
            return Double(days * 86_400)
        }
    }

    private static func plainSeconds(in text: ArraySlice<UInt8>) -> Double? {
        let start = text.startIndex
        guard text.count == 20, let days = days(in: text), text[start + 10] == UInt8(ascii: "T"),
            let hour = two(text, start + 11, below: 24), text[start + 13] == UInt8(ascii: ":"),
            let minute = two(text, start + 14, below: 60), text[start + 16] == UInt8(ascii: ":"),
            let second = two(text, start + 17, below: 62), text[start + 19] == UInt8(ascii: "Z")
        else { return nil }
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    /// The days since 1970 of the date at the start of a text of ten bytes or more.
    private static func days(in text: ArraySlice<UInt8>) -> Int? {
        let start = text.startIndex
        guard let century = two(text, start, below: 100), let year = two(text, start + 2, below: 100),
            text[start + 4] == UInt8(ascii: "-"), let month = two(text, start + 5, below: 13),
            text[start + 7] == UInt8(ascii: "-"), let day = two(text, start + 8, below: 32)
        else { return nil }
        return TimestampParts.days(year: century * 100 + year, month: month, day: day)
    }

    /// A number of two digits.
    @inline(__always)
    private static func two(_ text: ArraySlice<UInt8>, _ at: Int, below bound: Int) -> Int? {
        let (tens, ones) = (text[at] &- UInt8(ascii: "0"), text[at + 1] &- UInt8(ascii: "0"))
        guard tens < 10, ones < 10 else { return nil }
        let value = Int(tens) &* 10 &+ Int(ones)
        return value < bound ? value : nil
    }
}

/// A point in time of the years 1 to 9999 in UTC, in the Gregorian calendar.
struct TimestampParts {
    let year: Int, month: Int, day: Int
    let hour: Int, minute: Int, second: Int

    /// Takes a point in time apart; parts of a second are left out.
    init?(secondsSince1970 seconds: Double) {
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        // bounded: by the guard
        let whole = Int(seconds.rounded(.down))
        let time = (whole % 86_400 + 86_400) % 86_400
        let days = (whole - time) / 86_400
        (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
        (year, month, day) = CivilDay(number: days).parts
    }

    /// The days since 1970-01-01 of a date; `nil` for one that is not in the calendar of the years 1 to 9999.
    static func days(year: Int, month: Int, day: Int) -> Int? {
        (1...9999).contains(year) ? CivilDay(checkedYear: year, month: month, day: day)?.number : nil
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
package import SOQLSyntax

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Times in Salesforce's format, in UTC: `2026-01-29T10:11:12.000+0000` and `2026-01-29`.
package enum WireTime {
    private static let millisecondsPerDay = 86_400_000

    package static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// The current time in whole seconds, as stored in records and as in Salesforce.
    package static var now: String { datetime(milliseconds: milliseconds / 1_000 * 1_000) }

    package static func datetime(milliseconds: Int64) -> String {
        let milliseconds = Int(clamping: milliseconds)
        let days = milliseconds.floorDivided(by: millisecondsPerDay)
        let rest = milliseconds - days * millisecondsPerDay
        let time = SOQLTime(hour: rest / 3_600_000, minute: rest / 60_000 % 60, second: rest / 1_000 % 60)
        return "\(date(days: Int64(days)))T\(time.text).\(String(1_000 + rest % 1_000).dropFirst())+0000"
    }

    /// Returns the date that is a number of days after 1970-01-01.
    package static func date(days: Int64) -> String { CivilDay(number: Int(clamping: days)).date.text }
}

extension WireTime {
    package static func isDate(_ text: String) -> Bool { date(text) != nil }

    /// Parses `YYYY-MM-DD`, or returns `nil` if the date is not in the calendar.
    package static func date(_ text: String) -> SOQLDate? { SOQLDate(text).flatMap { $0.year >= 1 ? $0 : nil } }

    /// Returns the wire format of an ISO 8601 date, or of a datetime with seconds and a zone, or `nil` if invalid.
    package static func normalizedDatetime(_ text: String) -> String? { dateTime(text)?.wireText }

    /// Whether the bytes are a datetime in the wire format, of which some unusual ones are not recognized.
    static func isNormalized(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count == form.count, bytes[0] != 0x30 else { return false }
        for index in bytes.indices {
            let isDigit = form[index] == UInt8(ascii: "d")
            guard isDigit ? ASCII.isDigit(bytes[index]) : bytes[index] == form[index] else { return false }
        }
        func number(_ index: Int) -> Int { Int(bytes[index]) &* 10 &+ Int(bytes[index &+ 1]) &- 0x30 &* 11 }
        let (month, day) = (number(5), number(8))
        let days = month == 2 ? 28 : [4, 6, 9, 11].contains(month) ? 30 : 31
        return (1...12).contains(month) && (1...days).contains(day) && number(11) < 24 && number(14) < 60
            && number(17) < 60
    }

    /// The wire format, with `d` for digits.
    private static let form = Array("dddd-dd-ddTdd:dd:dd.ddd+0000".utf8)

    /// Parses an ISO 8601 date, or a datetime with seconds and a zone, or returns `nil` if it is invalid.
    package static func dateTime(_ text: String) -> SOQLDateTime? {
        let bytes = Array(text.utf8)
        guard let date = date(String(decoding: bytes.prefix(10), as: UTF8.self)) else { return nil }
        guard bytes.count > 10 else { return SOQLDateTime(date: date, time: .midnight) }
        guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t"), var time = time(bytes[11..<19]) else {
            return nil
        }
        var zone = bytes[19...]
        if zone.first == UInt8(ascii: ".") {
            let digits = zone.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count), let thousandths = number((digits + [0x30, 0x30]).prefix(3)) else {
                return nil
            }
            time.nanosecond = thousandths * 1_000_000
            zone = zone.dropFirst(digits.count + 1)
        }
        guard let offset = offset(zone) else { return nil }
        return SOQLDateTime(date: date, time: time, offsetMinutes: offset)
    }

    private static func time(_ bytes: ArraySlice<UInt8>) -> SOQLTime? {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [2, 2, 2], let hour = number(parts[0]), let minute = number(parts[1]),
            let second = number(parts[2])
        else { return nil }
        let time = SOQLTime(hour: hour, minute: minute, second: second)
        return time.isValid ? time : nil
    }

    /// Returns the minutes east of UTC for `Z`, `+hh:mm` or `+hhmm`.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
        if zone.count == 1, zone.first.map({ $0 | 0x20 }) == UInt8(ascii: "z") { return 0 }
        let parts = zone.dropFirst().split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let digits = parts.joined()
        guard let sign = zone.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            parts.map(\.count) == [2, 2] || parts.map(\.count) == [4], let hours = number(Array(digits.prefix(2))[...]),
            let minutes = number(Array(digits.suffix(2))[...]), hours < 24, minutes < 60
        else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }

    /// Returns the value of at most nine digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

extension WireTime {
    /// Returns the wire format of `hh:mm:ss` with an optional fraction and `Z`, or `nil` if it is not a time of day.
    package static func normalizedTime(_ text: String) -> String? {
        var bytes = Array(text.utf8)[...]
        if let last = bytes.last, last | 0x20 == UInt8(ascii: "z") { bytes.removeLast() }
        guard var time = time(bytes.prefix(8)) else { return nil }
        let fraction = bytes.dropFirst(8)
        if !fraction.isEmpty {
            guard fraction.first == UInt8(ascii: "."), (2...10).contains(fraction.count),
                fraction.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
                let thousandths = number((fraction.dropFirst() + [0x30, 0x30]).prefix(3))
            else { return nil }
            time.nanosecond = thousandths * 1_000_000
        }
        return time.wireText
    }
}

extension SOQLTime {
    fileprivate static let midnight = SOQLTime(hour: 0, minute: 0, second: 0)

    var wireText: String {
        let whole = SOQLTime(hour: hour, minute: minute, second: second)
        return "\(whole.text).\(String(1_000 + nanosecond / 1_000_000).dropFirst())Z"
    }
}

// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a point in time is written: the part of Python's `strptime` formats that specs use, always in UTC unless the
/// text names a zone.
///
/// Known are `%Y %y %m %d %j %H %I %M %S %f %p %z %Z %a %A %b %B %%`, in English. A text must fit from its first
/// character to its last, with all digits of a number.
public struct StoneTimestamp: Sendable, Hashable, CustomStringConvertible {
    private enum Form: Sendable, Hashable {
        case seconds, day
        /// Any other format, as characters; a directive is its letter after `%`.
        case other([UInt8])
    }

    private let form: Form

    private init(_ form: Form) {
        self.form = form
    }

    /// `2026-01-29T10:11:12Z`, the format `%Y-%m-%dT%H:%M:%SZ`.
    public static let seconds = StoneTimestamp(.seconds)
    /// `2026-01-29`, the format `%Y-%m-%d`.
    public static let day = StoneTimestamp(.day)

    /// Takes a format; a directive that is not known fits nothing.
    public init(_ format: String) {
        switch format {
        case "%Y-%m-%dT%H:%M:%SZ": form = .seconds
        case "%Y-%m-%d": form = .day
        default: form = .other(Array(format.utf8))
        }
    }

    /// The format.
    public var description: String {
        switch form {
        case .seconds: "%Y-%m-%dT%H:%M:%SZ"
        case .day: "%Y-%m-%d"
        case .other(let format): String(decoding: format, as: UTF8.self)
        }
    }

    /// The seconds since 1970 that a text stands for; `nil` for one of another format.
    func seconds(in text: ArraySlice<UInt8>) -> Double? {
        switch form {
        case .seconds: return Self.plainSeconds(in: text)
        case .day:
            guard text.count == 10, let days = Self.days(in: text) else { return nil }
            return Double(days * 86_400)
        case .other(let format):
            var reader = TimestampReader(text: text)
            return reader.reads(format) ? reader.seconds : nil
        }
    }

    /// Whether it is one of the two formats that are written by hand.
    var isPlain: Bool { if case .other = form { false } else { true } }

    /// The text of a point in time.
    func text(of parts: TimestampParts) -> String {
        String(decoding: parts.text(Array(description.utf8)), as: UTF8.self)
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

extension StoneTimestamp {
    /// The point in time that a spec writes as a default; the start of 1970 for a text of another format.
    public static func date(of text: String, _ format: StoneTimestamp) -> Date {
        Date(timeIntervalSince1970: format.seconds(in: ArraySlice(text.utf8)) ?? 0)
    }
}

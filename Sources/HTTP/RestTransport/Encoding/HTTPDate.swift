// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The `Retry-After` header (RFC 9110 §10.2.3): seconds, or a date in one of the three HTTP formats.
package enum RetryAfter {
    /// The duration for which the server asks the client to wait, the longest if the header is repeated.
    ///
    /// A date is compared with the response's `Date` header, so that the clocks may differ. Without a valid `Date`
    /// header, it is compared with `present`, the time of this machine's clock. Returns `nil` without a valid header.
    package static func delay(
        in fields: HTTPFields, present: @autoclosure () -> HTTPDate = .now
    ) -> Duration? {
        let texts = fields.values(of: "Retry-After")
        guard !texts.isEmpty else { return nil }
        let now = fields["Date"].flatMap(HTTPDate.init) ?? present()
        return texts.compactMap { delay($0, now: now) }.max()
    }

    private static func delay(_ text: String, now: HTTPDate) -> Duration? {
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int(outside: text, in: .seconds).map { .seconds($0) }
        }
        guard let date = HTTPDate(text) else { return nil }
        return .seconds(max(0, date.secondsSince1970 - now.secondsSince1970))
    }
}

/// A date in HTTP format (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT` or one of the two obsolete formats.
package struct HTTPDate: Sendable, Hashable {
    package let secondsSince1970: Int64

    package static var now: HTTPDate {
        // bounded: by this machine's calendar
        HTTPDate(secondsSince1970: Int64(Date.now.timeIntervalSince1970.rounded(.down)))
    }

    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// Parses a date in one of the three formats, or returns `nil`.
    package init?(_ text: String) {
        if let preferred = Self.preferred(Array(text.utf8)) {
            self = preferred
            return
        }
        let words = text.split(byte: " ", omittingEmptySubsequences: false).map(String.init)
        guard let day = words.first,
            Self.days.contains(where: { $0 == day.dropLast() || $0.prefix(3) == day.prefix(3) })
        else { return nil }
        switch words.count {
        case 6 where day.count == 4 && day.hasBytes(suffix: ",") && words[5] == "GMT":
            self.init(year: words[3], month: words[2], day: words[1], time: words[4])
        case 4 where day.hasBytes(suffix: ",") && words[3] == "GMT":
            let parts = words[1].split(byte: "-").map(String.init)
            guard parts.count == 3, parts[2].count == 2, let short = Int(outside: parts[2], in: .shortYear) else {
                return nil
            }
            self.init(
                year: String(short < 70 ? 2_000 + short : 1_900 + short), month: parts[1], day: parts[0], time: words[2]
            )
        case 5 where day.count == 3:
            self.init(year: words[4], month: words[1], day: words[2], time: words[3])
        case 6 where day.count == 3 && words[2].isEmpty:
            self.init(year: words[5], month: words[1], day: "0" + words[3], time: words[4])
        default: return nil
        }
    }

    /// Parses the preferred format without strings, for speed.
    private static func preferred(_ text: [UInt8]) -> HTTPDate? {
        func number(_ range: Range<Int>) -> Int? {
            var number = 0
            for byte in text[range] {
                guard ASCII.isDigit(byte) else { return nil }
                number = number * 10 + Int(byte - 0x30)
            }
            return number
        }
        guard text.count == 29, text[3...4].elementsEqual(", ".utf8), text[7] == 0x20, text[11] == 0x20,
            text[16] == 0x20, text[19] == 0x3A, text[22] == 0x3A, text[25...].elementsEqual(" GMT".utf8),
            days.contains(where: { text[..<3].elementsEqual($0.utf8.prefix(3)) }),
            let month = months.firstIndex(where: { text[8..<11].elementsEqual($0.utf8) }),
            let day = number(5..<7), (1...31).contains(day), let year = number(12..<16), year > 0,
            let hour = number(17..<19), hour < 24, let minute = number(20..<22), minute < 60,
            let second = number(23..<25), second < 61
        else { return nil }
        let days = CivilDay(year: year, month: month + 1, day: day).number
        return HTTPDate(secondsSince1970: Int64(((days * 24 + hour) * 60 + minute) * 60 + second))
    }

    private init?(year: String, month: String, day: String, time: String) {
        let hands = time.split(byte: ":", omittingEmptySubsequences: false)
        guard let month = Self.months.firstIndex(of: month).map({ $0 + 1 }), hands.count == 3,
            hands.allSatisfy({ $0.utf8.count == 2 }), day.utf8.count == 2, year.utf8.count == 4,
            let year = Int(outside: year, in: .year), let day = Int(outside: day, in: .day),
            let hour = Int(outside: hands[0], in: .hour), let minute = Int(outside: hands[1], in: .minute),
            let second = Int(outside: hands[2], in: .second)
        else { return nil }
        let days = CivilDay(year: year, month: month, day: day).number
        secondsSince1970 = Int64(((days * 24 + hour) * 60 + minute) * 60 + second)
    }
}

extension NumberRange {
    fileprivate static let year = NumberRange(1...9_999)
    fileprivate static let shortYear = NumberRange(0...99)
    fileprivate static let day = NumberRange(1...31)
    fileprivate static let hour = NumberRange(0...23)
    fileprivate static let minute = NumberRange(0...59)
    /// A leap second has the number 60.
    fileprivate static let second = NumberRange(0...60)
}

extension HTTPDate {
    package init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    /// The date in the preferred format, `Sun, 06 Nov 1994 08:49:37 GMT`, or `nil` outside the years 1 to 9999.
    package var text: String? {
        guard (-62_135_596_800..<253_402_300_800).contains(secondsSince1970) else { return nil }
        let seconds = Int(secondsSince1970)
        let day = CivilDay(number: seconds.floorDivided(by: 86_400))
        let (second, date) = (seconds - day.number * 86_400, day.parts)
        let time = [second / 3_600, second / 60 % 60, second % 60].map(Self.padded).joined(separator: ":")
        let year = String(String(10_000 + date.year).dropFirst())
        let (weekday, month) = (Self.days[day.weekday].prefix(3), Self.months[date.month - 1])
        return "\(weekday), \(Self.padded(date.day)) \(month) \(year) \(time) GMT"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

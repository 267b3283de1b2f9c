// SPDX-License-Identifier: Apache-2.0

import RestText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The `Retry-After` field (RFC 9110 §10.2.3): seconds, or a date in one of the three forms of HTTP.
package enum RetryAfter {
    /// How long the server asks to wait.
    ///
    /// A date is measured against the server's own `Date` field, so that clocks need not agree; without one that can be
    /// read, against this machine's clock.
    ///
    /// - Parameters:
    ///   - fields: the response's.
    ///   - present: this machine's clock.
    /// - Returns: the longest of several fields; `nil` when there is none that follows the grammar.
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

/// A point in time as HTTP writes it (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT` or one of the two obsolete
/// forms.
package struct HTTPDate: Sendable, Hashable {
    /// Seconds since the beginning of 1970 in UTC.
    package let secondsSince1970: Int64

    /// The present by this machine's clock.
    package static var now: HTTPDate {
        // bounded: by the calendar of this machine
        HTTPDate(secondsSince1970: Int64(Date.now.timeIntervalSince1970.rounded(.down)))
    }

    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// Reads the text; `nil` when it has none of the three forms.
    package init?(_ text: String) {
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

    private init?(year: String, month: String, day: String, time: String) {
        let hands = time.split(byte: ":", omittingEmptySubsequences: false)
        guard let month = Self.months.firstIndex(of: month).map({ Int64($0) + 1 }), hands.count == 3,
            hands.allSatisfy({ $0.utf8.count == 2 }), day.utf8.count == 2, year.utf8.count == 4,
            let year = Self.number(year, .year), let day = Self.number(day, .day),
            let hour = Self.number(hands[0], .hour), let minute = Self.number(hands[1], .minute),
            let second = Self.number(hands[2], .second)
        else { return nil }
        secondsSince1970 = ((Self.day(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    }

    private static func number(_ text: some StringProtocol, _ range: NumberRange) -> Int64? {
        Int(outside: text, in: range).map(Int64.init)
    }

    /// Days since 1970-01-01 in the Gregorian calendar; the year is counted from March so that leap days come last.
    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468
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
    /// Makes a point in time of the seconds since the beginning of 1970 in UTC.
    package init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// The preferred form, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7); `nil` outside the years 1 to 9999.
    package var text: String? {
        let (days, second) = Self.divided(secondsSince1970, by: 86_400)
        guard (-719_162...2_932_896).contains(days) else { return nil }
        let date = Self.date(days)
        let weekday = Self.days[Int(Self.divided(days + 4, by: 7).rest)].prefix(3)
        let time = [second / 3_600, second / 60 % 60, second % 60].map(Self.padded).joined(separator: ":")
        let year = String(String(10_000 + date.year).dropFirst())
        return "\(weekday), \(Self.padded(date.day)) \(Self.months[Int(date.month) - 1]) \(year) \(time) GMT"
    }

    private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func divided(_ number: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// The day so many days after 1970-01-01 in the Gregorian calendar; the year is counted from March, as in reading.
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, ofEra) = divided(days + 719_468, by: 146_097)
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

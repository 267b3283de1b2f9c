// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Points in time as the platform writes them, in UTC: `2026-01-29T10:11:12.000+0000` and `2026-01-29`.
enum WireTime {
    /// Milliseconds since 1970 in UTC, now.
    static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// The present as a datetime.
    static var now: String { datetime(milliseconds: milliseconds) }

    static func datetime(milliseconds: Int64) -> String {
        let (days, rest) = milliseconds.quotientAndRemainderFloored(dividingBy: 86_400_000)
        let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60)
        let (second, fraction) = (rest / 1_000 % 60, rest % 1_000)
        return "\(date(days: days))T\(padded(hour)):\(padded(minute)):\(padded(second)).\(padded(fraction, 3))+0000"
    }

    /// The date so many days after 1970-01-01 in the proleptic Gregorian calendar.
    static func date(days: Int64) -> String {
        // Eras of 400 years that begin on 1 March, so that a leap day is the last day of its year.
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainderFloored(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
    }

    private static func padded(_ number: Int64, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Int64 {
    /// Division that rounds down, for a positive divisor.
    func quotientAndRemainderFloored(dividingBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

// SPDX-License-Identifier: Apache-2.0

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

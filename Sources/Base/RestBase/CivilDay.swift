// SPDX-License-Identifier: Apache-2.0

/// A day as the number of days since 1970-01-01 in the proleptic Gregorian calendar.
///
/// The arithmetic is from H. Hinnant, "chrono-compatible low-level date algorithms": a year begins in March, so that
/// its leap day comes last, and an era has 400 years.
package struct CivilDay: Sendable, Hashable, Comparable {
    package let number: Int

    package init(number: Int) { self.number = number }

    /// The day of a month; a month outside 1…12 is in an earlier or later year.
    package init(year: Int, month: Int, day: Int = 1) {
        let months = year * 12 + month - 3
        let shiftedYear = months.floorDivided(by: 12)
        let shiftedMonth = months - shiftedYear * 12
        let era = shiftedYear.floorDivided(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day of a date, or `nil` if the date does not exist, such as the 30th of February.
    package init?(checkedYear year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    package var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    /// 0 for Sunday to 6 for Saturday.
    package var weekday: Int {
        let day = number + 4  // 1970-01-01 was a Thursday.
        return day - day.floorDivided(by: 7) * 7
    }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return month == 2 ? (isLeap ? 29 : 28) : 30 + ((month + month / 8) & 1)
    }

    package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

    package static func + (day: CivilDay, count: Int) -> CivilDay { CivilDay(number: day.number + count) }
}

extension Int {
    /// Division that rounds down, for a positive divisor.
    package func floorDivided(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

// SPDX-License-Identifier: Apache-2.0

package import SOQLSyntax

/// A day as the number of days since 1970-01-01 in the proleptic Gregorian calendar.
package struct CivilDay: Sendable, Hashable, Comparable {
    package let number: Int

    package init(number: Int) {
        self.number = number
    }

    /// The day of a month; a month outside 1…12 counts on into the years before or after.
    package init(year: Int, month: Int, day: Int = 1) {
        // Years that begin on 1 March put the leap day at their end; eras are 400 of them.
        let months = year * 12 + month - 3
        let shiftedYear = months.floorDivided(by: 12)
        let shiftedMonth = months - shiftedYear * 12
        let era = shiftedYear.floorDivided(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    package init(_ date: SOQLDate) {
        self.init(year: date.year, month: date.month, day: date.day)
    }

    /// Year, month and day.
    package var date: SOQLDate {
        let shifted = number + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return SOQLDate(
            year: year, month: month < 10 ? month + 3 : month - 9, day: dayOfYear - (153 * month + 2) / 5 + 1)
    }

    /// 0 for Sunday to 6 for Saturday.
    var weekday: Int {
        let day = number + 4  // 1970-01-01 was a Thursday.
        return day - day.floorDivided(by: 7) * 7
    }

    package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

    static func + (day: CivilDay, count: Int) -> CivilDay { CivilDay(number: day.number + count) }
}

extension Int {
    /// Division that rounds down, for a positive divisor.
    func floorDivided(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A point in time of the years 1 to 9999 in UTC, in the Gregorian calendar.
struct TimestampParts {
    let year: Int, month: Int, day: Int
    let hour: Int, minute: Int, second: Int
    let microsecond: Int
    /// Days since 1970-01-01.
    private let days: Int

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    /// From Sunday on.
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// Takes a point in time apart, to the nearest microsecond: a number of seconds is seldom one exactly.
    init?(secondsSince1970 seconds: Double) {
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        let down = seconds.rounded(.down)
        let fraction = ((seconds - down) * 1_000_000).rounded()
        // bounded: by the guard; the last microsecond of the year 9999 has none after it.
        let whole = Int(fraction < 1_000_000 || down == 253_402_300_799 ? down : down + 1)
        // bounded: from 0 to 1,000,000
        let microsecond = Int(fraction)
        self.microsecond = microsecond < 1_000_000 ? microsecond : Double(whole) == down ? 999_999 : 0
        let time = (whole % 86_400 + 86_400) % 86_400
        days = (whole - time) / 86_400
        (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
        // Years that start in March put the leap day last (H. Hinnant, "chrono-compatible low-level date algorithms").
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        month = march < 10 ? march + 3 : march - 9
        year = yearOfEra + era * 400 + (march < 10 ? 0 : 1)
        day = dayOfYear - (153 * march + 2) / 5 + 1
    }

    /// The days since 1970-01-01 of a date; `nil` for one that is not in the calendar of the years 1 to 9999.
    static func days(year: Int, month: Int, day: Int) -> Int? {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let length = month == 2 ? (isLeap ? 29 : 28) : 30 + ((month + month / 8) & 1)
        guard day <= length else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The point in time in a format.
    func text(_ format: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var rest = format[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let directive = rest.popFirst() else {
                text.append(byte)
                continue
            }
            text += part(Unicode.Scalar(directive))
        }
        return text
    }

    private func part(_ directive: Unicode.Scalar) -> [UInt8] {
        switch directive {
        case "Y": Self.digits(year, 4)
        case "y": Self.digits(year % 100, 2)
        case "m": Self.digits(month, 2)
        case "d": Self.digits(day, 2)
        case "j": Self.digits(days - (Self.days(year: year, month: 1, day: 1) ?? days) + 1, 3)
        case "H": Self.digits(hour, 2)
        case "I": Self.digits((hour + 11) % 12 + 1, 2)
        case "M": Self.digits(minute, 2)
        case "S": Self.digits(second, 2)
        case "f": Self.digits(microsecond, 6)
        case "p": Array((hour < 12 ? "AM" : "PM").utf8)
        case "z": Array("+0000".utf8)
        case "Z": Array("UTC".utf8)
        case "a": Array(weekday.utf8.prefix(3))
        case "A": Array(weekday.utf8)
        case "b": Array(Self.months[month - 1].utf8.prefix(3))
        case "B": Array(Self.months[month - 1].utf8)
        case "%": [UInt8(ascii: "%")]
        default: [UInt8(ascii: "%"), UInt8(truncatingIfNeeded: directive.value)]
        }
    }

    /// 1970-01-01 was a Thursday.
    private var weekday: String { Self.weekdays[((days + 4) % 7 + 7) % 7] }

    private static func digits(_ number: Int, _ width: Int) -> [UInt8] {
        let digits = Array(String(number).utf8)
        return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, width - digits.count)) + digits
    }
}

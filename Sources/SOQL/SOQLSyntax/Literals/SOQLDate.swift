// SPDX-License-Identifier: Apache-2.0

import RestText

/// A calendar date as written; `isValid` tells whether it exists.
public struct SOQLDate: Sendable, Hashable {
    /// Year 0…9999, month and day, as written.
    public var year: Int, month: Int, day: Int

    /// A date.
    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Whether the (proleptic Gregorian) calendar has this date, in a year of four digits.
    public var isValid: Bool {
        (0...9_999).contains(year) && (1...12).contains(month) && day >= 1
            && day <= SOQLDate.days(inMonth: month, of: year)
    }

    /// `YYYY-MM-DD`.
    public var text: String {
        year.padded(to: 4) + "-" + month.padded(to: 2) + "-" + day.padded(to: 2)
    }

    /// The number of days of a month (1…12).
    public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

/// A time of day as written; `isValid` tells whether it exists.
public struct SOQLTime: Sendable, Hashable {
    /// The clock's hands, as written.
    public var hour: Int, minute: Int, second: Int
    /// The fraction of the second; what is finer is dropped.
    public var nanosecond: Int

    /// A time of day.
    public init(hour: Int, minute: Int, second: Int, nanosecond: Int = 0) {
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
    }

    /// Whether a day has this time.
    public var isValid: Bool {
        (0..<24).contains(hour) && (0..<60).contains(minute) && (0..<60).contains(second)
            && (0..<1_000_000_000).contains(nanosecond)
    }

    /// `hh:mm:ss` with the shortest fraction; without zone.
    public var text: String {
        let clock = hour.padded(to: 2) + ":" + minute.padded(to: 2) + ":" + second.padded(to: 2)
        guard nanosecond > 0 else { return clock }
        var fraction = Substring(nanosecond.padded(to: 9))
        while let shorter = fraction.removing(suffix: "0") { fraction = shorter }
        return clock + "." + fraction
    }
}

/// An instant as written: date, time and offset from UTC.
public struct SOQLDateTime: Sendable, Hashable {
    /// The date in its zone.
    public var date: SOQLDate
    /// The time in its zone.
    public var time: SOQLTime
    /// Minutes east of UTC.
    public var offsetMinutes: Int

    /// An instant.
    public init(date: SOQLDate, time: SOQLTime, offsetMinutes: Int = 0) {
        self.date = date
        self.time = time
        self.offsetMinutes = offsetMinutes
    }

    /// Whether date and time exist and the offset is less than a day.
    public var isValid: Bool {
        date.isValid && time.isValid && offsetMinutes.magnitude < 24 * 60
    }

    /// `YYYY-MM-DDThh:mm:ss[.f](Z|±hh:mm)`.
    public var text: String {
        date.text + "T" + time.text + zoneText
    }

    private var zoneText: String {
        guard offsetMinutes != 0 else { return "Z" }
        let minutes = Int(clamping: offsetMinutes.magnitude)
        return (offsetMinutes < 0 ? "-" : "+") + (minutes / 60).padded(to: 2) + ":" + (minutes % 60).padded(to: 2)
    }
}

extension Int {
    /// The number with leading zeros up to a width.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}

// SPDX-License-Identifier: Apache-2.0

extension WireTime {
    /// Checks `YYYY-MM-DD` against the calendar.
    static func isDate(_ text: String) -> Bool { days(Array(text.utf8)[...]) != nil }

    /// Days since 1970 of `YYYY-MM-DD`, or `nil` when it is no such date.
    static func days(_ text: ArraySlice<UInt8>) -> Int64? {
        let text = Array(text)
        guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = number(text[0..<4]), let month = number(text[5..<7]), let day = number(text[8..<10]),
            (1...12).contains(month), (1...daysIn(month, of: year)).contains(day), year >= 1
        else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.quotientAndRemainderFloored(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The wire form of an ISO 8601 datetime with seconds and a zone, or of a date alone; `nil` when it is neither.
    static func normalizedDatetime(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, let days = days(bytes[0..<10]) else { return nil }
        guard bytes.count > 10 else { return datetime(milliseconds: days * 86_400_000) }
        guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"), let hour = number(bytes[11..<13]), hour < 24,
            let minute = number(bytes[14..<16]), minute < 60, let second = number(bytes[17..<19]), second < 60
        else { return nil }
        var rest = bytes[19...]
        var fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count), let value = number(Array((digits + [48, 48]).prefix(3))[...]) else {
                return nil
            }
            fraction = value
            rest = rest.dropFirst(digits.count + 1)
        }
        guard let offset = offset(Array(rest)) else { return nil }
        let seconds = hour * 3_600 + minute * 60 + second - offset * 60
        return datetime(milliseconds: days * 86_400_000 + seconds * 1_000 + fraction)
    }

    /// Minutes east of UTC of `Z`, `+hh:mm` or `+hhmm`.
    private static func offset(_ zone: [UInt8]) -> Int64? {
        if zone.count == 1, zone[0] | 0x20 == UInt8(ascii: "z") { return 0 }
        let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard let sign = zone.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 4,
            let hours = number(digits.prefix(2)), let minutes = number(digits.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.count <= 9, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func daysIn(_ month: Int64, of year: Int64) -> Int64 {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}

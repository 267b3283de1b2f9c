// SPDX-License-Identifier: Apache-2.0

/// Reads a point in time by a format, character by character.
struct TimestampReader {
    private var text: ArraySlice<UInt8>
    private var year = 1900, month = 1, day = 1
    private var dayOfYear: Int?
    private var hour = 0, minute = 0, second = 0, microsecond = 0
    private var isAfternoon: Bool?
    /// Seconds east of UTC.
    private var zone = 0

    init(text: ArraySlice<UInt8>) {
        self.text = text
    }

    /// The point in time in seconds since 1970; `nil` for a date that is not in the calendar.
    var seconds: Double? {
        let date = dayOfYear.flatMap { number in
            TimestampParts.days(year: year, month: 1, day: 1).map { $0 + number - 1 }
        }
        guard let days = date ?? TimestampParts.days(year: year, month: month, day: day) else { return nil }
        let hour = isAfternoon.map { self.hour % 12 + ($0 ? 12 : 0) } ?? self.hour
        let whole = days * 86_400 + hour * 3_600 + minute * 60 + second - zone
        return Double(whole) + Double(microsecond) / 1_000_000
    }

    /// Reads all of the text.
    ///
    /// - Returns: whether the text is of the format, from its first character to its last.
    mutating func reads(_ format: [UInt8]) -> Bool {
        var rest = format[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let directive = rest.popFirst() {
                guard reads(Unicode.Scalar(directive)) else { return false }
            } else {
                guard text.popFirst() == byte else { return false }
            }
        }
        return text.isEmpty
    }

    private mutating func reads(_ directive: Unicode.Scalar) -> Bool {
        switch directive {
        case "Y": takes(4, 1...9999) { $0.year = $1 }
        // POSIX: 69 to 99 are of the last century.
        case "y": takes(2, 0...99) { $0.year = $1 + ($1 < 69 ? 2000 : 1900) }
        case "m": takes(2, 1...12) { $0.month = $1 }
        case "d": takes(2, 1...31) { $0.day = $1 }
        case "j": takes(3, 1...366) { $0.dayOfYear = $1 }
        case "H": takes(2, 0...23) { $0.hour = $1 }
        case "I": takes(2, 1...12) { $0.hour = $1 }
        case "M": takes(2, 0...59) { $0.minute = $1 }
        case "S": takes(2, 0...61) { $0.second = $1 }
        case "f": takesFraction()
        case "p": takes(["AM", "PM"]) { $0.isAfternoon = $1 == 1 }
        case "z": takesZone()
        case "Z": takes(["UTC", "GMT"]) { _, _ in }
        case "a": takes(TimestampParts.weekdays.map { String($0.prefix(3)) }) { _, _ in }
        case "A": takes(TimestampParts.weekdays) { _, _ in }
        case "b": takes(TimestampParts.months.map { String($0.prefix(3)) }) { $0.month = $1 + 1 }
        case "B": takes(TimestampParts.months) { $0.month = $1 + 1 }
        case "%": text.popFirst() == UInt8(ascii: "%")
        default: false
        }
    }

    private mutating func takes(
        _ digits: Int, _ range: ClosedRange<Int>, _ keep: (inout TimestampReader, Int) -> Void
    ) -> Bool {
        guard let number = number(digits), range.contains(number) else { return false }
        keep(&self, number)
        return true
    }

    /// A number of so many digits, at most six.
    private mutating func number(_ digits: Int) -> Int? {
        let part = text.prefix(digits)
        guard part.count == digits, part.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
        text = text.dropFirst(digits)
        return part.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }

    /// One to six digits after the point.
    private mutating func takesFraction() -> Bool {
        let digits = text.prefix(6).prefix { $0 &- UInt8(ascii: "0") < 10 }.count
        guard digits > 0, let number = number(digits) else { return false }
        microsecond = (digits..<6).reduce(number) { value, _ in value * 10 }
        return true
    }

    /// `Z`, `+hhmm` or `+hh:mm`.
    private mutating func takesZone() -> Bool {
        guard let sign = text.popFirst() else { return false }
        if sign == UInt8(ascii: "Z") { return true }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = number(2), hours < 24 else {
            return false
        }
        if text.first == UInt8(ascii: ":") { text = text.dropFirst() }
        guard let minutes = number(2), minutes < 60 else { return false }
        zone = (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
        return true
    }

    /// One of some words, in any case.
    private mutating func takes(_ words: [String], _ keep: (inout TimestampReader, Int) -> Void) -> Bool {
        for (index, word) in words.enumerated() {
            let part = text.prefix(word.utf8.count)
            guard String(decoding: part, as: UTF8.self).lowercased() == word.lowercased() else { continue }
            text = text.dropFirst(part.count)
            keep(&self, index)
            return true
        }
        return false
    }
}

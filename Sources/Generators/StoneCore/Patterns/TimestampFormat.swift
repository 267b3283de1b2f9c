// SPDX-License-Identifier: Apache-2.0

/// A format of dates and times in the notation of `strptime`.
struct TimestampFormat {
    private let format: [Unicode.Scalar]
    private var text: [Unicode.Scalar] = []
    private var parts: [Unicode.Scalar: Int] = [:]
    private var steps = 0

    init(_ format: String) { self.format = Array(format.unicodeScalars) }

    /// Why a text is not written in the format; nil if it is.
    func problem(with text: String) -> String? {
        if let bad = badDirective { return "the format has '%\(bad)', which means nothing" }
        if format.count > 200 { return "the format is longer than 200 characters" }
        var copy = self
        copy.text = Array(text.unicodeScalars)
        guard copy.match(0, 0) else { return "'\(text.prefix(100))' is not written in the timestamp's format" }
        return copy.isDate ? nil : "there is no such day in '\(text.prefix(100))'"
    }

    /// The first character behind a percent sign that means nothing.
    private var badDirective: String? {
        var place = 0
        while place < format.count {
            guard format[place] == "%" else {
                place += 1
                continue
            }
            guard place + 1 < format.count else { return "" }
            if !Self.known.contains(format[place + 1]) { return String(format[place + 1]) }
            place += 2
        }
        return nil
    }

    private static let known = Set("aAbBcdfGHIjmMpSuUVwWxXyYzZ%".unicodeScalars)

    /// Matches the format from one place with the text from another one.
    private mutating func match(_ place: Int, _ offset: Int) -> Bool {
        steps += 1
        guard steps < 10_000 else { return false }
        guard place < format.count else { return offset == text.count }
        let scalar = format[place]
        if scalar.properties.isWhitespace {
            var end = offset
            while end < text.count, text[end].properties.isWhitespace { end += 1 }
            return end > offset && match(place + 1, end)
        }
        guard scalar == "%" else {
            guard offset < text.count, Self.isSame(text[offset], scalar) else { return false }
            return match(place + 1, offset + 1)
        }
        return match(directive: format[place + 1], place + 2, offset)
    }

    private static func isSame(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
        one == other || one.properties.lowercaseMapping == other.properties.lowercaseMapping
    }

    private mutating func match(directive: Unicode.Scalar, _ place: Int, _ offset: Int) -> Bool {
        switch directive {
        case "Y", "G": return match(directive, 4...4, 1...9999, place, offset)
        case "y": return match(directive, 2...2, 0...99, place, offset)
        case "m": return match(directive, 1...2, 1...12, place, offset)
        case "d": return match(directive, 1...2, 1...31, place, offset)
        case "H": return match(directive, 1...2, 0...23, place, offset)
        case "I": return match(directive, 1...2, 1...12, place, offset)
        case "M", "S": return match(directive, 1...2, 0...59, place, offset)
        case "f": return match(directive, 1...6, 0...999_999, place, offset)
        case "j": return match(directive, 1...3, 1...366, place, offset)
        case "U", "W": return match(directive, 1...2, 0...53, place, offset)
        case "V": return match(directive, 1...2, 1...53, place, offset)
        case "w": return match(directive, 1...1, 0...6, place, offset)
        case "u": return match(directive, 1...1, 1...7, place, offset)
        case "%": return offset < text.count && text[offset] == "%" && match(place, offset + 1)
        case "z": return matchZone(place, offset)
        default: return Self.words(directive).contains { word in match(word: word, place, offset) }
        }
    }

    /// A number of so many digits, the more the better.
    private mutating func match(
        _ directive: Unicode.Scalar, _ digits: ClosedRange<Int>, _ range: ClosedRange<Int>, _ place: Int, _ offset: Int
    ) -> Bool {
        for count in digits.reversed() where offset + count <= text.count {
            guard let number = number(offset, count), range.contains(number) else { continue }
            parts[directive] = number
            if match(place, offset + count) { return true }
        }
        return false
    }

    private func number(_ offset: Int, _ count: Int) -> Int? {
        var number = 0
        for scalar in text[offset..<offset + count] {
            guard scalar >= "0", scalar <= "9" else { return nil }
            number = number * 10 + Int(scalar.value) - 48
        }
        return number
    }

    /// `Z`, or a sign, hours and minutes with a colon between them or without.
    private mutating func matchZone(_ place: Int, _ offset: Int) -> Bool {
        guard offset < text.count else { return false }
        if text[offset] == "Z" { return match(place, offset + 1) }
        guard text[offset] == "+" || text[offset] == "-", offset + 3 <= text.count, number(offset + 1, 2) != nil else {
            return false
        }
        let colon = offset + 3 < text.count && text[offset + 3] == ":" ? 1 : 0
        guard offset + 5 + colon <= text.count, let minutes = number(offset + 3 + colon, 2), minutes < 60 else {
            return false
        }
        return match(place, offset + 5 + colon)
    }

    private mutating func match(word: String, _ place: Int, _ offset: Int) -> Bool {
        let scalars = Array(word.unicodeScalars)
        guard offset + scalars.count <= text.count else { return false }
        for (index, scalar) in scalars.enumerated() where !Self.isSame(text[offset + index], scalar) { return false }
        return match(place, offset + scalars.count)
    }

    private static func words(_ directive: Unicode.Scalar) -> [String] {
        let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November",
            "December",
        ]
        switch directive {
        case "A": return days
        case "a": return days.map { String($0.prefix(3)) }
        case "B": return months
        case "b": return months.map { String($0.prefix(3)) }
        case "p": return ["AM", "PM"]
        case "Z": return ["UTC", "GMT"]
        default: return []
        }
    }

    /// Whether the month has the day.
    private var isDate: Bool {
        guard let day = parts["d"] else { return true }
        let short = parts["y"].map { $0 < 69 ? 2000 + $0 : 1900 + $0 }
        let year = parts["Y"] ?? short ?? 1900
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= lengths[(parts["m"] ?? 1) - 1]
    }
}

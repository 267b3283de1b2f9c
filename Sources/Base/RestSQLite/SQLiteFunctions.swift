// SPDX-License-Identifier: Apache-2.0

import CSQLite
import RestBase

/// Functions and a collation for the databases of the servers, in addition to SQLite's own.
///
/// * `COLLATE UNICODE_NOCASE`: the order of `SQLiteText`.
/// * `unicode_like(pattern, text)`: LIKE that ignores case, with the escape character `\`.
/// * `great_circle(latitude, longitude, latitude, longitude)`: the distance between two points on a sphere, in metres.
package enum SQLiteFunctions {
    /// Registers them with an open connection.
    package static func register(on connection: OpaquePointer) {
        unsafe sqlite3_create_collation_v2(
            connection, "UNICODE_NOCASE", SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                // Groups compare equal strings most of the time.
                if leftCount == rightCount, let left = unsafe left, let right = unsafe right,
                    unsafe memcmp(left, right, Int(leftCount)) == 0
                {
                    return 0
                }
                // SQLite lends the strings for the duration of the call.
                let one = unsafe UnsafeBufferPointer(
                    start: left?.assumingMemoryBound(to: UInt8.self), count: Int(leftCount))
                let other = unsafe UnsafeBufferPointer(
                    start: right?.assumingMemoryBound(to: UInt8.self), count: Int(rightCount))
                return unsafe SQLiteText.compare(one.span, other.span)
            }, nil)
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        unsafe sqlite3_create_function_v2(
            connection, "unicode_like", 2, flags, nil,
            { context, _, values in
                guard let values = unsafe values, let pattern = unsafe values[0], let text = unsafe values[1],
                    unsafe sqlite3_value_type(pattern) != SQLITE_NULL, unsafe sqlite3_value_type(text) != SQLITE_NULL
                else { return unsafe sqlite3_result_null(context) }
                let isMatch = unsafe SQLiteFunctions.withText(pattern) { pattern in
                    unsafe SQLiteFunctions.withText(text) { SQLiteText.matches(pattern, $0) }
                }
                unsafe sqlite3_result_int(context, isMatch ? 1 : 0)
            }, nil, nil, nil)
        unsafe sqlite3_create_function_v2(
            connection, "great_circle", 4, flags, nil,
            { context, _, values in
                var numbers: [Double] = []
                for index in 0..<4 {
                    guard let value = unsafe values?[index], unsafe sqlite3_value_type(value) != SQLITE_NULL else {
                        return unsafe sqlite3_result_null(context)
                    }
                    numbers.append(unsafe sqlite3_value_double(value))
                }
                let distance = SQLiteFunctions.greatCircle(numbers[0], numbers[1], numbers[2], numbers[3])
                unsafe sqlite3_result_double(context, distance)
            }, nil, nil, nil)
    }

    static func withText<Result>(_ value: OpaquePointer, _ body: (Span<UInt8>) -> Result) -> Result {
        let start = unsafe sqlite3_value_text(value)
        let count = unsafe Int(sqlite3_value_bytes(value))
        return body(unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count).span)
    }

    /// The distance in metres between two points in degrees, by the haversine formula with the earth's mean radius.
    private static func greatCircle(
        _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double
    ) -> Double {
        let radians = Double.pi / 180
        let height = sin((otherLatitude - latitude) * radians / 2)
        let width = sin((otherLongitude - longitude) * radians / 2)
        let chord = height * height + cos(latitude * radians) * cos(otherLatitude * radians) * width * width
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }
}

/// Compares strings without case for the databases of the servers, beyond the ASCII letters that SQLite knows.
///
/// A letter is compared by its upper case, if that is a single letter, and strings are ordered by the UTF-8 of their
/// upper case. A letter outside ASCII never equals an ASCII letter, so for ASCII strings SQLite's own `NOCASE` gives
/// the same result.
package enum SQLiteText {
    /// Compares two strings, with a result less than, equal to or greater than zero.
    static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> CInt {
        let common = min(left.count, right.count)
        var index = 0
        while index < common {
            let (one, other) = (left[index], right[index])
            guard one < 0x80, other < 0x80 else {
                return compareScalars(left.extracting(index...), right.extracting(index...))
            }
            let (upper, otherUpper) = (one.uppercased, other.uppercased)
            if upper != otherUpper { return upper < otherUpper ? -1 : 1 }
            index &+= 1
        }
        return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
    }

    private static func compareScalars(_ left: Span<UInt8>, _ right: Span<UInt8>) -> CInt {
        let (one, other) = (folded(left), folded(right))
        return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
    }

    /// Whether a string matches a LIKE pattern with the escape character `\`, in at most quadratic time.
    static func matches(_ pattern: Span<UInt8>, _ text: Span<UInt8>) -> Bool {
        let (pattern, text) = (folded(pattern), folded(text))
        var (place, index) = (0, 0)
        /// The position after the last `%`, and the end of the text that it matches.
        var (retry, taken): (Int?, Int) = (nil, 0)
        while index < text.count {
            let step = self.step(pattern, place)
            if step == .anyRun {
                place += 1
                (retry, taken) = (place, index)
            } else if let step, step.accepts(text[index]) {
                place += step.length
                index += 1
            } else if let behind = retry {
                taken += 1
                (place, index) = (behind, taken)
            } else {
                return false
            }
        }
        while step(pattern, place) == .anyRun { place += 1 }
        return place == pattern.count
    }

    private enum Step: Equatable {
        case anyRun, anyOne
        case letter(UInt32, length: Int)

        var length: Int { if case .letter(_, let length) = self { length } else { 1 } }

        func accepts(_ scalar: UInt32) -> Bool {
            if case .letter(let letter, _) = self { letter == scalar } else { true }
        }
    }

    private static func step(_ pattern: [UInt32], _ place: Int) -> Step? {
        guard place < pattern.count else { return nil }
        switch pattern[place] {
        case 0x25: return .anyRun
        case 0x5F: return .anyOne
        case 0x5C where place + 1 < pattern.count: return .letter(pattern[place + 1], length: 2)
        default: return .letter(pattern[place], length: 1)
        }
    }

    /// The upper case of a string, with U+FFFD for invalid UTF-8.
    private static func folded(_ bytes: Span<UInt8>) -> [UInt32] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for index in bytes.indices { text.append(bytes[index]) }
        return String(decoding: text, as: UTF8.self).unicodeScalars.map(\.folded)
    }
}

extension UInt8 {
    fileprivate var uppercased: UInt8 { self >= 0x61 && self <= 0x7A ? self & 0xDF : self }
}

extension Unicode.Scalar {
    fileprivate var folded: UInt32 {
        guard value >= 0x80 else { return value >= 0x61 && value <= 0x7A ? value & 0xDF : value }
        let upper = properties.uppercaseMapping.unicodeScalars
        guard upper.count == 1, let first = upper.first, first.value >= 0x80 else { return value }
        return first.value
    }
}

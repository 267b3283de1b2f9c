// SPDX-License-Identifier: Apache-2.0

/// Conversions of the text of a number: exact integers, correctly rounded doubles, and the decimal value.
enum JSONNumber {
    /// The exact value as an integer type, or `nil` if the number has a fraction or is out of range.
    ///
    /// `1.0`, `1e2` and `-0` are integers. Nothing is rounded or wrapped.
    @inline(__always)
    static func integer<T: FixedWidthInteger>(_ source: JSONSource, _ range: Range<Int>, as type: T.Type) -> T? {
        if let value = digits(source, range, as: T.self) { return value }
        return JSONDecimal(source.bytes(in: range)[...]).flatMap { $0.integer() }
    }

    /// The value of a plain integer, or `nil` for any other form and on overflow.
    @inline(__always)
    private static func digits<T: FixedWidthInteger>(_ source: JSONSource, _ range: Range<Int>, as type: T.Type) -> T? {
        let negative = source.byte(range.lowerBound) == UInt8(ascii: "-")
        let start = negative ? range.lowerBound &+ 1 : range.lowerBound
        // Eighteen digits cannot overflow.
        guard range.upperBound &- start <= 18 else { return longDigits(source, start..<range.upperBound, negative) }
        var value = 0
        for offset in start..<range.upperBound {
            let digit = source.byte(offset) &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return T(exactly: negative ? 0 &- value : value)
    }

    private static func longDigits<T: FixedWidthInteger>(
        _ source: JSONSource, _ range: Range<Int>, _ negative: Bool
    ) -> T? {
        var value: T = 0
        for offset in range {
            let digit = source.byte(offset) &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                negative
                ? product.subtractingReportingOverflow(T(digit)) : product.addingReportingOverflow(T(digit))
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }

    /// The nearest `Double`, or `nil` if the number is beyond its range.
    @inline(__always)
    static func double(_ source: JSONSource, _ range: Range<Int>) -> Double? {
        shortDouble(source, range) ?? longDouble(source, range)
    }

    @inline(never)
    private static func longDouble(_ source: JSONSource, _ range: Range<Int>) -> Double? {
        guard let value = Double(String(decoding: source.bytes(in: range), as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }

    /// The value of a number with up to 15 digits and no exponent.
    ///
    /// Digits and power of ten are exact doubles, so one division rounds correctly (W. D. Clinger, "How to read
    /// floating point numbers accurately", 1990).
    private static func shortDouble(_ source: JSONSource, _ range: Range<Int>) -> Double? {
        let negative = source.byte(range.lowerBound) == UInt8(ascii: "-")
        let start = negative ? range.lowerBound &+ 1 : range.lowerBound
        // A point and up to 15 digits.
        guard range.upperBound &- start <= 16 else { return nil }
        var significand = 0
        var point = range.upperBound &- 1
        for offset in start..<range.upperBound {
            let digit = source.byte(offset) &- UInt8(ascii: "0")
            if digit < 10 {
                significand = significand &* 10 &+ Int(digit)
            } else {
                guard source.byte(offset) == UInt8(ascii: ".") else { return nil }
                point = offset
            }
        }
        let scale = range.upperBound &- 1 &- point
        guard significand < 1 &<< 53, scale < powersOfTen.count else { return nil }
        let magnitude = Double(significand) / powersOfTen[scale]
        return negative ? -magnitude : magnitude
    }

    /// The powers of ten that a `Double` represents exactly.
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// Whether a string is exactly one number by RFC 8259, section 6.
    static func isValid(_ text: String) -> Bool {
        guard let document = try? JSONDocument(parsing: text) else { return false }
        let entry = document.tape[JSONDocument.rootIndex]
        guard entry.isNumber else { return false }
        return entry.length == document.bytes.count
    }
}

/// The value of a number independent of its form: a sign, digits without outer zeros, and a power of ten.
///
/// `1`, `1.0` and `10e-1` have equal values. The cost is linear in the length of the text, regardless of the exponent.
struct JSONDecimal: Hashable {
    let isNegative: Bool
    /// ASCII digits without leading or trailing zeros, empty for zero.
    let digits: [UInt8]
    /// The power of ten of the last digit, 0 for zero.
    let exponent: Int

    /// Parses a number that the grammar allows, or returns `nil` if its exponent does not fit.
    init?(_ text: ArraySlice<UInt8>) {
        let negative = text.first == UInt8(ascii: "-")
        let unsigned = negative ? text.dropFirst() : text
        let parts = unsigned.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts.first ?? []
        let point = mantissa.firstIndex(of: UInt8(ascii: "."))
        let fraction = point.map { mantissa.endIndex - $0 - 1 } ?? 0
        let all = mantissa.filter { $0 != UInt8(ascii: ".") }
        guard let last = all.lastIndex(where: { $0 != UInt8(ascii: "0") }) else {
            (isNegative, digits, exponent) = (false, [], 0)
            return
        }
        guard let written = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0 else { return nil }
        let (scaled, overflow) = written.addingReportingOverflow(all.count - 1 - last - fraction)
        if overflow { return nil }
        isNegative = negative
        digits = Array(all[...last].drop { $0 == UInt8(ascii: "0") })
        exponent = scaled
    }

    /// The value as an integer, or `nil` if it has a fraction or is out of range.
    func integer<T: FixedWidthInteger>() -> T? {
        // No integer type here has more than 39 digits, so longer numbers are rejected early.
        guard exponent >= 0, digits.count + min(exponent, 1000) <= 40 else { return digits.isEmpty ? 0 : nil }
        let text = String(decoding: digits + Array(repeating: UInt8(ascii: "0"), count: exponent), as: UTF8.self)
        return digits.isEmpty ? 0 : T((isNegative ? "-" : "") + text)
    }
}

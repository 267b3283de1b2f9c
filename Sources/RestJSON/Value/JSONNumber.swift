// SPDX-License-Identifier: Apache-2.0

/// Reading the text of a number: exact integers, correctly rounded doubles, and the value as a decimal.
enum JSONNumber {
    /// The exact value as an integer type, or nil when the number has a fraction or is out of range.
    ///
    /// `1.0`, `1e2` and `-0` are integers; nothing is ever rounded or wrapped.
    static func integer<T: FixedWidthInteger>(_ text: ArraySlice<UInt8>, as type: T.Type = T.self) -> T? {
        if let value = digits(text, as: T.self) { return value }
        return JSONDecimal(text).flatMap { $0.integer() }
    }

    /// A plain integer, or nil for any other form and on overflow.
    private static func digits<T: FixedWidthInteger>(_ text: ArraySlice<UInt8>, as type: T.Type) -> T? {
        let negative = text.first == UInt8(ascii: "-")
        let digits = negative ? text.dropFirst() : text
        guard !digits.isEmpty else { return nil }
        var value: T = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
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

    /// The nearest double, or nil when the number is beyond the range of doubles.
    static func double(_ text: ArraySlice<UInt8>) -> Double? {
        if let value = shortDouble(text) { return value }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// Numbers of up to 15 digits and small exponents: both powers are exact doubles, so one operation rounds correctly
    /// (Clinger, "How to read floating point numbers accurately", 1990).
    private static func shortDouble(_ text: ArraySlice<UInt8>) -> Double? {
        var significand = 0
        var digits = 0
        var scale = 0
        var inFraction = false
        for byte in text.first == UInt8(ascii: "-") ? text.dropFirst() : text {
            if byte == UInt8(ascii: ".") {
                inFraction = true
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10, digits < 15 else { return nil }
            digits += significand == 0 && digit == 0 ? 0 : 1
            significand = significand * 10 + Int(digit)
            if inFraction { scale += 1 }
        }
        guard scale < powersOfTen.count else { return nil }
        let magnitude = Double(significand) / powersOfTen[scale]
        return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// The powers of ten that a double holds exactly.
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// Whether a text is a number by RFC 8259 §6, nothing before or after it.
    static func isValid(_ text: String) -> Bool {
        guard let document = try? JSONDocument(parsing: text) else { return false }
        let entry = document.tape[JSONDocument.rootIndex]
        guard entry.isNumber else { return false }
        return entry.length == document.bytes.count
    }
}

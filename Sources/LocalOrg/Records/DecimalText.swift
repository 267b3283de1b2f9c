// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// A decimal number as its significant digits and its exponent, to tell whether a double kept all of a text.
struct DecimalText: Equatable {
    private let isNegative: Bool
    private let digits: [UInt8]
    private let exponent: Int

    /// Reads a number of JSON's grammar (RFC 8259 §6); the caller has checked it.
    init(_ text: String) {
        let parts = text.lowercased().split(separator: "e", maxSplits: 1)
        let mantissa = (parts.first ?? "").utf8
        let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        var digits = mantissa.filter { (0x30...0x39).contains($0) }[...]
        var exponent = (parts.count > 1 ? Self.exponent(parts[1]) : 0) - fraction.count
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        digits = digits.drop { $0 == UInt8(ascii: "0") }
        self.digits = Array(digits)
        self.exponent = digits.isEmpty ? 0 : exponent
        isNegative = mantissa.first == UInt8(ascii: "-") && !digits.isEmpty
    }

    /// A power of ten; one that no double has becomes the end of the range, which is still one that no double has.
    private static func exponent(_ text: Substring) -> Int {
        let isNegative = text.first == "-"
        let digits = text.drop { $0 == "-" || $0 == "+" }.drop { $0 == "0" }
        let size = digits.isEmpty ? 0 : Int(outside: digits, in: .exponent) ?? NumberRange.exponent.bounds.upperBound
        return isNegative ? -size : size
    }
}

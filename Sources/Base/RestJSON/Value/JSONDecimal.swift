// SPDX-License-Identifier: Apache-2.0

/// The value of a number, whatever its form: a sign, digits without outer zeros, and a power of ten.
///
/// Two numbers are equal when these are: `1`, `1.0` and `10e-1` are one value. The cost is that of the text's length,
/// never that of the exponent.
struct JSONDecimal: Hashable {
    let isNegative: Bool
    /// ASCII digits, the first and last not zero; empty for zero.
    let digits: [UInt8]
    /// The power of ten of the last digit; 0 for zero.
    let exponent: Int

    /// Reads a number that the grammar allows; nil when its exponent does not fit.
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

    /// The value as an integer, or nil when it has a fraction or is out of range.
    func integer<T: FixedWidthInteger>() -> T? {
        // No integer type here has more than 39 digits, so a longer one need not be written out.
        guard exponent >= 0, digits.count + min(exponent, 1000) <= 40 else { return digits.isEmpty ? 0 : nil }
        let text = String(decoding: digits + Array(repeating: UInt8(ascii: "0"), count: exponent), as: UTF8.self)
        return digits.isEmpty ? 0 : T((isNegative ? "-" : "") + text)
    }
}

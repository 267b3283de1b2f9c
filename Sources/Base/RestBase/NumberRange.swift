// SPDX-License-Identifier: Apache-2.0

/// The valid range of a number from outside, which is checked before any arithmetic.
///
/// A server, a file or another process can send any number, and arithmetic that overflows ends the process. So each
/// such number is converted to an `Int` or an `Int64` only here, by `Int(outside:in:)`. The ranges are small enough
/// that sums, differences and a product with a thousand always fit in 64 bits.
package struct NumberRange: Sendable, Hashable {
    package let bounds: ClosedRange<Int64>

    package init(_ bounds: ClosedRange<Int64>) { self.bounds = bounds }

    /// The nearest number in the range, for settings of the app, which are never rejected.
    package func clamped<Number: FixedWidthInteger>(_ number: Number) -> Number {
        Number(clamping: min(max(Int64(clamping: number), bounds.lowerBound), bounds.upperBound))
    }

    /// Counts of records, calls and others: up to 10¹².
    package static let count = NumberRange(0...1_000_000_000_000)
    /// Lengths and offsets in bytes: up to a pebibyte.
    package static let bytes = NumberRange(0...(1 << 50))
    /// Durations in seconds: up to about 300 years.
    package static let seconds = NumberRange(0...10_000_000_000)
    /// Times in seconds since 1970: up to the year 9999.
    package static let epochSeconds = NumberRange(0...253_402_300_799)
    /// Times in milliseconds since 1970: up to the year 9999.
    package static let epochMilliseconds = NumberRange(0...253_402_300_799_999)
    package static let port = NumberRange(0...65_535)
    /// Lines and columns of a text: from one to a million.
    package static let textPosition = NumberRange(1...1_000_000)
    /// HTTP status codes.
    package static let status = NumberRange(100...599)
    /// Powers of ten within any plausible number.
    package static let exponent = NumberRange(-1_000_000...1_000_000)
}

extension Int64 {
    /// Converts a number from outside, or returns `nil` outside the range.
    ///
    /// - Parameters:
    ///   - number: The number, as another type has read it.
    ///   - range: The valid range.
    package init?(outside number: some BinaryInteger, in range: NumberRange) {
        guard let value = Int64(exactly: number), range.bounds.contains(value) else { return nil }
        self = value
    }

    /// Converts decimal digits from outside, or returns `nil` if the string is malformed or outside the range.
    ///
    /// A minus sign is valid if the range has negative numbers. A plus sign and spaces are invalid, and so are more
    /// than twenty characters, so that a long run of zeros costs nothing.
    ///
    /// - Parameters:
    ///   - text: The digits.
    ///   - range: The valid range.
    package init?(outside text: some StringProtocol, in range: NumberRange) {
        let digits = text.utf8.prefix(21)
        // bounded: this is the place
        guard digits.count <= 20, digits.first != UInt8(ascii: "+"), let value = Int64(text),
            range.bounds.contains(value)
        else { return nil }
        self = value
    }
}

extension Int {
    /// Converts a number from outside, as ``Swift/Int64`` does, if it fits: an `Int` on a watch may have 32 bits.
    package init?(outside number: some BinaryInteger, in range: NumberRange) {
        guard let value = Int64(outside: number, in: range) else { return nil }
        self.init(exactly: value)
    }

    /// Converts decimal digits from outside, as ``Swift/Int64`` does, if the number fits.
    package init?(outside text: some StringProtocol, in range: NumberRange) {
        guard let value = Int64(outside: text, in: range) else { return nil }
        self.init(exactly: value)
    }
}

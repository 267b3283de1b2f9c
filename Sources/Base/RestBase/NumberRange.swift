// SPDX-License-Identifier: Apache-2.0

/// A range that a number from outside must lie in before anything is computed with it.
///
/// A server, a file or another process may send any number, the largest one too, and plain arithmetic ends the process
/// when it overflows. So each such number becomes an `Int` or an `Int64` here, by `Int(outside:in:)`, and nowhere else.
/// The ranges are small enough that sums, differences and a product with a thousand always fit in 64 bits.
package struct NumberRange: Sendable, Hashable {
    /// The least and the greatest number that is taken.
    package let bounds: ClosedRange<Int64>

    package init(_ bounds: ClosedRange<Int64>) { self.bounds = bounds }

    /// The number of the range that is nearest, for settings of the app, which are never refused.
    package func clamped<Number: FixedWidthInteger>(_ number: Number) -> Number {
        Number(clamping: min(max(Int64(clamping: number), bounds.lowerBound), bounds.upperBound))
    }

    /// Records, calls and other things counted: up to a million millions.
    package static let count = NumberRange(0...1_000_000_000_000)
    /// Lengths and offsets in bytes: up to a pebibyte.
    package static let bytes = NumberRange(0...(1 << 50))
    /// Lifetimes and waits in seconds: up to about 300 years.
    package static let seconds = NumberRange(0...10_000_000_000)
    /// Moments in seconds since 1970: up to the year 9999.
    package static let epochSeconds = NumberRange(0...253_402_300_799)
    /// Moments in milliseconds since 1970: up to the year 9999.
    package static let epochMilliseconds = NumberRange(0...253_402_300_799_999)
    /// Ports of a host.
    package static let port = NumberRange(0...65_535)
    /// Rows and columns of a text: from one to a million.
    package static let textPosition = NumberRange(1...1_000_000)
    /// Status codes of HTTP.
    package static let status = NumberRange(100...599)
    /// Powers of ten: what lies beyond is no number that anybody meant.
    package static let exponent = NumberRange(-1_000_000...1_000_000)
}

extension Int64 {
    /// A number that came from outside, or `nil` when it lies outside the range.
    ///
    /// - Parameters:
    ///   - number: The number, as another type has read it.
    ///   - range: What is taken.
    package init?(outside number: some BinaryInteger, in range: NumberRange) {
        guard let value = Int64(exactly: number), range.bounds.contains(value) else { return nil }
        self = value
    }

    /// A number that came from outside as decimal digits, or `nil` when the text is none or lies outside the range.
    ///
    /// A minus is read where the range has negative numbers. There is no plus and no blank, and there are at most
    /// twenty characters, so that a long run of zeros costs nothing.
    ///
    /// - Parameters:
    ///   - text: The digits.
    ///   - range: What is taken.
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
    /// A number that came from outside, as ``Swift/Int64`` reads it, if it fits: an `Int` of a watch may have 32 bits.
    package init?(outside number: some BinaryInteger, in range: NumberRange) {
        guard let value = Int64(outside: number, in: range) else { return nil }
        self.init(exactly: value)
    }

    /// A number that came from outside as decimal digits, as ``Swift/Int64`` reads it, if it fits.
    package init?(outside text: some StringProtocol, in range: NumberRange) {
        guard let value = Int64(outside: text, in: range) else { return nil }
        self.init(exactly: value)
    }
}

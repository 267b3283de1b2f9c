// SPDX-License-Identifier: Apache-2.0

/// Counts the rows of a text that comes in pieces, without looking for its fields.
///
/// In a well-formed text a quote begins or ends a quoted field, or is one of two of a doubled one; so a line break is
/// inside quotes when the number of quotes before it is odd.
package struct CSVRowCounter: Sendable {
    /// The rows that have ended with their line ending.
    package private(set) var rows = 0
    /// Whether the text stops inside quotes.
    package private(set) var isInQuotes = false
    /// Whether the text stops inside a row, or behind one without its line ending.
    package private(set) var isInRow = false

    /// Makes a counter of a text whose rows end with LF or CRLF.
    package init() {}

    /// Goes on with more of the text.
    package mutating func count(_ bytes: ArraySlice<UInt8>) {
        guard let last = bytes.last else { return }
        unsafe bytes.withUnsafeBytes { buffer in count(unsafe CSVSource(buffer)) }
        isInRow = isInQuotes || last != CSVByte.lineFeed
    }

    private mutating func count(_ source: CSVSource) {
        let quote = SIMD64<UInt8>(repeating: CSVByte.quote)
        let feed = SIMD64<UInt8>(repeating: CSVByte.lineFeed)
        var at = 0
        while at < source.count {
            // What is behind the end is NUL, which is neither.
            let block = source.block(at)
            var inside = (block .== quote).bits
            for distance in [1, 2, 4, 8, 16, 32] as [UInt64] { inside ^= inside &<< distance }
            if isInQuotes { inside = ~inside }
            isInQuotes = inside &>> 63 == 1
            rows &+= ((block .== feed).bits & ~inside).nonzeroBitCount
            at &+= CSVSource.step
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The bytes of a text, as the scanner reads them, 64 at a time.
///
/// Unsafe by need: an `Array` subscript cannot load 64 bytes at a time. Safe because `base` points at `count` bytes
/// that the caller keeps alive for the whole scan (`withUnsafeBytes`), and each load is checked against `count`.
@safe
struct CSVSource {
    /// The number of bytes per step.
    static let step = 64

    private let base: UnsafeRawPointer
    let count: Int

    /// Wraps a buffer, which has no base address if it is empty.
    init(_ buffer: UnsafeRawBufferPointer) {
        let nothing: StaticString = ""
        unsafe base = buffer.baseAddress ?? UnsafeRawPointer(nothing.utf8Start)
        unsafe count = buffer.baseAddress == nil ? 0 : buffer.count
    }

    /// The byte at an offset, or NUL outside of the text.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        guard UInt(bitPattern: offset) < UInt(bitPattern: count) else { return 0 }
        return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// The next 64 bytes, with NUL for bytes outside of the text.
    @inline(__always)
    func block(_ offset: Int) -> SIMD64<UInt8> {
        guard offset >= 0, offset <= count &- CSVSource.step else { return tail(offset) }
        return unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD64<UInt8>.self)
    }

    @inline(never)
    private func tail(_ offset: Int) -> SIMD64<UInt8> {
        var block = SIMD64<UInt8>(repeating: 0)
        for index in 0..<min(CSVSource.step, max(0, count &- offset)) { block[index] = byte(offset &+ index) }
        return block
    }

    /// The number of occurrences of a byte before an offset.
    func count(of byte: UInt8, before end: Int) -> Int {
        var total = 0
        var at = 0
        let pattern = SIMD64<UInt8>(repeating: byte)
        while at < min(end, count) {
            var marks = (block(at) .== pattern).bits
            if end &- at < CSVSource.step { marks &= (1 &<< UInt64(truncatingIfNeeded: end &- at)) &- 1 }
            total &+= marks.nonzeroBitCount
            at &+= CSVSource.step
        }
        return total
    }
}

extension SIMDMask where Storage == SIMD64<Int8> {
    /// One bit for each byte, the first in the lowest bit, gathered by a multiplication.
    @inline(__always)
    var bits: UInt64 {
        let words =
            unsafe unsafeBitCast(self, to: SIMD8<UInt64>.self) & SIMD8(repeating: 0x8040_2010_0804_0201)
        let low = gathered(words[0]) | gathered(words[1]) &<< 8 | gathered(words[2]) &<< 16 | gathered(words[3]) &<< 24
        let high = gathered(words[4]) | gathered(words[5]) &<< 8 | gathered(words[6]) &<< 16 | gathered(words[7]) &<< 24
        return low | high &<< 32
    }

    /// The sum of the bytes of a word, if it fits in a byte.
    @inline(__always)
    private func gathered(_ word: UInt64) -> UInt64 {
        (word &* 0x0101_0101_0101_0101) &>> 56
    }
}

/// The output of the scanner for the ends of fields.
///
/// Unsafe by need: an `Array` checks its uniqueness on every append, which costs as much as the scan of a short field.
/// Safe because the buffer outlives the scan (`withUnsafeMutableBufferPointer`), and each write is checked against its
/// size.
@safe
struct CSVFieldEnds {
    private let buffer: UnsafeMutableBufferPointer<UInt32>

    init(_ buffer: UnsafeMutableBufferPointer<UInt32>) { unsafe self.buffer = buffer }

    @inline(__always)
    func write(_ end: Int, at index: Int) {
        guard UInt(bitPattern: index) < UInt(bitPattern: unsafe buffer.count) else { return }
        unsafe buffer[index] = UInt32(truncatingIfNeeded: end)
    }

    func end(at index: Int) -> Int { unsafe buffer.indices.contains(index) ? Int(buffer[index]) : 0 }
}

/// A position between two rows of a text that arrives in chunks.
struct CSVPlace: Sendable {
    /// The number of bytes before it.
    private(set) var offset = 0
    /// The number of rows before it.
    private(set) var row = 0
    /// The number of line breaks before it.
    private(set) var line = 0

    /// Advances to an offset in the bytes that begin here, where each row is a line if there are no quotes.
    mutating func advance(
        over bytes: [UInt8], to end: Int, rows: Int, countsLines: Bool, _ ending: CSVDialect.LineEnding?
    ) {
        line += countsLines ? CSVPlace.lines(in: bytes, before: end, ending) : rows
        offset += end
        row += rows
    }

    /// Converts an error in the bytes that begin here to an error with its position in the text.
    func error(
        _ fault: CSVFault, rowsBefore: Int, in bytes: [UInt8], _ ending: CSVDialect.LineEnding?, name: String? = nil
    ) -> CSVError {
        CSVError(
            reason: fault.reason, row: row + rowsBefore + 1, column: fault.column + 1,
            line: line + CSVPlace.lines(in: bytes, before: fault.offset, ending) + 1, offset: offset + fault.offset,
            name: name, expected: fault.expected)
    }

    private static func lines(in bytes: [UInt8], before end: Int, _ ending: CSVDialect.LineEnding?) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe CSVSource(bytes).count(
                of: ending == .cr ? CSVByte.carriageReturn : CSVByte.lineFeed, before: end)
        }
    }
}

extension CSVSource {
    /// The offset of the first byte in a range that is not part of well-formed UTF-8 (RFC 3629, section 4), or `nil`.
    func firstInvalidByte(in range: Range<Int>) -> Int? {
        var at = range.lowerBound
        while at < range.upperBound {
            if byte(at) < 0x80 {
                at &+= 1
                while at &+ CSVSource.step <= range.upperBound,
                    (block(at) .>= SIMD64<UInt8>(repeating: 0x80)).bits == 0
                { at &+= CSVSource.step }
                continue
            }
            let length = multiByteLength(at)
            guard length > 0, at &+ length <= range.upperBound else { return at }
            at &+= length
        }
        return nil
    }

    /// The length of the well-formed multi-byte character at an offset, or 0.
    ///
    /// Overlong forms, surrogates (U+D800…U+DFFF) and code points above U+10FFFF are not well-formed.
    @inline(__always)
    private func multiByteLength(_ at: Int) -> Int {
        let (first, second) = (byte(at), byte(at &+ 1))
        guard second & 0xC0 == 0x80 else { return 0 }
        switch first {
        case 0xC2...0xDF: return 2
        case 0xE0...0xEF:
            guard byte(at &+ 2) & 0xC0 == 0x80 else { return 0 }
            return first == 0xE0 && second < 0xA0 || first == 0xED && second >= 0xA0 ? 0 : 3
        case 0xF0...0xF4:
            guard byte(at &+ 2) & 0xC0 == 0x80, byte(at &+ 3) & 0xC0 == 0x80 else { return 0 }
            return first == 0xF0 && second < 0x90 || first == 0xF4 && second >= 0x90 ? 0 : 4
        default: return 0
        }
    }
}

/// Counts the rows of a text that arrives in chunks, without finding its fields.
///
/// In a well-formed text, a quote begins or ends a quoted field or is part of a doubled quote. A line break is
/// therefore inside quotes if the number of quotes before it is odd.
package struct CSVRowCounter: Sendable {
    /// The number of rows that ended with a line ending.
    package private(set) var rows = 0
    /// Whether the text so far ends inside quotes.
    package private(set) var isInQuotes = false
    /// Whether the text so far ends inside a row, or after a row without its line ending.
    package private(set) var isInRow = false

    /// Creates a counter for a text whose rows end with LF or CRLF.
    package init() {}

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
            // Bytes after the end are NUL, which is neither.
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

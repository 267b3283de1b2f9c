// SPDX-License-Identifier: Apache-2.0

/// The ordered row numbers of a query's result.
///
/// Consecutive numbers take the memory of one, and any other one three bytes in an org of a million records: it is the
/// distance from the one before, with its sign as the lowest bit, seven bits to a byte.
package struct RowNumbers: Sendable, Hashable {
    /// Where reading can begin.
    private struct Mark: Sendable, Hashable {
        /// How many numbers come before it.
        let offset: Int
        /// Its place in the bytes, and the number before it.
        let position: Int
        let previous: Int64
    }

    /// The runs, but for the last.
    private var bytes: ContiguousArray<UInt8> = []
    private var marks: [Mark] = []
    private var runCount = 0
    /// The last run: its first number, its length, and the number before it.
    private var (first, length, previous): (Int64, Int, Int64) = (0, 0, -2)
    package private(set) var count = 0

    private static let runsPerMark = 256
    /// Leads a run and its length: a distance of one, which only the numbers inside a run have.
    private static let runMarker: UInt64 = 2

    /// The memory they take.
    package var size: Int { bytes.count + marks.count * MemoryLayout<Mark>.stride }

    package init() {}

    package mutating func append(_ number: Int64) {
        if length == 0 || number != first &+ Int64(length) {
            close()
            (first, length) = (number, 0)
        }
        length += 1
        count += 1
    }

    /// Writes the last run down, so that another one can begin.
    private mutating func close() {
        guard length > 0 else { return }
        if runCount % Self.runsPerMark == 0 {
            marks.append(Mark(offset: count - length, position: bytes.count, previous: previous))
        }
        runCount += 1
        let distance = first &- previous
        if length > 1 {
            append(Self.runMarker)
            append(UInt64(length))
        }
        append(UInt64(bitPattern: (distance << 1) ^ (distance >> 63)))
        previous = first &+ Int64(length - 1)
    }

    private mutating func append(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// The numbers of a page.
    package func numbers(in range: Range<Int>) -> [Int64] {
        let range = range.clamped(to: 0..<count)
        var numbers: [Int64] = []
        numbers.reserveCapacity(range.count)
        guard !range.isEmpty else { return numbers }
        var reader = Reader(mark(of: range.lowerBound))
        while reader.offset < range.upperBound {
            let (offset, run) = (reader.offset, reader.next(bytes.span) ?? (first, length))
            // A run before the range has none of them.
            let (start, end) = (max(offset, range.lowerBound), min(offset + run.length, range.upperBound))
            for index in start..<max(start, end) { numbers.append(run.first &+ Int64(index - offset)) }
            if reader.offset == offset { break }
        }
        return numbers
    }

    /// The last mark at or before an offset.
    private func mark(of offset: Int) -> Mark {
        var range = 0..<marks.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = marks[middle].offset <= offset ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound > 0 ? marks[range.lowerBound - 1] : Mark(offset: 0, position: 0, previous: -2)
    }

    /// Reads runs from a mark on.
    private struct Reader {
        private(set) var offset: Int
        private var position: Int
        private var previous: Int64

        init(_ mark: Mark) {
            (offset, position, previous) = (mark.offset, mark.position, mark.previous)
        }

        /// The next run that was written down; `nil` after the last.
        mutating func next(_ bytes: Span<UInt8>) -> (first: Int64, length: Int)? {
            guard position < bytes.count else { return nil }
            var (zigzag, length) = (value(bytes), 1)
            if zigzag == RowNumbers.runMarker {
                length = Int(truncatingIfNeeded: value(bytes))
                zigzag = value(bytes)
            }
            let first = previous &+ (Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1))
            offset += length
            previous = first &+ Int64(length - 1)
            return (first, length)
        }

        private mutating func value(_ bytes: Span<UInt8>) -> UInt64 {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { break }
                shift += 7
            }
            return value
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The growing text of a writer.
struct CSVOutput: Sendable {
    /// The text, and room after it.
    private var buffer: [UInt8] = []
    private(set) var count = 0

    @inline(__always)
    private mutating func reserve(_ room: Int) {
        if buffer.count &- count < room { grow(room) }
    }

    @inline(never)
    private mutating func grow(_ room: Int) {
        buffer += repeatElement(0, count: max(1 << 12, buffer.count, room))
    }

    /// Appends one byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        buffer[count] = byte
        count &+= 1
    }

    /// Appends bytes.
    @inline(__always)
    mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { append(byte) }
    }

    /// Appends a text; true if there is a byte in it that needs quotes around the field.
    @inline(__always)
    mutating func append(_ text: String, delimiter: UInt8) -> Bool {
        if let needsQuotes = unsafe text.utf8.withContiguousStorageIfAvailable({
            unsafe append($0, delimiter: delimiter)
        }) {
            return needsQuotes
        }
        var copy = text
        return copy.withUTF8 { unsafe append($0, delimiter: delimiter) }
    }

    /// Appends bytes, as the function above.
    ///
    /// Unsafe by need: byte by byte a field would take several times as long. Safe because `reserve` has made room for
    /// the whole field, and the ranges of a `rebasing` are checked.
    @inline(__always)
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>, delimiter: UInt8) -> Bool {
        let length = text.count
        reserve(length)
        let start = count
        count &+= length
        unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start &+ length]).copyMemory(
                from: UnsafeRawBufferPointer(text))
        }
        return unsafe CSVFieldSource(UnsafeRawBufferPointer(text)).needsQuotes(delimiter)
    }

    /// Whether the text begins with a byte-order mark.
    var startsWithMark: Bool { buffer[..<count].starts(with: CSVByte.mark) }

    /// Puts the text from an offset on in quotes, and doubles those inside.
    @inline(never)
    mutating func quote(from start: Int) {
        let inside = buffer[start..<count].count { $0 == CSVByte.quote }
        reserve(inside + 2)
        var (from, to) = (count, count + inside + 2)
        count = to
        to -= 1
        buffer[to] = CSVByte.quote
        while from > start {
            from -= 1
            to -= 1
            buffer[to] = buffer[from]
            if buffer[to] == CSVByte.quote {
                to -= 1
                buffer[to] = CSVByte.quote
            }
        }
        buffer[start] = CSVByte.quote
    }

    /// Drops what follows an offset.
    mutating func truncate(to end: Int) { count = end }

    /// Takes the text up to an offset, and keeps the rest.
    mutating func take(_ end: Int) -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &buffer)
        buffer = Array(taken[end..<count])
        count -= end
        taken.removeLast(taken.count - end)
        return taken
    }
}

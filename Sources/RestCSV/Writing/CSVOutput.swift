// SPDX-License-Identifier: Apache-2.0

/// The growing text of a writer.
///
/// Unsafe by need: a field is copied and then looked at 64 bytes at a time where it stands. Safe because there is always
/// room for a whole step after the text, which `reserve` sees to before every write.
struct CSVOutput: Sendable {
    /// The text, and room after it.
    private var buffer: [UInt8] = []
    private(set) var count = 0

    @inline(__always)
    private mutating func reserve(_ room: Int) {
        if buffer.count &- count < room &+ CSVSource.step { grow(room) }
    }

    @inline(never)
    private mutating func grow(_ room: Int) {
        buffer += repeatElement(0, count: max(1 << 12, buffer.count, room + CSVSource.step))
    }

    /// Appends one byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        buffer[count] = byte
        count &+= 1
    }

    /// Appends bytes.
    mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { append(byte) }
    }

    /// Appends a text; true if there is a byte in it that needs quotes around the field.
    @inline(__always)
    mutating func append(_ text: String, delimiter: UInt8) -> Bool {
        let utf8 = text.utf8
        if let needsQuotes = unsafe utf8.withContiguousStorageIfAvailable({ unsafe append($0, delimiter: delimiter) }) {
            return needsQuotes
        }
        var copy = text
        return copy.withUTF8 { unsafe append($0, delimiter: delimiter) }
    }

    @inline(__always)
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>, delimiter: UInt8) -> Bool {
        let length = text.count
        guard length > 0 else { return false }
        reserve(length)
        let start = count
        count &+= length
        return unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start &+ length]).copyMemory(
                from: UnsafeRawBufferPointer(text))
            return unsafe CSVSource(UnsafeRawBufferPointer(bytes)).hasSpecial(start, length, delimiter: delimiter)
        }
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
        var taken = buffer
        let rest = Array(buffer[end..<count])
        (buffer, count) = ([], 0)
        append(rest)
        taken.removeLast(taken.count - end)
        return taken
    }
}

extension CSVSource {
    /// Whether a byte of a range needs quotes around the field.
    @inline(__always)
    func hasSpecial(_ start: Int, _ length: Int, delimiter: UInt8) -> Bool {
        let delimiters = SIMD64<UInt8>(repeating: delimiter)
        let quotes = SIMD64<UInt8>(repeating: CSVByte.quote)
        let feeds = SIMD64<UInt8>(repeating: CSVByte.lineFeed)
        let returns = SIMD64<UInt8>(repeating: CSVByte.carriageReturn)
        var (at, left) = (start, length)
        while true {
            let block = block(at)
            var marks = ((block .== delimiters) .| (block .== quotes) .| (block .== feeds) .| (block .== returns)).bits
            if left < CSVSource.step { marks &= (1 &<< UInt64(truncatingIfNeeded: left)) &- 1 }
            if marks != 0 { return true }
            at &+= CSVSource.step
            left &-= CSVSource.step
            if left <= 0 { return false }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The growing output of an encoder in manually managed memory.
///
/// Unsafe by need: encoders share their output through a class, and an `Array` in a class pays for exclusivity and
/// uniqueness on every append, a fifth of the whole encoding. Safe because only this class holds the memory, from
/// `init` or `grow` to `deinit`. Every write follows a call of `reserve`, which makes `capacity - count` at least as
/// large as the write, and `count` never exceeds `capacity`.
@safe
package class JSONOutput {
    private final var base: UnsafeMutableRawPointer
    private final var capacity: Int
    private(set) final var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 256)
        unsafe base = .allocate(byteCount: self.capacity, alignment: 8)
    }

    /// Creates an empty output for other modules.
    package static func empty() -> JSONOutput { JSONOutput(capacity: 256) }

    deinit { unsafe base.deallocate() }

    /// A copy of the output.
    package final var bytes: [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Removes all bytes from an offset on.
    package final func truncate(to count: Int) { self.count = min(self.count, max(0, count)) }

    /// Ensures capacity for `room` more bytes.
    @inline(__always)
    private final func reserve(_ room: Int) {
        if capacity &- count < room { grow(room) }
    }

    @inline(never)
    private final func grow(_ room: Int) {
        // Traps, as `Array` does, if the size exceeds `Int.max`. Memory runs out long before.
        let larger = max(capacity * 2, count + room)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        unsafe moved.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }

    @inline(__always)
    package final func append(_ byte: UInt8) {
        reserve(1)
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends up to eight bytes, the first in the lowest bits.
    @inline(__always)
    final func append(_ word: UInt64, length: Int) {
        reserve(8)
        unsafe base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
        count &+= length & 15
    }

    package final func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { buffer in
            if let start = buffer.baseAddress { unsafe append(copyOf: start, buffer.count) }
        }
    }

    /// Appends a copy of memory that the caller guarantees to be valid.
    @inline(__always)
    @unsafe final func append(copyOf start: UnsafeRawPointer, _ length: Int) {
        reserve(length)
        unsafe (base + count).copyMemory(from: start, byteCount: length)
        count &+= length
    }

    /// Appends bytes of a text, or nothing if the range is out of bounds.
    @inline(__always)
    final func append(from source: JSONSource, _ start: Int, _ length: Int) {
        guard start >= 0, length > 0, length <= source.count &- start else { return }
        reserve(length)
        unsafe source.copy(
            start, length, to: UnsafeMutableRawBufferPointer(start: base + count, count: length), at: 0)
        count &+= length
    }

    /// Overwrites a byte, or does nothing if the offset is out of bounds.
    final func replace(_ byte: UInt8, at offset: Int) {
        guard offset >= 0, offset < count else { return }
        unsafe base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }

    /// Appends a name that needs no escapes, after a comma unless it is the first name of its object.
    package final func append(name: StaticString, isFirst: Bool) {
        append(0x222C &>> (isFirst ? 8 : 0), length: isFirst ? 1 : 2)
        append(plain: name)
        append(0x3A22, length: 2)
    }

    /// Appends a literal of the program that needs no escapes.
    package final func append(plain text: StaticString) {
        guard text.hasPointerRepresentation else { return }
        let length = text.utf8CodeUnitCount
        reserve(length)
        unsafe (base + count).copyMemory(from: text.utf8Start, byteCount: length)
        count &+= length
    }

    package final func append(ascii text: String) {
        var text = text
        text.withUTF8 { buffer in
            let source = unsafe JSONSource(UnsafeRawBufferPointer(buffer))
            var at = 0
            while at < source.count {
                append(source.word(at), length: min(8, source.count &- at))
                at &+= 8
            }
        }
    }

    /// Appends a string in quotes, with a colon after it if it is a name.
    @inline(__always)
    package final func append(string text: String, colon: Bool = false) {
        append(UInt8(ascii: "\""))
        let isWritten: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { buffer in
            unsafe append(escaping: JSONSource(UnsafeRawBufferPointer(buffer)))
        }
        if isWritten == nil { append(escapingCopyOf: text) }
        append(colon ? 0x3A22 : 0x22, length: colon ? 2 : 1)
    }

    /// Appends the content of a string that has no contiguous UTF-8 storage.
    @inline(never)
    private final func append(escapingCopyOf text: String) {
        var text = text
        text.withUTF8 { unsafe append(escaping: JSONSource(UnsafeRawBufferPointer($0))) }
    }

    /// Appends the content of a string with escapes, copying ranges without escapes as a whole.
    @inline(__always)
    private final func append(escaping source: JSONSource) {
        var at = 0
        while true {
            let stop = source.firstEscape(from: at)
            let length = stop &- at
            reserve(length)
            unsafe source.copy(
                at, length, to: UnsafeMutableRawBufferPointer(start: base + count, count: length), at: 0)
            count &+= length
            guard stop < source.count else { return }
            append(escape: source.byte(stop))
            at = stop &+ 1
        }
    }

    @inline(never)
    final func append(escape byte: UInt8) {
        let (word, length) = JSONEscape.of(byte)
        append(word, length: length)
    }

    /// Appends the decimal digits of an integer, written from the last to the first.
    @inline(__always)
    final func append<T: FixedWidthInteger>(integer value: T) {
        guard T.bitWidth <= 64 else { return append(ascii: String(value)) }
        var rest = UInt64(truncatingIfNeeded: value.magnitude)
        reserve(24)
        var end = count &+ (value < 0 ? 1 : 0) &+ JSONOutput.digits(rest)
        if value < 0 { unsafe base.storeBytes(of: UInt8(ascii: "-"), toByteOffset: count, as: UInt8.self) }
        count = end
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            end &-= 1
            unsafe base.storeBytes(
                of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit), toByteOffset: end, as: UInt8.self)
            rest = quotient
        } while rest > 0
    }

    /// Appends the shortest text that parses to the same number, or returns false for NaN and infinities.
    final func append<T: BinaryFloatingPoint & CustomStringConvertible>(float value: T) -> Bool {
        guard value.isFinite else { return false }
        if let value = value as? Double, append(hundredths: value) { return true }
        append(ascii: value.description)
        return true
    }

    /// Appends a number with at most two decimals, such as an amount of money, or returns false for others and for
    /// zero.
    ///
    /// A `Double` represents at most one number of up to 15 digits (IEEE 754, 5.12.2). The text of that number is
    /// therefore the shortest form, and the same as `Double.description`.
    final func append(hundredths value: Double) -> Bool {
        let hundredths = (value * 100).rounded()
        guard hundredths.magnitude < 1e15, hundredths != 0, hundredths / 100 == value else { return false }
        let (whole, rest) = Int(hundredths.magnitude).quotientAndRemainder(dividingBy: 100)
        if value < 0 { append(UInt8(ascii: "-")) }
        append(integer: whole)
        // The decimal point, the first decimal, and the second decimal unless it is zero.
        let (tens, ones) = (UInt64(rest / 10), UInt64(rest % 10))
        append(0x30_30_2E | tens &<< 8 | ones &<< 16, length: ones == 0 ? 2 : 3)
        return true
    }

    /// Appends the decimal digits of a signed 64-bit integer.
    package final func append(int64 value: Int64) { append(integer: value) }

    /// Appends the decimal digits of an unsigned 64-bit integer.
    package final func append(uint64 value: UInt64) { append(integer: value) }

    @inline(__always)
    private static func digits(_ value: UInt64) -> Int {
        var count = 1
        var bound: UInt64 = 10
        while value >= bound {
            count &+= 1
            if count == 20 { break }
            bound &*= 10
        }
        return count
    }
}

/// The escapes of control characters, quotes and backslashes (RFC 8259, section 7).
enum JSONEscape {
    /// The escape of a byte as up to eight bytes in a word, the first in the lowest bits, and their number.
    static func of(_ byte: UInt8) -> (word: UInt64, length: Int) {
        let letter: UInt8
        switch byte {
        case 0x08: letter = UInt8(ascii: "b")
        case 0x0C: letter = UInt8(ascii: "f")
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0x09: letter = UInt8(ascii: "t")
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
        default:
            // Six bytes: backslash, u, 0, 0 and two digits.
            let digits = UInt64(hexDigit(byte >> 4)) << 32 | UInt64(hexDigit(byte & 0x0F)) << 40
            return (0x3030_755C | digits, 6)
        }
        return (UInt64(letter) << 8 | UInt64(UInt8(ascii: "\\")), 2)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension JSONSource {
    /// Marks the bytes of two words that a string must escape, where the lowest mark of each word is exact.
    @inline(__always)
    private static func escapes(in words: SIMD2<UInt64>) -> SIMD2<UInt64> {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = (words ^ SIMD2(repeating: ones &* UInt64(UInt8(ascii: "\"")))) &- SIMD2(repeating: ones)
        let backslash = (words ^ SIMD2(repeating: ones &* UInt64(UInt8(ascii: "\\")))) &- SIMD2(repeating: ones)
        let control = words &- SIMD2(repeating: ones &* 0x20)
        return (quote | backslash | control) & ~words & SIMD2(repeating: ones &* 0x80)
    }

    /// The offset of the first byte from `start` on that a string must escape, or the end.
    @inline(__always)
    func firstEscape(from start: Int) -> Int {
        var at = start
        while at < count {
            // The last sixteen bytes may begin before `at`, where no byte needs an escape, but never before `start`.
            let from = min(at, max(start, count &- 16))
            let escapes = JSONSource.escapes(in: words(from))
            if escapes.x | escapes.y != 0 {
                let low = escapes.x.trailingZeroBitCount &>> 3
                // Past the end of a short text there is NUL, which is marked.
                return min(count, from &+ (low == 8 ? 8 &+ escapes.y.trailingZeroBitCount &>> 3 : low))
            }
            at = from &+ 16
        }
        return count
    }
}

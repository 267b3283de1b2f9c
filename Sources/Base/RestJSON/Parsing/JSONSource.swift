// SPDX-License-Identifier: Apache-2.0

internal import CBytes

/// The bytes of a text as the scanners read them: every read is checked, and reads past the end give NUL.
///
/// NUL is allowed nowhere in JSON (RFC 8259 §7), so a scanner that meets the end stops there by itself and needs no
/// test of its own. This is the only place where the parser loads bytes.
///
/// Unsafe by need: an `Array` subscript cannot load eight bytes at a time. Safe because `base` points at `count` bytes
/// that the caller keeps alive for the whole parse (`withUnsafeBytes`), and each load below is guarded against `count`.
@safe
struct JSONSource {
    private let base: UnsafeRawPointer
    let count: Int
    private let wordEnd: UInt
    private let blockEnd: UInt

    /// Wraps the buffer; an empty buffer has no base address, and then nothing is ever loaded.
    init(_ buffer: UnsafeRawBufferPointer) {
        let nothing: StaticString = ""
        unsafe base = buffer.baseAddress ?? UnsafeRawPointer(nothing.utf8Start)
        unsafe count = buffer.baseAddress == nil ? 0 : buffer.count
        wordEnd = UInt(bitPattern: max(0, count &- 7))
        blockEnd = UInt(bitPattern: max(0, count &- 63))
    }

    /// The byte at an offset, or NUL outside of the text.
    ///
    /// The unsigned comparison refuses negative offsets as well.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        guard UInt(bitPattern: offset) < UInt(bitPattern: count) else { return 0 }
        return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// Eight bytes from an offset, the first in the lowest bits, with NUL for those outside of the text.
    @inline(__always)
    func word(_ offset: Int) -> UInt64 {
        guard UInt(bitPattern: offset) < wordEnd else { return tail(offset) }
        return UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Sixteen bytes from an offset, with NUL for those outside of the text.
    @inline(__always)
    func words(_ offset: Int) -> SIMD2<UInt64> {
        guard offset >= 0, offset <= count &- 16 else { return SIMD2(word(offset), word(offset &+ 8)) }
        return unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    }

    /// A bit for each of 64 bytes from an offset on, the first in the lowest: whether it ends the fast way through a
    /// string, being a quote, a backslash, a control character (the NUL past the end too), or a part of a multi-byte
    /// character.
    @inline(__always)
    func stops(_ offset: Int) -> UInt64 {
        guard UInt(bitPattern: offset) < blockEnd else { return stopsNearEnd(offset) }
        return unsafe cbytes_stops(base + offset)
    }

    @inline(never)
    private func stopsNearEnd(_ offset: Int) -> UInt64 {
        guard offset >= 0, offset < count else { return ~0 }
        if count >= 64 {
            // The last 64 bytes, of which those before the offset are shifted out.
            let left = UInt64(truncatingIfNeeded: count &- offset)
            return unsafe cbytes_stops(base + (count &- 64)) &>> (64 &- left) | ~0 &<< left
        }
        let words = SIMD8(
            word(offset), word(offset &+ 8), word(offset &+ 16), word(offset &+ 24), word(offset &+ 32),
            word(offset &+ 40), word(offset &+ 48), word(offset &+ 56))
        return unsafe withUnsafeBytes(of: words) { unsafe $0.baseAddress.map { unsafe cbytes_stops($0) } ?? ~0 }
    }

    /// Whether the bytes of an earlier stretch of the text, two or more, stand again at an offset.
    ///
    /// Near the end of the text the answer is no without a look, so that one test guards all loads.
    @inline(__always)
    func repeats(_ earlier: Int, at start: Int, length: Int) -> Bool {
        guard start > 0, UInt(bitPattern: earlier) < UInt(bitPattern: start), length >= 2,
            start &+ length <= count &- 8
        else { return false }
        let difference = unsafe wordInside(start) ^ wordInside(earlier)
        guard length > 8 else { return difference &<< UInt64(truncatingIfNeeded: 64 &- 8 &* length) == 0 }
        let last = length &- 8
        guard unsafe difference | (wordInside(start &+ last) ^ wordInside(earlier &+ last)) == 0 else { return false }
        var at = 8
        while at < last {
            guard unsafe wordInside(start &+ at) == wordInside(earlier &+ at) else { return false }
            at &+= 8
        }
        return true
    }

    /// Eight bytes that are known to lie inside.
    @inline(__always)
    @unsafe private func wordInside(_ offset: Int) -> UInt64 {
        unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Whether a byte occurs anywhere.
    func hasByte(_ byte: UInt8) -> Bool {
        let pattern = SIMD64<UInt8>(repeating: byte)
        var seen = SIMDMask<SIMD64<Int8>>(repeating: false)
        var at = 0
        while at <= count &- 64 {
            seen .|= unsafe base.loadUnaligned(fromByteOffset: at, as: SIMD64<UInt8>.self) .== pattern
            at &+= 64
        }
        return any(seen) || (at..<count).contains { self.byte($0) == byte }
    }

    /// Copies bytes into a buffer; does nothing unless both ends lie inside.
    @inline(__always)
    func copy(_ start: Int, _ length: Int, to buffer: UnsafeMutableRawBufferPointer, at target: Int) {
        guard start >= 0, length > 0, length <= count &- start, target >= 0, length <= buffer.count &- target,
            let room = buffer.baseAddress
        else { return }
        unsafe (room + target).copyMemory(from: base + start, byteCount: length)
    }

    /// Calls a function with a stretch of the text, or with nothing if it does not lie inside.
    @inline(__always)
    @unsafe func withBytes<Result>(
        from start: Int, _ length: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        guard start >= 0, length > 0, length <= count &- start else {
            return unsafe body(UnsafeBufferPointer(start: nil, count: 0))
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: base + start, count: length)
        return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0) }
    }

    /// The bytes of a range that lies inside; those outside read as NUL.
    func bytes(in range: Range<Int>) -> [UInt8] { range.map { byte($0) } }

    /// The word that reaches over the end: the last eight bytes of the text, shifted, or what a shorter text has.
    @inline(never)
    private func tail(_ offset: Int) -> UInt64 {
        let left = count &- offset
        guard offset >= 0, left > 0 else { return 0 }
        if count >= 8 {
            let last = UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
            return last &>> UInt64(truncatingIfNeeded: 64 &- 8 &* left)
        }
        // Two loads of four bytes, which may overlap, or up to three of one byte.
        if left >= 4 {
            let low = UInt32(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let high = UInt32(littleEndian: unsafe base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return UInt64(low) | UInt64(high) &<< UInt64(truncatingIfNeeded: 8 &* (left &- 4))
        }
        return UInt64(byte(offset)) | UInt64(byte(offset &+ 1)) &<< 8 | UInt64(byte(offset &+ 2)) &<< 16
    }
}

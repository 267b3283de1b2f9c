// SPDX-License-Identifier: Apache-2.0

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

    /// Wraps the buffer; an empty buffer has no base address, and then nothing is ever loaded.
    init(_ buffer: UnsafeRawBufferPointer) {
        let nothing: StaticString = ""
        unsafe base = buffer.baseAddress ?? UnsafeRawPointer(nothing.utf8Start)
        unsafe count = buffer.baseAddress == nil ? 0 : buffer.count
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
        guard offset >= 0, offset <= count &- 8 else { return tail(offset) }
        return UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
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

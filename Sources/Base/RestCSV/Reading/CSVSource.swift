// SPDX-License-Identifier: Apache-2.0

/// The bytes of a text as the scanner reads them, 64 at a time.
///
/// Unsafe by need: an `Array` subscript cannot load 64 bytes at a time. Safe because `base` points at `count` bytes
/// that the caller keeps alive for the whole scan (`withUnsafeBytes`), and each load is guarded against `count`.
@safe
struct CSVSource {
    /// How many bytes are looked at in one step.
    static let step = 64

    private let base: UnsafeRawPointer
    let count: Int

    /// Wraps the buffer; an empty buffer has no base address, and then nothing is ever loaded.
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

    /// The next 64 bytes, with NUL for those outside of the text.
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

    /// How often a byte occurs before an offset.
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
    /// One bit for each byte, the first in the lowest bit.
    ///
    /// Each marked byte holds its own bit of eight; a multiplication gathers the eight in the highest byte.
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

/// Where the scanner puts the ends of fields.
///
/// Unsafe by need: an `Array` checks its uniqueness on every append, which costs as much as the scan of a short field.
/// Safe because the buffer outlives the scan (`withUnsafeMutableBufferPointer`), and each write is guarded against its
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

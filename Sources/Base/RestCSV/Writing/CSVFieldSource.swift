// SPDX-License-Identifier: Apache-2.0

/// The bytes of a field that is to be written, 16 at a time.
///
/// Unsafe by need: most fields are short, and a loop over their bytes would take longer than all the rest. Safe because
/// `base` points at `count` bytes that outlive the value (it is made and used inside one closure), and each load below
/// stays within `count`, as the comparison before it says.
@safe
struct CSVFieldSource {
    private let base: UnsafeRawPointer
    private let count: Int

    @inline(__always)
    init(_ buffer: UnsafeRawBufferPointer) {
        let nothing: StaticString = ""
        unsafe base = buffer.baseAddress ?? UnsafeRawPointer(nothing.utf8Start)
        unsafe count = buffer.baseAddress == nil ? 0 : buffer.count
    }

    /// Whether there is a delimiter, a quote or a line break in the field.
    @inline(__always)
    func needsQuotes(_ delimiter: UInt8) -> Bool {
        guard count >= 16 else { return Self.hasSpecial(short, delimiter) }
        var found = Self.special(block(count &- 16), delimiter)
        var at = 0
        while at < count &- 16 {
            found .|= Self.special(block(at), delimiter)
            at &+= 16
        }
        return Self.isAny(found)
    }

    /// The 16 bytes from an offset, which is at most `count - 16`.
    @inline(__always)
    private func block(_ at: Int) -> SIMD16<UInt8> {
        unsafe base.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
    }

    /// All bytes of a field with fewer than 16, some of them twice, in two words.
    @inline(__always)
    private var short: SIMD16<UInt8> {
        var words = SIMD2<UInt64>(repeating: 0)
        if count >= 8 {
            unsafe words[0] = base.loadUnaligned(as: UInt64.self)
            unsafe words[1] = base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else if count >= 4 {
            unsafe words[0] = UInt64(base.loadUnaligned(as: UInt32.self))
            unsafe words[1] = UInt64(base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else if count > 0 {
            unsafe words[0] = UInt64(base.load(as: UInt8.self))
            unsafe words[1] =
                UInt64(base.load(fromByteOffset: count &>> 1, as: UInt8.self))
                | UInt64(base.load(fromByteOffset: count &- 1, as: UInt8.self)) &<< 8
        }
        return unsafe unsafeBitCast(words, to: SIMD16<UInt8>.self)
    }

    @inline(__always)
    private static func special(_ block: SIMD16<UInt8>, _ delimiter: UInt8) -> SIMDMask<SIMD16<Int8>> {
        (block .== SIMD16(repeating: delimiter)) .| (block .== SIMD16(repeating: CSVByte.quote))
            .| (block .== SIMD16(repeating: CSVByte.lineFeed))
            .| (block .== SIMD16(repeating: CSVByte.carriageReturn))
    }

    @inline(__always)
    private static func hasSpecial(_ block: SIMD16<UInt8>, _ delimiter: UInt8) -> Bool {
        isAny(special(block, delimiter))
    }

    @inline(__always)
    private static func isAny(_ mask: SIMDMask<SIMD16<Int8>>) -> Bool {
        let words = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        return words[0] | words[1] != 0
    }
}

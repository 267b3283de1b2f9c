// SPDX-License-Identifier: Apache-2.0

/// Four bytes that are looked for together.
struct FourBytes: Sendable {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private let bytes: (UInt8, UInt8, UInt8, UInt8)
    private let words: (UInt64, UInt64, UInt64, UInt64)

    init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        bytes = (first, second, third, fourth)
        words = (
            Self.ones &* UInt64(first), Self.ones &* UInt64(second), Self.ones &* UInt64(third),
            Self.ones &* UInt64(fourth)
        )
    }

    /// The offset of the first of them from a place on, looked for in steps of eight.
    @inline(__always)
    func first(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var at = start
        while at &+ 8 <= text.count {
            // The loop's condition keeps the load inside.
            let word = unsafe UInt64(littleEndian: text.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let zeros =
                Self.zeros(word ^ words.0) | Self.zeros(word ^ words.1) | Self.zeros(word ^ words.2)
                | Self.zeros(word ^ words.3)
            // The lowest mark is right; one above it may not be.
            if zeros != 0 { return at &+ zeros.trailingZeroBitCount &>> 3 }
            at &+= 8
        }
        while at < text.count {
            let byte = unsafe text[at]
            if byte == bytes.0 || byte == bytes.1 || byte == bytes.2 || byte == bytes.3 { return at }
            at &+= 1
        }
        return nil
    }

    /// Marks bytes that are zero; the result is zero exactly when none is.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones &* 0x80) }
}

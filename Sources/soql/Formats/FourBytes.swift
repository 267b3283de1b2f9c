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

    /// Whether one of them occurs, looked for in steps of eight.
    @inline(__always)
    func occur(in text: UnsafeRawBufferPointer) -> Bool {
        var at = 0
        while at &+ 8 <= text.count {
            // The loop's condition keeps the load inside.
            let word = unsafe text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let zeros =
                Self.zeros(word ^ words.0) | Self.zeros(word ^ words.1) | Self.zeros(word ^ words.2)
                | Self.zeros(word ^ words.3)
            if zeros != 0 { return true }
            at &+= 8
        }
        while at < text.count {
            let byte = unsafe text[at]
            if byte == bytes.0 || byte == bytes.1 || byte == bytes.2 || byte == bytes.3 { return true }
            at &+= 1
        }
        return false
    }

    /// Marks bytes that are zero; the result is zero exactly when none is.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones &* 0x80) }
}

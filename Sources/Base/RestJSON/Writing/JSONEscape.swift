// SPDX-License-Identifier: Apache-2.0

/// The escapes of control characters, quotes and backslashes (RFC 8259 §7).
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
    /// Marks the bytes of two words that a string must escape; the lowest mark of a word is exact, see `stops(in:)`.
    @inline(__always)
    private static func escapes(in words: SIMD2<UInt64>) -> SIMD2<UInt64> {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = (words ^ SIMD2(repeating: ones &* UInt64(UInt8(ascii: "\"")))) &- SIMD2(repeating: ones)
        let backslash = (words ^ SIMD2(repeating: ones &* UInt64(UInt8(ascii: "\\")))) &- SIMD2(repeating: ones)
        let control = words &- SIMD2(repeating: ones &* 0x20)
        return (quote | backslash | control) & ~words & SIMD2(repeating: ones &* 0x80)
    }

    /// The offset of the first byte from one on that a string must escape, or the end.
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

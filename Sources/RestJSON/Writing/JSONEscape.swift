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
    /// Marks the bytes of a word that a string must escape; the lowest mark is exact, see `stops(in:)`.
    @inline(__always)
    static func escapes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = (word ^ (ones &* UInt64(UInt8(ascii: "\"")))) &- ones
        let backslash = (word ^ (ones &* UInt64(UInt8(ascii: "\\")))) &- ones
        let control = word &- ones &* 0x20
        return (quote | backslash | control) & ~word & (ones &* 0x80)
    }
}

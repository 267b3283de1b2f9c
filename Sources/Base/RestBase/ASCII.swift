// SPDX-License-Identifier: Apache-2.0

/// Byte classes of the URL and HTTP grammars.
package enum ASCII {
    package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Whether the byte is an ASCII letter or digit.
    package static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    /// Whether the byte never needs escaping in a URL (RFC 3986 §2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isAlphanumeric(byte)
        }
    }

    /// Whether the byte stays as it is in a form (URL Standard §1.3, the application/x-www-form-urlencoded set).
    package static func isUnescapedInForm(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: isAlphanumeric(byte)
        }
    }

    /// Whether the byte is valid in a URL: unreserved, reserved or the percent sign (RFC 3986 §2).
    package static func isURLCharacter(_ byte: UInt8) -> Bool { urlCharacters.contains(byte) }

    /// Whether the byte is valid in a token, such as a method or a header name (RFC 9110 §5.6.2).
    package static func isTokenCharacter(_ byte: UInt8) -> Bool { tokenCharacters.contains(byte) }

    private static let urlCharacters = ByteSet { isUnreserved($0) || ":/?#[]@!$&'()*+,;=%".utf8.contains($0) }
    package static let tokenCharacters = ByteSet { isAlphanumeric($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    /// Characters that are valid in a request target, even unusual ones, so that a server gets its URLs back unchanged.
    package static let targetCharacters = ByteSet { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    package static let hostCharacters = ByteSet { isAlphanumeric($0) || "-_".utf8.contains($0) }

    package static func all(_ text: String, in set: ByteSet) -> Bool {
        for byte in text.utf8 where !set.contains(byte) { return false }
        return true
    }

    /// The value of a hexadecimal digit of either case.
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

/// A set of ASCII bytes as two words, so that a lookup costs a shift.
package struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init(_ isMember: (UInt8) -> Bool) {
        for byte in UInt8(0)..<64 where isMember(byte) { low |= 1 << UInt64(byte) }
        for byte in UInt8(64)..<128 where isMember(byte) { high |= 1 << UInt64(byte - 64) }
    }

    package func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }
}

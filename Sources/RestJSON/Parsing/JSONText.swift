// SPDX-License-Identifier: Apache-2.0

/// Turns the bytes between the quotes of a validated string into characters.
enum JSONText {
    /// The value of a hexadecimal digit in either case.
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }

    /// Resolves the escapes of a string that the parser has accepted.
    static func unescape(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var rest = text
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            result.append(contentsOf: rest[..<backslash])
            rest = rest[backslash...].dropFirst()
            appendEscape(&rest, to: &result)
        }
        result.append(contentsOf: rest)
        return result
    }

    /// Takes one escape, from the byte after its backslash, and appends the character it names.
    private static func appendEscape(_ rest: inout ArraySlice<UInt8>, to result: inout [UInt8]) {
        guard let letter = rest.popFirst() else { return }
        switch letter {
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"): result.append(contentsOf: Unicode.Scalar.utf8(takeScalar(&rest)))
        default: result.append(letter)
        }
    }

    /// Takes the four digits of a `\u` escape, and of the low surrogate after a high one.
    private static func takeScalar(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        let unit = takeUnit(&rest)
        guard unit & 0xFC00 == 0xD800 else { return unit }
        rest = rest.dropFirst(2)  // the backslash and the letter u of the low half
        return 0x10000 + (unit & 0x3FF) << 10 + (takeUnit(&rest) & 0x3FF)
    }

    private static func takeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        return digits.reduce(0) { $0 << 4 | UInt32(hexValue($1) ?? 0) }
    }
}

extension Unicode.Scalar {
    /// The UTF-8 form of a code point; U+FFFD for one that is none, which the parser lets nobody see.
    fileprivate static func utf8(_ point: UInt32) -> Unicode.UTF8.EncodedScalar {
        let scalar = Unicode.Scalar(point) ?? "\u{FFFD}"
        return UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }
}

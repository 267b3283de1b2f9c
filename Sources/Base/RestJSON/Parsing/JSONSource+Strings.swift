// SPDX-License-Identifier: Apache-2.0

/// The scanner of strings: from one byte that needs a closer look to the next, as a map tells them.
extension JSONSource {
    /// A string from its opening quote; gives the offset after the closing quote.
    @inline(__always)
    func scanString(
        _ start: Int, into tape: JSONTapeBuffer, at index: Int, _ stops: inout JSONStopMap
    ) throws(JSONFailure) -> Int {
        let end = stops.firstStop(from: start &+ 1)
        guard byte(end) == UInt8(ascii: "\""), end &- start <= TapeEntry.maximumLength else {
            return try scanLongString(start, from: end, into: tape, at: index, &stops)
        }
        tape.write(TapeEntry(.string, length: end &- start &- 1, position: start &+ 1), at: index)
        return end &+ 1
    }

    /// The same for a string with more than plain ASCII in it, from its first such byte on.
    @inline(never)
    private func scanLongString(
        _ start: Int, from stop: Int, into tape: JSONTapeBuffer, at index: Int, _ stops: inout JSONStopMap
    ) throws(JSONFailure) -> Int {
        var at = stop
        var kind = TapeKind.string
        while true {
            let byte = byte(at)
            if byte == UInt8(ascii: "\"") { break }
            if byte >= 0x80 {
                at = try scanMultiByte(at)
            } else if byte == UInt8(ascii: "\\") {
                kind = .escapedString
                at = JSONSource.isLetterOfEscape(self.byte(at &+ 1)) ? at &+ 2 : try scanUnicodeEscape(at)
            } else {
                throw JSONFailure(code: .controlCharacter, offset: at)
            }
            at = stops.firstStop(from: at)
        }
        let length = at &- start &- 1
        guard length < TapeEntry.maximumLength else { throw JSONFailure(code: .tooLong, offset: start) }
        tape.write(TapeEntry(kind, length: length, position: start &+ 1), at: index)
        return at &+ 1
    }

    /// Characters of two bytes or more (RFC 3629 §4), until an ASCII byte comes.
    @inline(never)
    private func scanMultiByte(_ start: Int) throws(JSONFailure) -> Int {
        var at = start
        while true {
            let length = JSONSource.multiByteLength(UInt32(truncatingIfNeeded: word(at)))
            if length == 0 { break }
            at &+= length
        }
        guard byte(at) < 0x80 else { throw JSONFailure(code: .utf8, offset: at) }
        return at
    }

    /// The length of the well-formed multi-byte character in the low bytes of a word, or 0.
    ///
    /// Overlong forms, surrogates (U+D800…U+DFFF) and code points above U+10FFFF are not well-formed.
    @inline(__always)
    static func multiByteLength(_ word: UInt32) -> Int {
        if word & 0xC0E0 == 0x80C0 {
            return word & 0x1E != 0 ? 2 : 0
        }
        if word & 0xC0_C0F0 == 0x80_80E0 {
            let point = (word & 0x0F) << 12 | (word >> 8 & 0x3F) << 6 | (word >> 16 & 0x3F)
            return point >= 0x800 && point &- 0xD800 >= 0x800 ? 3 : 0
        }
        if word & 0xC0C0_C0F8 == 0x8080_80F0 {
            let high = (word & 0x07) << 6 | (word >> 8 & 0x3F)
            return high &- 0x10 < 0x100 ? 4 : 0
        }
        return 0
    }

    /// Whether a backslash and this byte are an escape of two bytes (RFC 8259 §7).
    @inline(__always)
    private static func isLetterOfEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    /// An escape of a UTF-16 code unit from its backslash; a pair of surrogates is one escape.
    @inline(never)
    private func scanUnicodeEscape(_ start: Int) throws(JSONFailure) -> Int {
        guard byte(start &+ 1) == UInt8(ascii: "u") else { throw JSONFailure(code: .escape, offset: start &+ 1) }
        let unit = try hexUnit(start &+ 2)
        guard unit & 0xF800 == 0xD800 else { return start &+ 6 }
        guard unit < 0xDC00, byte(start &+ 6) == UInt8(ascii: "\\"), byte(start &+ 7) == UInt8(ascii: "u"),
            try hexUnit(start &+ 8) & 0xFC00 == 0xDC00
        else { throw JSONFailure(code: .loneSurrogate, offset: start) }
        return start &+ 12
    }

    /// The value of a hexadecimal digit in either case.
    @inline(__always)
    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }

    /// Four hexadecimal digits as a UTF-16 code unit.
    func hexUnit(_ start: Int) throws(JSONFailure) -> UInt32 {
        var unit: UInt32 = 0
        for offset in start..<start &+ 4 {
            guard let digit = JSONSource.hexValue(byte(offset)) else {
                throw JSONFailure(code: .hexDigit, offset: offset)
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Scanners of names, numbers, literals and white space. Each takes the offset of the token and gives the offset after.
extension JSONSource {
    /// The first offset that holds no white space (RFC 8259 §2).
    ///
    /// Compact text leaves after one comparison.
    @inline(__always)
    func skipWhitespace(_ start: Int) -> Int {
        byte(start) > 0x20 ? start : skipWhitespaceRun(start)
    }

    @inline(never)
    private func skipWhitespaceRun(_ start: Int) -> Int {
        var at = start
        while true {
            switch byte(at) {
            case 0x20, 0x0A, 0x0D, 0x09: at &+= 1
            default: return at
            }
        }
    }

    /// The offset of the first value or name inside the container that starts at `start`, or nil if it is empty.
    @inline(__always)
    func openContainer(_ start: Int, closing: UInt8) -> Int? {
        let inside = skipWhitespace(start &+ 1)
        return byte(inside) == closing ? nil : inside
    }

    /// `true`, `false` or `null`, compared as one word.
    @inline(__always)
    func scanLiteral(_ start: Int, into tape: JSONTapeBuffer, at index: Int) throws(JSONFailure) -> Int {
        let word = word(start)
        let kind: TapeKind
        if word & 0xFFFF_FFFF == 0x6C6C_756E {  // "null"
            kind = .null
        } else if word & 0xFFFF_FFFF == 0x6575_7274 {  // "true"
            kind = .true
        } else if word & 0xFF_FFFF_FFFF == 0x65_736C_6166 {  // "false"
            kind = .false
        } else {
            throw literalFailure(start)
        }
        let length = kind == .false ? 5 : 4
        tape.write(TapeEntry(kind, length: length, position: start), at: index)
        return start &+ length
    }

    /// Names the byte at which a text stops being a value, or a literal it has begun.
    @inline(never)
    private func literalFailure(_ start: Int) -> JSONFailure {
        for literal: StaticString in ["true", "false", "null"] {
            let matching = (0..<literal.utf8CodeUnitCount).prefix { offset in
                unsafe literal.utf8Start[offset] == byte(start &+ offset)
            }
            if !matching.isEmpty { return JSONFailure(code: .literal, offset: start &+ matching.count) }
        }
        return JSONFailure(code: .value, offset: start)
    }

    /// A number by the grammar of RFC 8259 §6; its value is not computed here.
    @inline(__always)
    func scanNumber(_ start: Int, into tape: JSONTapeBuffer, at index: Int) throws(JSONFailure) -> Int {
        var at = start
        if byte(at) == UInt8(ascii: "-") { at &+= 1 }
        if byte(at) == UInt8(ascii: "0") {
            at &+= 1
            if isDigit(at) { throw JSONFailure(code: .leadingZero, offset: at) }
        } else {
            at = try scanDigits(at)
        }
        var kind = TapeKind.integer
        if byte(at) == UInt8(ascii: ".") {
            kind = .decimal
            at = try scanDigits(at &+ 1)
        }
        if byte(at) | 0x20 == UInt8(ascii: "e") {
            kind = .decimal
            at &+= 1
            if byte(at) == UInt8(ascii: "+") || byte(at) == UInt8(ascii: "-") { at &+= 1 }
            at = try scanDigits(at)
        }
        guard at &- start < TapeEntry.maximumLength else { throw JSONFailure(code: .tooLong, offset: start) }
        tape.write(TapeEntry(kind, length: at &- start, position: start), at: index)
        return at
    }

    @inline(__always)
    private func isDigit(_ offset: Int) -> Bool { byte(offset) &- UInt8(ascii: "0") < 10 }

    /// One digit or more.
    @inline(__always)
    private func scanDigits(_ start: Int) throws(JSONFailure) -> Int {
        var at = start
        while isDigit(at) { at &+= 1 }
        guard at > start else { throw JSONFailure(code: .digit, offset: at) }
        return at
    }
}

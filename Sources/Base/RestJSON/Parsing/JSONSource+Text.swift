// SPDX-License-Identifier: Apache-2.0
extension JSONSource {
    /// The bytes of an entry as a string, copied without checks because the parser has validated their UTF-8.
    @inline(__always)
    func text(of entry: TapeEntry) -> String {
        unsafe withBytes(from: entry.position, entry.length) { bytes in
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
                return unsafe String(decoding: bytes, as: UTF8.self)
            }
            let isASCII = isASCII(from: entry.position, entry.length)
            return unsafe String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
        }
    }

    /// Whether all bytes of a range inside the text are ASCII.
    @inline(__always)
    private func isASCII(from start: Int, _ length: Int) -> Bool {
        var seen: UInt64 = 0
        var at = 0
        while at &+ 8 <= length {
            seen |= word(start &+ at)
            at &+= 8
        }
        // Bytes after the range are shifted out.
        if at < length { seen |= word(start &+ at) &<< UInt64(truncatingIfNeeded: 8 &* (8 &- (length &- at))) }
        return seen & 0x8080_8080_8080_8080 == 0
    }
}

// Scanners of names, numbers, literals and white space. Each takes the offset of a token and returns the offset after
// it.
extension JSONSource {
    /// The first offset without white space (RFC 8259, section 2), found by one comparison in compact text.
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

    /// The offset of the first value or name inside the container that starts at `start`, or `nil` if it is empty.
    @inline(__always)
    func openContainer(_ start: Int, closing: UInt8) -> Int? {
        let inside = skipWhitespace(start &+ 1)
        return byte(inside) == closing ? nil : inside
    }

    /// Scans `true`, `false` or `null`, compared as one word.
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

    /// The error at the first byte that does not continue a value or literal.
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

    /// Scans a number by the grammar of RFC 8259, section 6, without computing its value.
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

    @inline(__always)
    private func scanDigits(_ start: Int) throws(JSONFailure) -> Int {
        var at = start
        while isDigit(at) { at &+= 1 }
        guard at > start else { throw JSONFailure(code: .digit, offset: at) }
        return at
    }
}

/// Conversion of escapes in strings that the parser has accepted.
extension JSONSource {
    /// The value of a string or name as UTF-8.
    func unescaped(_ entry: TapeEntry) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: entry.length) { buffer, count in
            unsafe count = unescape(entry, into: buffer)
        }
    }

    /// The value of a string or name.
    func unescapedText(_ entry: TapeEntry) -> String {
        unsafe String(unsafeUninitializedCapacity: entry.length) { unsafe unescape(entry, into: $0) }
    }

    /// Writes the value into a buffer that has at least the entry's length, and returns the number of bytes.
    ///
    /// Unsafe by need: the standard library has no other way to fill a string in place. Safe because no escape is
    /// shorter than the bytes it represents, and `JSONByteRoom` checks each write in addition.
    private func unescape(_ entry: TapeEntry, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var room = unsafe JSONByteRoom(buffer)
        var at = entry.position
        let end = entry.position &+ entry.length
        while true {
            let stop = nextBackslash(from: at, to: end)
            room.append(from: self, at..<stop)
            guard stop < end else { return room.count }
            at = unescape(stop, into: &room)
        }
    }

    @inline(__always)
    private func nextBackslash(from start: Int, to end: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var at = start
        while at < end {
            let word = word(at) ^ (ones &* UInt64(UInt8(ascii: "\\")))
            // Marks zero bytes. The lowest mark is exact.
            let marks = (word &- ones) & ~word & (ones &* 0x80)
            if marks != 0 { return min(end, at &+ marks.trailingZeroBitCount &>> 3) }
            at &+= 8
        }
        return end
    }

    /// Converts the escape at a backslash, and returns the offset after it.
    private func unescape(_ start: Int, into room: inout JSONByteRoom) -> Int {
        switch byte(start &+ 1) {
        case UInt8(ascii: "b"): room.append(0x08)
        case UInt8(ascii: "f"): room.append(0x0C)
        case UInt8(ascii: "n"): room.append(0x0A)
        case UInt8(ascii: "r"): room.append(0x0D)
        case UInt8(ascii: "t"): room.append(0x09)
        case UInt8(ascii: "u"): return unescapeUnicode(start, into: &room)
        case let letter: room.append(letter)
        }
        return start &+ 2
    }

    /// Converts a `\u` escape, including the low surrogate after a high surrogate (RFC 8259, section 7).
    private func unescapeUnicode(_ start: Int, into room: inout JSONByteRoom) -> Int {
        // The parser has rejected text for which these would throw.
        let unit = (try? hexUnit(start &+ 2)) ?? 0xFFFD
        guard unit & 0xFC00 == 0xD800 else {
            room.append(scalar: unit)
            return start &+ 6
        }
        let low = (try? hexUnit(start &+ 8)) ?? 0xDC00
        room.append(scalar: 0x10000 &+ (unit & 0x3FF) &<< 10 &+ (low & 0x3FF))
        return start &+ 12
    }
}

/// A buffer that is filled from the front and drops bytes that do not fit.
@safe
struct JSONByteRoom {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { unsafe self.buffer = buffer }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        guard unsafe count < buffer.count else { return }
        // Initializing trivial bytes by assignment is allowed.
        unsafe buffer[count] = byte
        count &+= 1
    }

    @inline(__always)
    mutating func append(from source: JSONSource, _ range: Range<Int>) {
        let length = unsafe min(range.count, buffer.count &- count)
        unsafe source.copy(range.lowerBound, length, to: UnsafeMutableRawBufferPointer(buffer), at: count)
        count &+= length
    }

    /// Appends a code point that is not a surrogate as UTF-8 (RFC 3629, section 3).
    mutating func append(scalar point: UInt32) {
        guard point >= 0x80 else { return append(UInt8(truncatingIfNeeded: point)) }
        let tail = { (shift: UInt32) in UInt8(truncatingIfNeeded: 0x80 | point &>> shift & 0x3F) }
        if point < 0x800 {
            append(UInt8(truncatingIfNeeded: 0xC0 | point &>> 6))
        } else {
            if point < 0x10000 {
                append(UInt8(truncatingIfNeeded: 0xE0 | point &>> 12))
            } else {
                append(UInt8(truncatingIfNeeded: 0xF0 | point &>> 18))
                append(tail(12))
            }
            append(tail(6))
        }
        append(tail(0))
    }
}

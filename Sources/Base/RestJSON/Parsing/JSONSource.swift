// SPDX-License-Identifier: Apache-2.0

import CBytes

/// The bytes of a text, as the scanners read them, where every read outside of the text returns NUL.
///
/// JSON does not allow NUL anywhere (RFC 8259, section 7), so a scanner stops at the end without a separate check. Only
/// this type loads bytes for the parser.
///
/// Unsafe by need: an `Array` subscript cannot load eight bytes at a time. Safe because `base` points at `count` bytes
/// that the caller keeps alive for the whole parse (`withUnsafeBytes`), and each load below is checked against `count`.
@safe
struct JSONSource {
    private let base: UnsafeRawPointer
    let count: Int
    private let wordEnd: UInt
    private let blockEnd: UInt

    /// Wraps a buffer, which has no base address if it is empty.
    init(_ buffer: UnsafeRawBufferPointer) {
        let nothing: StaticString = ""
        unsafe base = buffer.baseAddress ?? UnsafeRawPointer(nothing.utf8Start)
        unsafe count = buffer.baseAddress == nil ? 0 : buffer.count
        wordEnd = UInt(bitPattern: max(0, count &- 7))
        blockEnd = UInt(bitPattern: max(0, count &- 63))
    }

    /// The byte at an offset, or NUL outside of the text.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        guard UInt(bitPattern: offset) < UInt(bitPattern: count) else { return 0 }
        return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// Eight bytes from an offset on, the first in the lowest bits, with NUL for bytes outside of the text.
    @inline(__always)
    func word(_ offset: Int) -> UInt64 {
        guard UInt(bitPattern: offset) < wordEnd else { return tail(offset) }
        return UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Sixteen bytes from an offset on, with NUL for bytes outside of the text.
    @inline(__always)
    func words(_ offset: Int) -> SIMD2<UInt64> {
        guard offset >= 0, offset <= count &- 16 else { return SIMD2(word(offset), word(offset &+ 8)) }
        return unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    }

    /// A bit for each of 64 bytes from an offset on, the first in the lowest bit, set if the string scanner must stop
    /// there.
    ///
    /// It stops at quotes, backslashes, control characters (including NUL past the end) and bytes of multi-byte
    /// characters.
    @inline(__always)
    func stops(_ offset: Int) -> UInt64 {
        guard UInt(bitPattern: offset) < blockEnd else { return stopsNearEnd(offset) }
        return unsafe cbytes_stops(base + offset)
    }

    @inline(never)
    private func stopsNearEnd(_ offset: Int) -> UInt64 {
        guard offset >= 0, offset < count else { return ~0 }
        if count >= 64 {
            // The last 64 bytes. Those before the offset are shifted out.
            let left = UInt64(truncatingIfNeeded: count &- offset)
            return unsafe cbytes_stops(base + (count &- 64)) &>> (64 &- left) | ~0 &<< left
        }
        let words = SIMD8(
            word(offset), word(offset &+ 8), word(offset &+ 16), word(offset &+ 24), word(offset &+ 32),
            word(offset &+ 40), word(offset &+ 48), word(offset &+ 56))
        return unsafe withUnsafeBytes(of: words) { unsafe $0.baseAddress.map { unsafe cbytes_stops($0) } ?? ~0 }
    }

    /// Whether the bytes of an earlier range (two bytes or more) repeat at an offset, or false near the end of the
    /// text.
    @inline(__always)
    func repeats(_ earlier: Int, at start: Int, length: Int) -> Bool {
        guard start > 0, UInt(bitPattern: earlier) < UInt(bitPattern: start), length >= 2,
            start &+ length <= count &- 8
        else { return false }
        let difference = unsafe wordInside(start) ^ wordInside(earlier)
        guard length > 8 else { return difference &<< UInt64(truncatingIfNeeded: 64 &- 8 &* length) == 0 }
        let last = length &- 8
        guard unsafe difference | (wordInside(start &+ last) ^ wordInside(earlier &+ last)) == 0 else { return false }
        var at = 8
        while at < last {
            guard unsafe wordInside(start &+ at) == wordInside(earlier &+ at) else { return false }
            at &+= 8
        }
        return true
    }

    /// Loads eight bytes that are known to be inside the text.
    @inline(__always)
    @unsafe private func wordInside(_ offset: Int) -> UInt64 {
        unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Copies bytes into a buffer, or does nothing unless both ranges are in bounds.
    @inline(__always)
    func copy(_ start: Int, _ length: Int, to buffer: UnsafeMutableRawBufferPointer, at target: Int) {
        guard start >= 0, length > 0, length <= count &- start, target >= 0, length <= buffer.count &- target,
            let room = buffer.baseAddress
        else { return }
        unsafe (room + target).copyMemory(from: base + start, byteCount: length)
    }

    /// Calls `body` with a range of the text, or with an empty buffer if the range is out of bounds.
    @inline(__always)
    @unsafe func withBytes<Result>(
        from start: Int, _ length: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        guard start >= 0, length > 0, length <= count &- start else {
            return unsafe body(UnsafeBufferPointer(start: nil, count: 0))
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: base + start, count: length)
        return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0) }
    }

    /// The bytes of a range, with NUL for bytes outside of the text.
    func bytes(in range: Range<Int>) -> [UInt8] { range.map { byte($0) } }

    /// The word at an offset less than eight bytes before the end: the last bytes of the text, shifted.
    @inline(never)
    private func tail(_ offset: Int) -> UInt64 {
        let left = count &- offset
        guard offset >= 0, left > 0 else { return 0 }
        if count >= 8 {
            let last = UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
            return last &>> UInt64(truncatingIfNeeded: 64 &- 8 &* left)
        }
        // Two loads of four bytes, which may overlap, or up to three loads of one byte.
        if left >= 4 {
            let low = UInt32(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let high = UInt32(littleEndian: unsafe base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return UInt64(low) | UInt64(high) &<< UInt64(truncatingIfNeeded: 8 &* (left &- 4))
        }
        return UInt64(byte(offset)) | UInt64(byte(offset &+ 1)) &<< 8 | UInt64(byte(offset &+ 2)) &<< 16
    }
}

/// The scanner of names, which are usually the names of the previous object.
///
/// A repeated name is recognized by its bytes including the quotes. Its tape entry is then copied unchanged, so equal
/// entries are equal names.
extension JSONSource {
    /// Scans a name and its colon, expecting the name `lag` entries back on the tape, unless `lag` is zero.
    @inline(__always)
    func scanName(
        _ start: Int, into tape: JSONTapeBuffer, at index: Int, lag: inout Int, _ stops: inout JSONStopMap
    ) throws(JSONFailure) -> Int {
        if lag > 0 {
            let model = tape.read(index &- lag)
            if let end = end(ofName: model, at: start) {
                tape.write(model, at: index)
                return skipWhitespace(end)
            }
        }
        return try scanOtherName(start, into: tape, at: index, lag: &lag, &stops)
    }

    /// The offset after a name and its colon, if the bytes of an earlier name repeat at `start`.
    @inline(__always)
    private func end(ofName model: TapeEntry, at start: Int) -> Int? {
        let length = model.length &+ 2
        guard model.has(.string), repeats(model.position &- 1, at: start, length: length),
            byte(start &+ length) == UInt8(ascii: ":")
        else { return nil }
        return start &+ length &+ 1
    }

    /// Scans a name that does not match the expected name.
    ///
    /// If a member of this object is a single entry, the previous object may have had a container there. The names
    /// after that container match again.
    @inline(never)
    private func scanOtherName(
        _ start: Int, into tape: JSONTapeBuffer, at index: Int, lag: inout Int, _ stops: inout JSONStopMap
    ) throws(JSONFailure) -> Int {
        let skipped = tape.read(index &- lag &- 1)
        if lag > 0, skipped.isContainer, !tape.read(index &- 1).isContainer {
            lag = index &- skipped.position
            if lag > 0, case let model = tape.read(skipped.position), let end = end(ofName: model, at: start) {
                tape.write(model, at: index)
                return skipWhitespace(end)
            }
        }
        return try scanNewName(start, into: tape, at: index, &stops)
    }

    /// Scans a name without an expectation.
    private func scanNewName(
        _ start: Int, into tape: JSONTapeBuffer, at index: Int, _ stops: inout JSONStopMap
    ) throws(JSONFailure) -> Int {
        guard byte(start) == UInt8(ascii: "\"") else {
            throw JSONFailure(code: byte(start &- 1) == UInt8(ascii: "{") ? .keyOrBrace : .key, offset: start)
        }
        let end = skipWhitespace(try scanString(start, into: tape, at: index, &stops))
        guard byte(end) == UInt8(ascii: ":") else { throw JSONFailure(code: .colon, offset: end) }
        return skipWhitespace(end &+ 1)
    }
}

/// The scanner of strings, which jumps between the bytes that a stop map marks.
extension JSONSource {
    /// Scans a string from its opening quote, and returns the offset after the closing quote.
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

    /// Scans the rest of a string that is not plain ASCII, from its first special byte.
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

    /// Scans multi-byte characters (RFC 3629, section 4) up to the next ASCII byte.
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

    /// Whether a backslash and this byte are an escape of two bytes (RFC 8259, section 7).
    @inline(__always)
    private static func isLetterOfEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    /// Scans a `\u` escape or a surrogate pair of two such escapes from its backslash.
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

    @inline(__always)
    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }

    /// Parses four hexadecimal digits as a UTF-16 code unit.
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

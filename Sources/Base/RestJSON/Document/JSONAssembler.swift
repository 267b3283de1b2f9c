// SPDX-License-Identifier: Apache-2.0

/// Builds a document without parsing: the compact text and its tape at the same time, for readers of binary formats.
///
/// The result equals the document that the parser makes of the same text. The caller guarantees that values follow
/// each other as in JSON. A mistake gives a wrong value, and never an access outside of the memory.
@safe
package struct JSONAssembler: ~Copyable {
    /// The bytes from which strings are copied.
    private let input: JSONSource
    private let names: JSONSource
    private let nullMembers: [TapeEntry]
    private let output: JSONOutput
    private var tape: [TapeEntry] = []
    private let maximumBytes: Int

    /// A container between `begin` and `end`: its index on the tape and the offset of its first byte.
    package struct Container {
        fileprivate let index: Int
        fileprivate let offset: Int
    }

    private init(
        _ input: JSONSource, _ names: JSONSource, _ nullMembers: [TapeEntry], _ room: (bytes: Int, entries: Int),
        _ maximumBytes: Int
    ) {
        (self.input, self.names, self.nullMembers, self.maximumBytes) = (input, names, nullMembers, maximumBytes)
        // bounded: by the caller, from lengths of existing memory
        output = JSONOutput(capacity: room.bytes)
        // bounded: by the caller, from lengths of existing memory
        tape.reserveCapacity(room.entries)
        tape.append(TapeEntry(.array, length: 1, position: 0))
    }

    /// Returns the value that `body` builds.
    ///
    /// - Parameters:
    ///   - input: The bytes from which strings are copied.
    ///   - names: The names of members that are known in advance.
    ///   - room: The expected number of bytes and of tape entries. The memory grows if they do not suffice.
    ///   - maximumBytes: The length of the text from which no container begins.
    ///   - body: Builds one value. The assembler must not escape.
    /// - Returns: The value, as a view of a new document.
    /// - Throws: The error of `body`.
    package static func value<Failure: Error>(
        copying input: [UInt8], names: JSONNameTexts, room: (bytes: Int, entries: Int), maximumBytes: Int,
        _ body: (inout JSONAssembler) throws(Failure) -> Void
    ) throws(Failure) -> JSONValue {
        let nullMembers = names.nullMembers
        return try unsafe input.withUnsafeBufferPointer { input throws(Failure) in
            try unsafe names.bytes.withUnsafeBufferPointer { names throws(Failure) in
                // Both buffers outlive the closures and do not escape.
                let source = unsafe JSONSource(UnsafeRawBufferPointer(input))
                let texts = unsafe JSONSource(UnsafeRawBufferPointer(names))
                var assembler = JSONAssembler(source, texts, nullMembers, room, maximumBytes)
                try body(&assembler)
                return assembler.finish()
            }
        }
    }

    private consuming func finish() -> JSONValue {
        tape[0] = TapeEntry(.array, length: 1, position: tape.count)
        return JSONDocument(bytes: output.bytes, tape: tape).root
    }

    // MARK: - Containers

    /// Begins an object or an array, or returns `nil` if the text is too long.
    @inline(__always)
    package mutating func begin() -> Container? {
        guard output.count <= maximumBytes else { return nil }
        tape.append(TapeEntry(.null, length: 0, position: 0))
        return Container(index: tape.count &- 1, offset: output.count)
    }

    /// Ends an object of `count` members, or an array of `count` elements.
    ///
    /// The separator before the first member or element becomes the opening bracket.
    package mutating func end(_ container: Container, _ kind: JSONValue.Kind, count: Int) {
        let isObject = kind == .object
        if count == 0 { output.append(0) }
        output.replace(UInt8(ascii: isObject ? "{" : "["), at: container.offset)
        output.append(UInt8(ascii: isObject ? "}" : "]"))
        tape[container.index] = TapeEntry(
            isObject ? .object : .array, length: min(count, TapeEntry.maximumLength), position: tape.count)
    }

    /// Writes the separator before an element of an array.
    package mutating func separate() { output.append(UInt8(ascii: ",")) }

    /// Writes the separator and the name of a member.
    @inline(__always)
    package mutating func name(_ name: JSONNameTexts.Name) {
        tape.append(TapeEntry(.string, length: name.length, position: output.count &+ 2))
        output.append(from: names, name.offset, name.length &+ 4)
    }

    /// Writes members whose values are null, for names that follow each other in the list.
    ///
    /// Their texts follow each other too, so one copy is enough, and entries on the tape only move.
    package mutating func nulls(_ first: JSONNameTexts.Name, through last: JSONNameTexts.Name) {
        let shift = UInt64(UInt32(truncatingIfNeeded: output.count &- first.offset))
        let entries = 2 &* Int(first.index)..<2 &* Int(last.index) &+ 2
        for index in entries where index < nullMembers.count {
            tape.append(nullMembers[index].moved(by: shift))
        }
        output.append(from: names, first.offset, last.offset &+ last.length &+ 8 &- first.offset)
    }

    /// Writes the separator and the name of a member from the input, or returns false if it is not UTF-8.
    package mutating func name(at start: Int, count: Int) -> Bool {
        separate()
        guard string(at: start, count: count) else { return false }
        output.append(UInt8(ascii: ":"))
        return true
    }

    // MARK: - Scalars

    package mutating func null() { literal("null", .null) }

    package mutating func bool(_ value: Bool) { value ? literal("true", .true) : literal("false", .false) }

    private mutating func literal(_ text: StaticString, _ kind: TapeKind) {
        tape.append(TapeEntry(kind, length: text.utf8CodeUnitCount, position: output.count))
        output.append(plain: text)
    }

    package mutating func integer(_ value: Int64) {
        let start = output.count
        output.append(integer: value)
        tape.append(TapeEntry(.integer, length: output.count &- start, position: start))
    }

    /// Writes the shortest text of a number, or a string for NaN and the infinities, which are not numbers in JSON.
    package mutating func double(_ value: Double) { number(value) }

    /// Writes the shortest text of a number of single precision, or a string for NaN and the infinities.
    package mutating func float(_ value: Float) { number(value) }

    private mutating func number(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        let start = output.count
        guard output.append(float: value) else {
            return text(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
        }
        tape.append(TapeEntry(.decimal, length: output.count &- start, position: start))
    }

    /// Writes a string that needs no escapes.
    package mutating func text(_ ascii: String) {
        output.append(UInt8(ascii: "\""))
        let offset = output.count
        output.append(ascii: ascii)
        endString(.string, from: offset)
    }

    private mutating func endString(_ kind: TapeKind, from offset: Int) {
        tape.append(TapeEntry(kind, length: output.count &- offset, position: offset))
        output.append(UInt8(ascii: "\""))
    }

    /// Writes a known name as a string.
    package mutating func text(_ name: JSONNameTexts.Name) {
        tape.append(TapeEntry(.string, length: name.length, position: output.count &+ 1))
        output.append(from: names, name.offset &+ 1, name.length &+ 2)
    }

    /// Writes a string from the input, or returns false if it is not UTF-8.
    package mutating func string(at start: Int, count: Int) -> Bool {
        output.append(UInt8(ascii: "\""))
        let offset = output.count
        var kind = TapeKind.string
        if count <= 64, input.stops(start).trailingZeroBitCount >= count {
            output.append(from: input, start, count)
        } else {
            guard let found = content(start, start &+ count) else { return false }
            kind = found
        }
        endString(kind, from: offset)
        return true
    }

    /// Copies a string with escapes, or returns `nil` if it is not UTF-8.
    @inline(never)
    private mutating func content(_ start: Int, _ end: Int) -> TapeKind? {
        var (at, kind) = (start, TapeKind.string)
        while at < end {
            let stop = min(end, at &+ input.stops(at).trailingZeroBitCount)
            output.append(from: input, at, stop &- at)
            at = stop
            let byte = input.byte(at)
            guard at < end, byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C else { continue }
            if byte < 0x80 {
                output.append(escape: byte)
                (at, kind) = (at &+ 1, .escapedString)
                continue
            }
            // Characters of several bytes come in runs.
            while at < end, input.byte(at) >= 0x80 {
                let length = JSONSource.multiByteLength(UInt32(truncatingIfNeeded: input.word(at)))
                guard length > 0, at &+ length <= end else { return nil }
                at &+= length
            }
            output.append(from: input, stop, at &- stop)
        }
        return kind
    }

    /// Writes bytes of the input as a string in which each byte is the character with its code, U+0000 to U+00FF.
    package mutating func codePoints(at start: Int, count: Int) {
        output.append(UInt8(ascii: "\""))
        let offset = output.count
        var kind = TapeKind.string
        for at in start..<start &+ count {
            let byte = input.byte(at)
            if byte >= 0x80 {
                output.append(0xC0 | byte &>> 6)
                output.append(0x80 | byte & 0x3F)
            } else if byte < 0x20 || byte == 0x22 || byte == 0x5C {
                kind = .escapedString
                output.append(escape: byte)
            } else {
                output.append(byte)
            }
        }
        endString(kind, from: offset)
    }
}

/// Names of members for a `JSONAssembler`, each as the bytes that precede a value.
package struct JSONNameTexts: Sendable {
    /// A name of the list.
    package struct Name: Sendable {
        fileprivate let start: UInt32
        fileprivate let count: UInt32
        /// The index in the list.
        fileprivate let index: UInt32

        @inline(__always)
        fileprivate var offset: Int { Int(start) }
        @inline(__always)
        fileprivate var length: Int { Int(count) }
    }

    /// For each name a comma, the name in quotes, a colon, and `null`.
    fileprivate var bytes: [UInt8] = []
    /// For each name the entries of the name and of `null`, with positions in `bytes`.
    fileprivate var nullMembers: [TapeEntry] = []

    package init() {}

    /// The sum of the lengths of all names, with separators and a null after each name.
    package var byteCount: Int { bytes.count }

    /// Adds a name, or returns `nil` if a character of the name is not printable ASCII or needs an escape.
    package mutating func add(_ name: String) -> Name? {
        let isPlain = name.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard isPlain, let start = UInt32(exactly: bytes.count), let count = UInt32(exactly: name.utf8.count) else {
            return nil
        }
        nullMembers.append(TapeEntry(.string, length: name.utf8.count, position: bytes.count + 2))
        bytes += Array(",\"\(name)\":".utf8)
        nullMembers.append(TapeEntry(.null, length: 4, position: bytes.count))
        bytes += Array("null".utf8)
        return Name(start: start, count: count, index: UInt32(truncatingIfNeeded: nullMembers.count / 2 - 1))
    }
}

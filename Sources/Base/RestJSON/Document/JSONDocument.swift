// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A parsed JSON text: the original bytes, and a tape with one entry for each value and name.
///
/// Values are decoded lazily. All values of a document share it and keep it alive. To let a value outlive a large
/// document without retaining it, use `JSONValue.detached()`.
public final class JSONDocument: Sendable {
    /// The original text in UTF-8.
    public let bytes: [UInt8]
    /// The entries, after which a reused tape may have stale entries that no index refers to.
    let tape: [TapeEntry]
    /// The pool that receives the tape when the document is deallocated.
    private let pool: JSONTapePool?

    /// Results of earlier lookups, see `JSONLookupHints`.
    let hints = JSONLookupHints()
    /// The indices of wide objects by tape index, each created once.
    let wideIndices = Mutex<[Int: JSONWideIndex]>([:])

    /// Parses a text strictly by RFC 8259: one value, well-formed UTF-8, nothing after the value.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8 without a byte-order mark.
    ///   - limits: The maximum nesting depth and text length.
    /// - Throws: `JSONError` with the position of the first error.
    public init(parsing bytes: [UInt8], limits: JSONDocument.Limits = .default) throws(JSONError) {
        tape = try JSONParser.tape(of: bytes, limits: limits)
        self.bytes = bytes
        pool = nil
    }

    /// Parses a text onto a tape from a pool.
    init(parsing bytes: [UInt8], from pool: JSONTapePool?) throws(JSONError) {
        tape = try JSONParser.tape(of: bytes, limits: .default, from: pool)
        self.bytes = bytes
        self.pool = pool
    }

    /// Joins bytes with the tape that the parser made from them.
    init(bytes: [UInt8], tape: [TapeEntry]) {
        self.bytes = bytes
        self.tape = tape
        pool = nil
    }

    deinit { pool?.giveBack(tape) }

    /// Parses a JSON text given as a string.
    public convenience init(parsing text: String, limits: JSONDocument.Limits = .default) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    /// The value of the whole text.
    public var root: JSONValue { JSONValue(self, at: JSONDocument.rootIndex) }

    /// The tape index of the root, after entry 0, which represents the text itself.
    package static let rootIndex = 1
}

/// Lookup of members by name, without scanning the whole object for each field.
///
/// If a name repeats, the last member counts, so a match is final only if the names are known to be distinct. The first
/// lookup in an object scans to its end, which is cheap because the tape has the lengths of names. The second lookup
/// checks whether names repeat and remembers the result. Later lookups start after the previous match and wrap around
/// once. Reading the fields of a record in order thus costs one comparison per field. Objects with many members are
/// indexed once.
extension JSONDocument {
    /// The tape index of the value of the last member with a name, or `nil` if it is missing or the value is not an
    /// object.
    @usableFromInline
    func member(named name: String, of index: Int) -> Int? {
        tape[index].has(.object) ? value(named: name, inObjectAt: index) : nil
    }

    func value(named name: String, inObjectAt object: Int) -> Int? {
        var name = name
        return name.withUTF8 { name in
            unsafe bytes.withUnsafeBufferPointer { text in
                // Both buffers outlive the closures and do not escape.
                unsafe value(
                    named: JSONNameBytes(JSONSource(UnsafeRawBufferPointer(name))), inObjectAt: object,
                    text: JSONSource(UnsafeRawBufferPointer(text)))
            }
        }
    }

    func isString(_ text: String, at index: Int) -> Bool {
        var text = text
        return text.withUTF8 { text in
            // The buffer outlives the closure and does not escape.
            let name = unsafe JSONNameBytes(JSONSource(UnsafeRawBufferPointer(text)))
            return withSource { name.matches(tape[index], in: $0) }
        }
    }

    @inline(__always)
    private func value(named name: JSONNameBytes, inObjectAt object: Int, text: JSONSource) -> Int? {
        switch hints.state(ofObjectAt: object) {
        case .unknown: firstValue(named: name, inObjectAt: object, text: text)
        case .seen: secondValue(named: name, inObjectAt: object, text: text)
        case .distinct(let start): onlyValue(named: name, inObjectAt: object, from: start, text: text)
        case .repeating: lastValue(named: name, inObjectAt: object, text: text)
        }
    }

    @inline(__always)
    private func firstValue(named name: JSONNameBytes, inObjectAt object: Int, text: JSONSource) -> Int? {
        hints.setSeen(objectAt: object)
        return lastValue(named: name, inObjectAt: object, text: text)
    }

    @inline(never)
    private func secondValue(named name: JSONNameBytes, inObjectAt object: Int, text: JSONSource) -> Int? {
        guard tape[object].length <= JSONNameTable.largestObject else {
            return wideIndex(ofObjectAt: object, text: text).value(named: name, in: tape, text)
        }
        guard JSONNameTable.hasDistinctNames(objectAt: object, in: self, text) else {
            hints.setRepeating(objectAt: object)
            return lastValue(named: name, inObjectAt: object, text: text)
        }
        return onlyValue(named: name, inObjectAt: object, from: object &+ 1, text: text)
    }

    /// The value of a name that occurs at most once, searched from the last match on and wrapping around.
    @inline(__always)
    private func onlyValue(named name: JSONNameBytes, inObjectAt object: Int, from start: Int, text: JSONSource) -> Int?
    {
        let end = tape[object].position
        guard
            let member = member(named: name, from: start, to: end, text: text)
                ?? member(named: name, from: object &+ 1, to: start, text: text)
        else {
            hints.setDistinct(objectAt: object, nextMember: start)
            return nil
        }
        hints.setDistinct(objectAt: object, nextMember: index(after: member &+ 1))
        return member &+ 1
    }

    @inline(__always)
    private func member(named name: JSONNameBytes, from start: Int, to end: Int, text: JSONSource) -> Int? {
        var member = start
        while member < end {
            if name.matches(tape[member], in: text) { return member }
            member = index(after: member &+ 1)
        }
        return nil
    }

    /// The last value of a name that may repeat, found by a full scan.
    @inline(never)
    private func lastValue(named name: JSONNameBytes, inObjectAt object: Int, text: JSONSource) -> Int? {
        let end = tape[object].position
        var found: Int?
        var member = object &+ 1
        while member < end {
            if name.matches(tape[member], in: text) { found = member &+ 1 }
            member = index(after: member &+ 1)
        }
        return found
    }

    private func wideIndex(ofObjectAt object: Int, text: JSONSource) -> JSONWideIndex {
        if let index = wideIndices.withLock({ $0[object] }) { return index }
        let index = JSONWideIndex(objectAt: object, in: self, text)
        wideIndices.withLock { $0[object] = index }
        return index
    }
}

// Reading of values from the tape. Indices come from the tape itself, and arrays check them again.
extension JSONDocument {
    /// The tape index after a value and its content.
    @inline(__always)
    package func index(after index: Int) -> Int {
        let entry = tape[index]
        return entry.isContainer ? entry.position : index &+ 1
    }

    /// The number of members or elements, computed by walking the container if it does not fit into the entry.
    func count(of entry: TapeEntry, at index: Int) -> Int {
        guard entry.length == TapeEntry.maximumLength else { return entry.length }
        var count = 0
        var child = index + 1
        while child < entry.position {
            child = self.index(after: entry.has(.object) ? child + 1 : child)
            count += 1
        }
        return count
    }

    /// Calls `body` with the text for checked reads, which must not escape.
    @inline(__always)
    func withSource<Result>(_ body: (JSONSource) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { unsafe body(JSONSource(UnsafeRawBufferPointer($0))) }
    }

    /// The string at an index, or `nil` for any other kind.
    @usableFromInline
    package func characters(at index: Int) -> String? {
        let entry = tape[index]
        if entry.has(.string) { return text(of: entry) }
        return entry.has(.escapedString) ? unescapedText(of: entry) : nil
    }

    /// The integer at an index, or `nil` for other kinds, fractions and numbers out of range.
    @usableFromInline
    func int(at index: Int) -> Int? {
        let entry = tape[index]
        return entry.isNumber ? withSource { JSONNumber.integer($0, entry.range, as: Int.self) } : nil
    }

    /// The number at an index, or `nil` for other kinds and numbers beyond the range of `Double`.
    @usableFromInline
    package func double(at index: Int) -> Double? {
        let entry = tape[index]
        return entry.isNumber ? withSource { JSONNumber.double($0, entry.range) } : nil
    }

    /// The Boolean at an index, or `nil` for any other kind.
    @usableFromInline
    package func bool(at index: Int) -> Bool? {
        let entry = tape[index]
        if entry.has(.true) { return true }
        return entry.has(.false) ? false : nil
    }

    /// The string or name at an index, or the empty string for any other kind.
    package func string(at index: Int) -> String {
        let entry = tape[index]
        switch entry.kind {
        case .string: return text(of: entry)
        case .escapedString: return unescapedText(of: entry)
        default: return ""
        }
    }

    /// The bytes of an entry as a string, without processing escapes.
    @inline(__always)
    func text(of entry: TapeEntry) -> String { withSource { $0.text(of: entry) } }

    /// The value of a string with escapes.
    @inline(never)
    func unescapedText(of entry: TapeEntry) -> String { withSource { $0.unescapedText(entry) } }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A parsed text: the bytes as they came, and beside them a tape with one entry for each value and name.
///
/// Nothing is decoded until it is asked for. All values read from a document share it and keep it alive; a value that
/// shall outlive a large document can be made independent with `JSONValue.detached()`.
public final class JSONDocument: Sendable {
    /// The text.
    public let bytes: [UInt8]
    /// The entries; a tape that was filled before may go on behind those of this text, where no index leads.
    let tape: [TapeEntry]
    /// Where the tape goes with the document.
    private let pool: JSONTapePool?

    /// What earlier lookups have found out, see `JSONDocument+Lookup.swift`.
    let hints = JSONLookupHints()
    /// The indices of wide objects by tape index, each made once.
    let wideIndices = Mutex<[Int: JSONWideIndex]>([:])

    /// Parses a text by RFC 8259, strictly: one value, well-formed UTF-8, nothing after it.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8 without a byte-order mark.
    ///   - limits: The deepest nesting and longest text to accept.
    /// - Throws: `JSONError` with the place of the first fault.
    public init(parsing bytes: [UInt8], limits: JSONDocument.Limits = .default) throws(JSONError) {
        tape = try JSONParser.tape(of: bytes, limits: limits)
        self.bytes = bytes
        pool = nil
    }

    /// Parses a text on a tape of a pool.
    init(parsing bytes: [UInt8], from pool: JSONTapePool?) throws(JSONError) {
        tape = try JSONParser.tape(of: bytes, limits: .default, from: pool)
        self.bytes = bytes
        self.pool = pool
    }

    /// Joins bytes and the tape that the parser has made of them.
    init(bytes: [UInt8], tape: [TapeEntry]) {
        self.bytes = bytes
        self.tape = tape
        pool = nil
    }

    deinit {
        pool?.giveBack(tape)
    }

    /// Parses a text that is already a string.
    public convenience init(parsing text: String, limits: JSONDocument.Limits = .default) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    /// The value of the whole text.
    public var root: JSONValue { JSONValue(self, at: JSONDocument.rootIndex) }

    /// The tape index of the root; entry 0 stands for the text itself.
    package static let rootIndex = 1
}

/// Finding members by name, without a scan of the whole object for each of its fields.
///
/// The last member of a name counts, so a hit is final only if no name repeats. The first lookup in an object walks to
/// its end, which the lengths of the names on the tape make cheap. The second one finds out whether names repeat, and
/// remembers it; later ones start after the previous hit and go around once. Reading the fields of a record in their
/// order thus costs one comparison for each. Objects with many members are indexed once.
extension JSONDocument {
    /// The tape index of the value of the last member with a name; nil when absent or when this is no object.
    @usableFromInline
    func member(named name: String, of index: Int) -> Int? {
        tape[index].has(.object) ? value(named: name, inObjectAt: index) : nil
    }

    /// The tape index of the value of the last member with a name, or nil.
    func value(named name: String, inObjectAt object: Int) -> Int? {
        var name = name
        return name.withUTF8 { name in
            unsafe bytes.withUnsafeBufferPointer { text in
                // Both buffers live until the closures return, and neither is kept.
                unsafe value(
                    named: JSONNameBytes(JSONSource(UnsafeRawBufferPointer(name))), inObjectAt: object,
                    text: JSONSource(UnsafeRawBufferPointer(text)))
            }
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

    /// The first lookup in an object, and for many objects the only one.
    @inline(__always)
    private func firstValue(named name: JSONNameBytes, inObjectAt object: Int, text: JSONSource) -> Int? {
        hints.setSeen(objectAt: object)
        return lastValue(named: name, inObjectAt: object, text: text)
    }

    /// The second lookup in an object.
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

    /// The value of a name that occurs once at most: from the member after the last hit, around once.
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

    /// The last value of a name that may repeat: a scan to the end.
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

    /// The index of a wide object, made when it is asked for first.
    private func wideIndex(ofObjectAt object: Int, text: JSONSource) -> JSONWideIndex {
        if let index = wideIndices.withLock({ $0[object] }) { return index }
        let index = JSONWideIndex(objectAt: object, in: self, text)
        wideIndices.withLock { $0[object] = index }
        return index
    }
}

/// Reading values off the tape. Indices come from the tape itself; arrays check them once more.
extension JSONDocument {
    /// The tape index after the value at an index, with all that is inside it.
    @inline(__always)
    package func index(after index: Int) -> Int {
        let entry = tape[index]
        return entry.isContainer ? entry.position : index &+ 1
    }

    /// The number of members or elements of a container.
    ///
    /// Counts that did not fit into the entry are counted again.
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

    /// Calls a function with the text for checked reads; the function must not keep it.
    @inline(__always)
    func withSource<Result>(_ body: (JSONSource) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { unsafe body(JSONSource(UnsafeRawBufferPointer($0))) }
    }

    /// The characters of the string at an index; nil for any other kind.
    @usableFromInline
    package func characters(at index: Int) -> String? {
        let entry = tape[index]
        if entry.has(.string) { return text(of: entry) }
        return entry.has(.escapedString) ? unescapedText(of: entry) : nil
    }

    /// The integer at an index; nil for other kinds, fractions and what is out of range.
    @usableFromInline
    func int(at index: Int) -> Int? {
        let entry = tape[index]
        return entry.isNumber ? withSource { JSONNumber.integer($0, entry.range, as: Int.self) } : nil
    }

    /// The number at an index; nil for other kinds and what is beyond the range of doubles.
    @usableFromInline
    package func double(at index: Int) -> Double? {
        let entry = tape[index]
        return entry.isNumber ? withSource { JSONNumber.double($0, entry.range) } : nil
    }

    /// The boolean at an index; nil for any other kind.
    @usableFromInline
    package func bool(at index: Int) -> Bool? {
        let entry = tape[index]
        if entry.has(.true) { return true }
        return entry.has(.false) ? false : nil
    }

    /// The characters of the string or name at an index; the empty string for any other kind.
    package func string(at index: Int) -> String {
        let entry = tape[index]
        switch entry.kind {
        case .string: return text(of: entry)
        case .escapedString: return unescapedText(of: entry)
        default: return ""
        }
    }

    /// The bytes of an entry as a string, as they are.
    @inline(__always)
    func text(of entry: TapeEntry) -> String { withSource { $0.text(of: entry) } }

    /// The characters of a string with escapes.
    @inline(never)
    func unescapedText(of entry: TapeEntry) -> String {
        withSource { $0.unescapedText(entry) }
    }
}

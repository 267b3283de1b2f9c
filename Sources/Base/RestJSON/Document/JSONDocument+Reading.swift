// SPDX-License-Identifier: Apache-2.0

/// Reading values off the tape. Indices come from the tape itself; arrays check them once more.
extension JSONDocument {
    /// The tape index after the value at an index, with all that is inside it.
    @inline(__always)
    func index(after index: Int) -> Int {
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
    func characters(at index: Int) -> String? {
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
    func double(at index: Int) -> Double? {
        let entry = tape[index]
        return entry.isNumber ? withSource { JSONNumber.double($0, entry.range) } : nil
    }

    /// The boolean at an index; nil for any other kind.
    @usableFromInline
    func bool(at index: Int) -> Bool? {
        let entry = tape[index]
        if entry.has(.true) { return true }
        return entry.has(.false) ? false : nil
    }

    /// The characters of the string or name at an index; the empty string for any other kind.
    func string(at index: Int) -> String {
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

// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

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

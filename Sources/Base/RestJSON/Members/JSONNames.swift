// SPDX-License-Identifier: Apache-2.0

/// The numbered names that a type knows, compared with names of a document eight bytes at a time, and never freed.
package final class JSONNames: Sendable {
    package let names: [String]
    /// The first comparison for each name.
    private let marks: [Mark]
    /// The bytes after the first eight of each name, as words of which the last overlaps the word before it.
    private let tails: [[UInt64]]
    /// A hash table of the indices of the names.
    private let slots: [UInt32]

    private static let vacant = UInt32.max

    /// The parts of a name that distinguish it from most others.
    private struct Mark: Equatable {
        /// The upper half of a tape entry of the name without escapes.
        let signature: UInt64
        /// The first eight bytes, padded with NUL.
        let head: UInt64
    }

    /// Creates a set of distinct names without escapes.
    package init(_ names: [String]) {
        self.names = names
        let texts = names.map { Array($0.utf8) }
        marks = texts.map { text in
            Mark(
                signature: TapeEntry(.string, length: text.count, position: 0).bits &>> 32,
                head: Self.word(text, at: 0))
        }
        tails = texts.map { text in
            stride(from: 8, to: text.count, by: 8).map { Self.word(text, at: min($0, text.count - 8)) }
        }
        slots = Self.slots(marks)
    }

    /// The index of the name at a tape entry, or `nil` if the name is unknown, where `guess` is the index to try first.
    @inline(__always)
    func number(of entry: TapeEntry, in text: JSONSource, guess: Int) -> Int? {
        guard entry.has(.string) else { return escapedNumber(of: entry, in: text) }
        let mark = Mark(signature: entry.bits &>> 32, head: text.head(of: entry))
        if guess < marks.count, matches(guess, mark, entry, text) { return guess }
        return hashedNumber(of: entry, mark, text)
    }

    @inline(__always)
    private func matches(_ number: Int, _ mark: Mark, _ entry: TapeEntry, _ text: JSONSource) -> Bool {
        marks[number] == mark && (entry.length <= 8 || hasEqualTail(number, entry, text))
    }

    private func hasEqualTail(_ number: Int, _ entry: TapeEntry, _ text: JSONSource) -> Bool {
        var at = 8
        for word in tails[number] {
            if text.word(entry.position &+ min(at, entry.length &- 8)) != word { return false }
            at &+= 8
        }
        return true
    }

    @inline(never)
    private func hashedNumber(of entry: TapeEntry, _ mark: Mark, _ text: JSONSource) -> Int? {
        let mask = slots.count &- 1
        var slot = Self.hash(mark) & mask
        while slots[slot] != Self.vacant {
            let number = Int(slots[slot])
            if matches(number, mark, entry, text) { return number }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    @inline(never)
    private func escapedNumber(of entry: TapeEntry, in text: JSONSource) -> Int? {
        guard entry.has(.escapedString) else { return nil }
        let name = text.unescapedText(entry)
        // Compared as scalars: different Unicode spellings are different names.
        return names.firstIndex { $0.unicodeScalars.elementsEqual(name.unicodeScalars) }
    }
}

extension JSONNames {
    /// A hash of the length and the first bytes.
    @inline(__always)
    private static func hash(_ mark: Mark) -> Int {
        Int(truncatingIfNeeded: (mark.head ^ mark.signature &* 31) &* 0x9E37_79B9_7F4A_7C15 &>> 40)
    }

    private static func slots(_ marks: [Mark]) -> [UInt32] {
        // At least half of the slots stay empty, so every search terminates.
        let count = 1 << (Int.bitWidth - (2 * marks.count).leadingZeroBitCount)
        var slots = [UInt32](repeating: vacant, count: count)
        for (number, mark) in marks.enumerated() {
            var slot = hash(mark) & (count - 1)
            while slots[slot] != vacant { slot = (slot + 1) & (count - 1) }
            slots[slot] = UInt32(truncatingIfNeeded: number)
        }
        return slots
    }

    private static func word(_ text: [UInt8], at start: Int) -> UInt64 {
        text[start...].prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
    }
}

/// The positions of wanted members in objects that have the same names in the same order, as the records of a page do.
///
/// Checking an object costs one comparison per name. After that, every member is known by its position.
package struct JSONShape: Sendable {
    private let names: JSONNames
    /// The index of each wanted member in `names`.
    private let wanted: [Int]
    /// The tape index of each member's value in the current object.
    private var places: [Int]

    /// Creates the shape of objects, or returns `nil` if a name repeats, there are none, or a wanted index is out of
    /// range.
    ///
    /// - Parameters:
    ///   - names: All names of such an object in order, without escapes.
    ///   - wanted: The index of each wanted member in `names`.
    package init?(names: [String], wanted: [Int]) {
        guard !names.isEmpty, Set(names).count == names.count, wanted.allSatisfy(names.indices.contains) else {
            return nil
        }
        (self.names, self.wanted) = (JSONNames(names), wanted)
        places = Array(repeating: 0, count: names.count)
    }

    /// Calls `body` for each wanted value if an object has the names of this shape, and returns whether it has.
    @inline(__always)
    package mutating func forEachPlace(
        of object: JSONValue, _ body: (_ number: Int, _ document: JSONDocument, _ place: Int) -> Void
    ) -> Bool {
        guard case .view(let document, let index) = object.storage, finds(in: document, at: Int(index)) else {
            return false
        }
        for number in wanted.indices { body(number, document, places[wanted[number]]) }
        return true
    }

    /// Finds the wanted values of an object, and returns its document, or `nil` if the object has other names.
    package mutating func find(_ object: JSONObject) -> JSONDocument? {
        guard case .view(let document, let index) = object.storage, finds(in: document, at: Int(index)) else {
            return nil
        }
        return document
    }

    /// The tape index of a wanted value in the object that was found last.
    @inline(__always)
    package func place(of number: Int) -> Int { places[wanted[number]] }

    private mutating func finds(in document: JSONDocument, at index: Int) -> Bool {
        let object = document.tape[index]
        guard object.has(.object), object.length == places.count else { return false }
        return document.withSource { text in
            var member = index &+ 1
            for number in places.indices {
                guard names.number(of: document.tape[member], in: text, guess: number) == number else { return false }
                places[number] = member &+ 1
                member = document.index(after: member &+ 1)
            }
            return true
        }
    }
}

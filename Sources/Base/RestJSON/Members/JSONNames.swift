// SPDX-License-Identifier: Apache-2.0

/// The names that a type knows, numbered in their order, and compared with names of a document eight bytes at a time.
///
/// Made once for each type and kept for good.
package final class JSONNames: Sendable {
    /// The names in their order.
    package let names: [String]
    /// How each name is recognized.
    private let marks: [Mark]
    /// The other bytes of each longer name, as words; the last one overlaps the word before it.
    private let tails: [[UInt64]]
    /// The numbers of the names by hash.
    private let slots: [UInt32]

    /// Marks a slot without a name.
    private static let vacant = UInt32.max

    /// What tells a name from most others.
    private struct Mark: Equatable {
        /// What a tape entry of the name has in its upper half, if it is written plainly.
        let signature: UInt64
        /// The first eight bytes, with NUL after the end of a shorter name.
        let head: UInt64
    }

    /// Makes a set of different names without escapes.
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

    /// The number of the name at a tape entry; `nil` when it is none of these.
    ///
    /// - Parameters:
    ///   - entry: the name.
    ///   - text: the document's text.
    ///   - guess: the number that is tried first, as members mostly come in the order of their names.
    /// - Returns: the number.
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
        // As scalars: two ways to write one character are two names.
        return names.firstIndex { $0.unicodeScalars.elementsEqual(name.unicodeScalars) }
    }
}

extension JSONNames {
    /// Mixes length and first bytes; names that differ further on only share a place.
    @inline(__always)
    private static func hash(_ mark: Mark) -> Int {
        Int(truncatingIfNeeded: (mark.head ^ mark.signature &* 31) &* 0x9E37_79B9_7F4A_7C15 &>> 40)
    }

    private static func slots(_ marks: [Mark]) -> [UInt32] {
        // At least half of the slots stay vacant, so that every walk ends.
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

/// Where the wanted members are in objects whose names are those of an object seen before, in the same order, as those
/// of the records of a page are.
///
/// That the names are the same is one comparison for each of them, after which every member is known by its place.
package struct JSONShape: Sendable {
    private let names: JSONNames
    /// The number of each wanted member among the names.
    private let wanted: [Int]
    /// The place of each member's value in the object at hand.
    private var places: [Int]

    /// Makes the shape of objects; `nil` for no names, for one that stands twice, and when a wanted number has no name.
    ///
    /// - Parameters:
    ///   - names: all names of such an object in their order, without escapes.
    ///   - wanted: the number of each wanted member among them.
    package init?(names: [String], wanted: [Int]) {
        guard !names.isEmpty, Set(names).count == names.count, wanted.allSatisfy(names.indices.contains) else {
            return nil
        }
        (self.names, self.wanted) = (JSONNames(names), wanted)
        places = Array(repeating: 0, count: names.count)
    }

    /// Calls a function with each wanted value, by its number and its place in the document, if an object has the names
    /// of this shape.
    ///
    /// - Returns: whether it has; otherwise nothing was called.
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

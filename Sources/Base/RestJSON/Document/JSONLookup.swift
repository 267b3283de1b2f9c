// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A name to look for, and how to compare it with names of a document eight bytes at a time.
///
/// Holds a pointer into the caller's string, so it lives no longer than the closure of `withUTF8` that made it.
struct JSONNameBytes {
    private let source: JSONSource
    /// The first eight bytes, with NUL after the end of a shorter name.
    private let head: UInt64
    /// The kind and length that the tape entry of this name has in its upper half, if the name is written plainly.
    private let signature: UInt64

    @inline(__always)
    init(_ source: JSONSource) {
        self.source = source
        head = source.word(0)
        signature = TapeEntry(.string, length: source.count, position: 0).bits &>> 32
    }

    /// Whether a name of the document, at a tape entry, is this one once its escapes are resolved.
    @inline(__always)
    func matches(_ entry: TapeEntry, in text: JSONSource) -> Bool {
        guard entry.bits &>> 32 == signature else {
            return entry.has(.escapedString) && matchesEscaped(entry, in: text)
        }
        guard text.head(of: entry) == head else { return false }
        return source.count <= 8 || text.hasEqualTail(entry.position, source, 0, length: source.count)
    }

    @inline(never)
    private func matchesEscaped(_ entry: TapeEntry, in text: JSONSource) -> Bool {
        // An escape is never shorter than the bytes it stands for.
        guard entry.length > source.count else { return false }
        let name = text.unescaped(entry)
        return name.count == source.count && name.indices.allSatisfy { name[$0] == source.byte($0) }
    }

    /// A hash that differs from one run of the program to the next.
    var seededHash: Int {
        var hasher = Hasher()
        for offset in stride(from: 0, to: source.count, by: 8) { hasher.combine(source.word(offset)) }
        hasher.combine(source.count)
        return hasher.finalize()
    }
}

extension JSONSource {
    /// The first eight bytes of a name, with NUL after the end of a shorter one.
    @inline(__always)
    func head(of entry: TapeEntry) -> UInt64 {
        let word = word(entry.position)
        return entry.length >= 8 ? word : word & ((1 as UInt64) &<< UInt64(truncatingIfNeeded: 8 &* entry.length) &- 1)
    }

    /// Whether two names of one length above 8, whose first eight bytes are equal, are equal in the rest.
    ///
    /// The last word overlaps the one before it when the length is no multiple of eight.
    @inline(__always)
    func hasEqualTail(_ start: Int, _ other: JSONSource, _ otherStart: Int, length: Int) -> Bool {
        var at = 8
        while at < length {
            let from = min(at, length &- 8)
            guard word(start &+ from) == other.word(otherStart &+ from) else { return false }
            at &+= 8
        }
        return true
    }

    /// Whether two names of this text, both without escapes, are equal.
    @inline(__always)
    func isEqual(_ left: TapeEntry, _ right: TapeEntry) -> Bool {
        guard left.length == right.length, head(of: left) == head(of: right) else { return false }
        return left.length <= 8 || hasEqualTail(left.position, self, right.position, length: left.length)
    }
}

/// Finds out whether the names of an object are all different and written without escapes.
enum JSONNameTable {
    /// Objects with more members get a `JSONWideIndex` in place of this test.
    static let largestObject = 256

    /// Puts every name into a small hash table on the stack and compares those that meet there.
    ///
    /// The hash is weak, so names can be made to collide; after a fixed number of comparisons per name the answer is
    /// no, which only costs the lookups their short cut.
    static func hasDistinctNames(objectAt object: Int, in document: JSONDocument, _ text: JSONSource) -> Bool {
        let entry = document.tape[object]
        let bits = Int.bitWidth - (2 * entry.length).leadingZeroBitCount
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { slots in
            // Zero stands for an empty slot, as no name has tape index 0. Subscripts are masked below the capacity.
            unsafe slots.initialize(repeating: 0)
            let mask = 1 &<< bits &- 1
            var comparisons = 8 &* entry.length
            var member = object &+ 1
            while member < entry.position {
                let name = document.tape[member]
                guard name.has(.string) else { return false }
                var slot = hash(name, text) & mask
                while unsafe slots[slot] != 0 {
                    comparisons &-= 1
                    if unsafe comparisons < 0 || text.isEqual(document.tape[Int(slots[slot])], name) { return false }
                    slot = (slot &+ 1) & mask
                }
                unsafe slots[slot] = UInt32(truncatingIfNeeded: member)
                member = document.index(after: member &+ 1)
            }
            return true
        }
    }

    /// Mixes the first and last eight bytes and the length.
    @inline(__always)
    private static func hash(_ name: TapeEntry, _ text: JSONSource) -> Int {
        var word = text.head(of: name) ^ UInt64(name.length)
        if name.length > 8 { word ^= text.word(name.position &+ name.length &- 8) &* 31 }
        return Int(truncatingIfNeeded: word &* 0x9E37_79B9_7F4A_7C15 &>> 48)
    }
}

/// The members of one wide object by name: a hash table of tape indices.
///
/// Uses the standard library's seeded hash, so that no sender can choose names that collide.
struct JSONWideIndex: Sendable {
    /// The tape index of the last member of each name, 0 for an empty slot.
    ///
    /// At most half of the slots are taken.
    private var slots: [UInt32]

    /// Puts all members of an object into the table, later ones in place of earlier ones of the same name.
    init(objectAt object: Int, in document: JSONDocument, _ text: JSONSource) {
        let entry = document.tape[object]
        let count = document.count(of: entry, at: object)
        slots = Array(repeating: 0, count: 1 << (Int.bitWidth - (2 * count).leadingZeroBitCount))
        var member = object + 1
        while member < entry.position {
            let name = text.unescaped(document.tape[member])
            unsafe name.withUnsafeBufferPointer { buffer in
                let name = unsafe JSONNameBytes(JSONSource(UnsafeRawBufferPointer(buffer)))
                slots[slot(of: name, in: document.tape, text)] = UInt32(truncatingIfNeeded: member)
            }
            member = document.index(after: member + 1)
        }
    }

    /// The tape index of the value of a name, or nil.
    func value(named name: JSONNameBytes, in tape: [TapeEntry], _ text: JSONSource) -> Int? {
        let member = Int(slots[slot(of: name, in: tape, text)])
        return member == 0 ? nil : member + 1
    }

    /// The slot that holds a name, or the empty one where it belongs.
    private func slot(of name: JSONNameBytes, in tape: [TapeEntry], _ text: JSONSource) -> Int {
        let mask = slots.count - 1
        var slot = name.seededHash & mask
        while slots[slot] != 0, !name.matches(tape[Int(slots[slot])], in: text) { slot = (slot + 1) & mask }
        return slot
    }
}

/// What earlier lookups have found out about a few objects of a document.
///
/// Each slot is one atomic word: the tape index of an object, and that of the member after the last hit. A document may
/// be read from many threads at once; then a hint is overwritten, which costs time and never changes a result, as a
/// word is read and written whole and is right on its own.
struct JSONLookupHints: ~Copyable {
    private let slot0 = Atomic<UInt64>(0)
    private let slot1 = Atomic<UInt64>(0)
    private let slot2 = Atomic<UInt64>(0)
    private let slot3 = Atomic<UInt64>(0)

    /// What is known about an object.
    enum State {
        case unknown
        /// A member was looked for once.
        case seen
        /// No name repeats; start with this member.
        case distinct(next: Int)
        /// A name repeats, or is written with escapes.
        case repeating
    }

    /// In place of a member: no object has them, as the tape is never that long.
    private static let repeating: UInt64 = 0xFFFF_FFFF
    private static let seen: UInt64 = 0xFFFF_FFFE

    @inline(__always)
    func state(ofObjectAt object: Int) -> State {
        let word =
            switch JSONLookupHints.slot(object) {
            case 0: slot0.load(ordering: .relaxed)
            case 1: slot1.load(ordering: .relaxed)
            case 2: slot2.load(ordering: .relaxed)
            default: slot3.load(ordering: .relaxed)
            }
        guard word &>> 32 == UInt64(object) else { return .unknown }
        let next = word & 0xFFFF_FFFF
        guard next < JSONLookupHints.seen else { return next == JSONLookupHints.seen ? .seen : .repeating }
        return .distinct(next: Int(next))
    }

    @inline(__always)
    func setDistinct(objectAt object: Int, nextMember: Int) {
        set(UInt64(object) &<< 32 | UInt64(nextMember), for: object)
    }

    @inline(__always)
    func setSeen(objectAt object: Int) {
        set(UInt64(object) &<< 32 | JSONLookupHints.seen, for: object)
    }

    func setRepeating(objectAt object: Int) {
        set(UInt64(object) &<< 32 | JSONLookupHints.repeating, for: object)
    }

    @inline(__always)
    private func set(_ word: UInt64, for object: Int) {
        switch JSONLookupHints.slot(object) {
        case 0: slot0.store(word, ordering: .relaxed)
        case 1: slot1.store(word, ordering: .relaxed)
        case 2: slot2.store(word, ordering: .relaxed)
        default: slot3.store(word, ordering: .relaxed)
        }
    }

    /// Spreads neighbouring objects, such as a record and the object inside it, over the slots.
    @inline(__always)
    private static func slot(_ object: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: object) &* 0x9E37_79B9_7F4A_7C15 &>> 62
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A name to look up, which is compared with the names of a document eight bytes at a time.
///
/// Holds a pointer into the caller's string, so it must not outlive the `withUTF8` closure that created it.
struct JSONNameBytes {
    private let source: JSONSource
    /// The first eight bytes, padded with NUL.
    private let head: UInt64
    /// The upper half (kind and length) of a tape entry of this name without escapes.
    private let signature: UInt64

    @inline(__always)
    init(_ source: JSONSource) {
        self.source = source
        head = source.word(0)
        signature = TapeEntry(.string, length: source.count, position: 0).bits &>> 32
    }

    /// Whether this name equals the name at a tape entry, after resolving its escapes.
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
        // An escape is never shorter than the bytes it represents.
        guard entry.length > source.count else { return false }
        let name = text.unescaped(entry)
        return name.count == source.count && name.indices.allSatisfy { name[$0] == source.byte($0) }
    }

    /// A hash with a seed per process.
    var seededHash: Int {
        var hasher = Hasher()
        for offset in stride(from: 0, to: source.count, by: 8) { hasher.combine(source.word(offset)) }
        hasher.combine(source.count)
        return hasher.finalize()
    }
}

extension JSONSource {
    /// The first eight bytes of a name, padded with NUL.
    @inline(__always)
    func head(of entry: TapeEntry) -> UInt64 {
        let word = word(entry.position)
        return entry.length >= 8 ? word : word & ((1 as UInt64) &<< UInt64(truncatingIfNeeded: 8 &* entry.length) &- 1)
    }

    /// Compares the rest of two names of equal length above 8, whose first eight bytes are equal.
    ///
    /// If the length is not a multiple of eight, the last word overlaps the one before it.
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

    /// Whether two names of this text without escapes are equal.
    @inline(__always)
    func isEqual(_ left: TapeEntry, _ right: TapeEntry) -> Bool {
        guard left.length == right.length, head(of: left) == head(of: right) else { return false }
        return left.length <= 8 || hasEqualTail(left.position, self, right.position, length: left.length)
    }
}

/// A check that all names of an object are different and written without escapes.
enum JSONNameTable {
    /// The maximum number of members, beyond which an object gets a `JSONWideIndex` instead.
    static let largestObject = 256

    /// Inserts each name into a small hash table on the stack and compares colliding names.
    ///
    /// The hash is weak, so many comparisons per name make the function return false, which only makes lookups slower.
    static func hasDistinctNames(objectAt object: Int, in document: JSONDocument, _ text: JSONSource) -> Bool {
        let entry = document.tape[object]
        let bits = Int.bitWidth - (2 * entry.length).leadingZeroBitCount
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { slots in
            // Zero marks an empty slot, because no name has tape index 0. The mask keeps subscripts below the capacity.
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

    /// A hash of the first and last eight bytes and the length.
    @inline(__always)
    private static func hash(_ name: TapeEntry, _ text: JSONSource) -> Int {
        var word = text.head(of: name) ^ UInt64(name.length)
        if name.length > 8 { word ^= text.word(name.position &+ name.length &- 8) &* 31 }
        return Int(truncatingIfNeeded: word &* 0x9E37_79B9_7F4A_7C15 &>> 48)
    }
}

/// A hash table from the names of one wide object to tape indices, with a seeded hash to prevent chosen collisions.
struct JSONWideIndex: Sendable {
    /// The tape index of the last member of each name, or 0 for the empty slots, which are at least half of all.
    private var slots: [UInt32]

    /// Inserts all members of an object, where a later member replaces an earlier member of the same name.
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

    /// The tape index of the value of a name, or `nil`.
    func value(named name: JSONNameBytes, in tape: [TapeEntry], _ text: JSONSource) -> Int? {
        let member = Int(slots[slot(of: name, in: tape, text)])
        return member == 0 ? nil : member + 1
    }

    /// The slot that contains a name, or the empty slot where the name belongs.
    private func slot(of name: JSONNameBytes, in tape: [TapeEntry], _ text: JSONSource) -> Int {
        let mask = slots.count - 1
        var slot = name.seededHash & mask
        while slots[slot] != 0, !name.matches(tape[Int(slots[slot])], in: text) { slot = (slot + 1) & mask }
        return slot
    }
}

/// Results of earlier lookups for a few objects of a document.
///
/// Each slot is one atomic word: the tape index of an object, and the index of the member after the last match. If
/// several threads read a document, they may overwrite a hint. That costs time but never changes a result, because each
/// word is read and written as a whole and is valid on its own.
struct JSONLookupHints: ~Copyable {
    private let slot0 = Atomic<UInt64>(0)
    private let slot1 = Atomic<UInt64>(0)
    private let slot2 = Atomic<UInt64>(0)
    private let slot3 = Atomic<UInt64>(0)

    /// The knowledge about an object.
    enum State {
        case unknown
        /// One lookup has happened.
        case seen
        /// No name repeats, and the next lookup starts with this member.
        case distinct(next: Int)
        /// A name repeats or has escapes.
        case repeating
    }

    // Special values instead of a member. They cannot be tape indices, because no tape is that long.
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

    /// Distributes neighbouring objects, such as a record and the object inside it, over the slots.
    @inline(__always)
    private static func slot(_ object: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: object) &* 0x9E37_79B9_7F4A_7C15 &>> 62
    }
}

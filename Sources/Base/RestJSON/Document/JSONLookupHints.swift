// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

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

// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

enum TapeKind: UInt8, Sendable {
    case null, `false`, `true`
    /// A number without fraction and exponent.
    case integer
    /// A number with a fraction or an exponent.
    case decimal
    /// A string or name without escapes.
    case string
    /// A string or name with at least one backslash escape.
    case escapedString
    case array, object
}

/// One value or name of a document in eight bytes.
///
/// Entries are in document order, and a name comes before its value. The top 4 bits hold the kind.
/// * Strings and numbers: 28 bits of length in bytes, 32 bits of byte offset. A string's quotes are excluded.
/// * Containers: 28 bits of saturating count (members of an object, elements of an array), 32 bits of tape index of the
///   entry after the whole container. While the parser has a container open, those 32 bits hold the tape index of the
///   enclosing container, so no stack is needed.
struct TapeEntry: Sendable {
    /// The maximum length or count that fits, which marks a count that must be computed again.
    static let maximumLength = 0xFFF_FFFF

    let bits: UInt64

    @inline(__always)
    init(_ kind: TapeKind, length: Int, position: Int) {
        bits =
            UInt64(kind.rawValue) << 60 | UInt64(truncatingIfNeeded: length) << 32
            | UInt64(UInt32(truncatingIfNeeded: position))
    }

    private init(bits: UInt64) { self.bits = bits }

    /// The entry of the same text at a position that is `distance` higher, modulo 2³².
    @inline(__always)
    func moved(by distance: UInt64) -> TapeEntry {
        TapeEntry(bits: bits & ~0xFFFF_FFFF | (bits &+ distance) & 0xFFFF_FFFF)
    }

    /// The kind, one of `TapeKind` because the parser writes no other bit patterns.
    @inline(__always)
    var kind: TapeKind { TapeKind(rawValue: UInt8(truncatingIfNeeded: bits &>> 60)) ?? .null }

    /// Whether this is an entry of the given kind, cheaper than a comparison with `kind`.
    @inline(__always)
    func has(_ kind: TapeKind) -> Bool { bits &>> 60 == UInt64(kind.rawValue) }

    @inline(__always)
    var isNumber: Bool { has(.integer) || has(.decimal) }

    /// The length of a string or number in bytes, or the number of members or elements of a container.
    @inline(__always)
    var length: Int { Int(truncatingIfNeeded: bits &>> 32) & TapeEntry.maximumLength }

    /// The byte offset of a string or number, or the tape index after a container.
    @inline(__always)
    var position: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }

    /// The byte range of a string or number in the text.
    @inline(__always)
    var range: Range<Int> { position..<position &+ length }

    @inline(__always)
    var isContainer: Bool { bits &>> 60 >= UInt64(TapeKind.array.rawValue) }
}

/// The memory of a tape while the parser fills it.
///
/// Unsafe by need: `Array.append` checks uniqueness and capacity for every entry, which costs a tenth of the parse.
/// Safe because every access is checked against `capacity`, and the buffer outlives the run that uses it. Entries hold
/// no references, so writing over uninitialized memory is allowed.
@safe
struct JSONTapeBuffer {
    private let buffer: UnsafeMutableBufferPointer<TapeEntry>

    /// Wraps the buffer of `Array.init(unsafeUninitializedCapacity:)`.
    init(_ buffer: UnsafeMutableBufferPointer<TapeEntry>) { unsafe self.buffer = buffer }

    @inline(__always)
    var capacity: Int { unsafe buffer.count }

    /// Writes an entry, with a second check of the capacity that the parser has reserved once per step.
    @inline(__always)
    func write(_ entry: TapeEntry, at index: Int) {
        guard UInt(bitPattern: index) < UInt(bitPattern: capacity) else { return }
        unsafe buffer[index] = entry
    }

    @inline(__always)
    func read(_ index: Int) -> TapeEntry {
        guard UInt(bitPattern: index) < UInt(bitPattern: capacity) else {
            return TapeEntry(.null, length: 0, position: 0)
        }
        return unsafe buffer[index]
    }
}

/// A pool of tapes of long texts, which are reused after their documents are deallocated.
///
/// For callers that parse one long text after the other on any free thread. Without a pool, one thread's heap would
/// allocate the tapes and another thread would free them, and every heap would grow to its own maximum. A document
/// returns its tape when its last value is released, so a tape is never refilled while it can be read.
///
/// The pool holds at most three tapes and 8 MiB. It retains them until it is deallocated, even while nothing is parsed.
package final class JSONTapePool: Sendable {
    /// The minimum length of a long text in bytes, below which the allocator handles tapes.
    static let smallestText = 1 << 16
    static let mostTapes = 3
    static let mostBytes = 8 << 20

    private let spare = Mutex<[[TapeEntry]]>([])

    package init() {}

    /// Takes a tape to refill, or an empty tape if no tape fits the length of the text.
    ///
    /// A tape with at least half of the capacity of a new tape fits: few texts need more, and a tape can grow. A tape
    /// with more than six times the capacity is reserved for longer texts, because not even the densest text needs it.
    func take(forTextOf byteCount: Int) -> [TapeEntry] {
        guard byteCount >= Self.smallestText else { return [] }
        let room = JSONParser.usualRoom(forTextOf: byteCount)
        return spare.withLock { spare in
            spare.firstIndex { (room / 2...room * 6).contains($0.capacity) }.map { spare.remove(at: $0) } ?? []
        }
    }

    /// Returns a tape to the pool, and drops the oldest tapes above the limits.
    ///
    /// If its last reader still has a reference, the next fill copies the tape, as for every array.
    func giveBack(_ tape: [TapeEntry]) {
        guard (Self.bytes(of: Self.smallestRoom)...Self.mostBytes).contains(Self.bytes(of: tape.capacity)) else {
            return
        }
        spare.withLock { spare in
            spare.append(tape)
            while spare.count > Self.mostTapes || Self.bytes(in: spare) > Self.mostBytes { spare.removeFirst() }
        }
    }

    /// The number and total size of the tapes held, for tests.
    var held: (tapes: Int, bytes: Int) { spare.withLock { ($0.count, Self.bytes(in: $0)) } }

    private static let smallestRoom = JSONParser.usualRoom(forTextOf: smallestText)

    private static func bytes(of room: Int) -> Int { room * MemoryLayout<TapeEntry>.stride }

    private static func bytes(in tapes: [[TapeEntry]]) -> Int { tapes.reduce(0) { $0 + bytes(of: $1.capacity) } }
}

// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What an entry of the tape stands for.
enum TapeKind: UInt8, Sendable {
    case null, `false`, `true`
    /// A number without fraction and exponent.
    case integer
    /// A number with a fraction or an exponent.
    case decimal
    /// A string or name whose bytes are its characters.
    case string
    /// A string or name with at least one backslash escape.
    case escapedString
    case array, object
}

/// One value or name of a document in eight bytes.
///
/// Entries lie in document order; a name comes before its value. The top 4 bits hold the kind.
/// * Strings and numbers: 28 bits of length in bytes, 32 bits of byte offset. A string's quotes are left out.
/// * Containers: 28 bits of count (members of an object, elements of an array; saturating), 32 bits of tape index of
///   the entry after the whole container. While the parser has a container open, those 32 bits hold the tape index
///   of the container around it, so no stack is needed.
struct TapeEntry: Sendable {
    /// The largest length or count that fits; a count of this size must be counted again.
    static let maximumLength = 0xFFF_FFFF

    let bits: UInt64

    @inline(__always)
    init(_ kind: TapeKind, length: Int, position: Int) {
        bits =
            UInt64(kind.rawValue) << 60 | UInt64(truncatingIfNeeded: length) << 32
            | UInt64(UInt32(truncatingIfNeeded: position))
    }

    /// The kind; the parser writes no other bit patterns than those of `TapeKind`.
    @inline(__always)
    var kind: TapeKind { TapeKind(rawValue: UInt8(truncatingIfNeeded: bits &>> 60)) ?? .null }

    /// Whether this is an entry of the given kind; cheaper than a comparison with `kind`.
    @inline(__always)
    func has(_ kind: TapeKind) -> Bool { bits &>> 60 == UInt64(kind.rawValue) }

    /// Whether this is a number of either form.
    @inline(__always)
    var isNumber: Bool { has(.integer) || has(.decimal) }

    /// The bytes of a string or number, the members or elements of a container.
    @inline(__always)
    var length: Int { Int(truncatingIfNeeded: bits &>> 32) & TapeEntry.maximumLength }

    /// The byte offset of a string or number, the tape index after a container.
    @inline(__always)
    var position: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }

    /// The bytes of a string or number in the text.
    @inline(__always)
    var range: Range<Int> { position..<position &+ length }

    @inline(__always)
    var isContainer: Bool { bits &>> 60 >= UInt64(TapeKind.array.rawValue) }
}

/// The room for the tape while it is being written.
///
/// Unsafe by need: `Array.append` tests for uniqueness and capacity on every entry, which costs a tenth of the parse.
/// Safe because every access is checked against `capacity`, and the buffer outlives the run that uses it. Entries hold
/// no references, so writing over uninitialised memory is allowed.
@safe
struct JSONTapeBuffer {
    private let buffer: UnsafeMutableBufferPointer<TapeEntry>

    /// Wraps the buffer of `Array.init(unsafeUninitializedCapacity:)`.
    init(_ buffer: UnsafeMutableBufferPointer<TapeEntry>) {
        unsafe self.buffer = buffer
    }

    /// The number of entries there is room for.
    @inline(__always)
    var capacity: Int { unsafe buffer.count }

    /// Writes an entry.
    ///
    /// The parser asks for room once per step, so the check here is a second net, not the first.
    @inline(__always)
    func write(_ entry: TapeEntry, at index: Int) {
        guard UInt(bitPattern: index) < UInt(bitPattern: capacity) else { return }
        unsafe buffer[index] = entry
    }

    /// Reads an entry written before.
    @inline(__always)
    func read(_ index: Int) -> TapeEntry {
        guard UInt(bitPattern: index) < UInt(bitPattern: capacity) else {
            return TapeEntry(.null, length: 0, position: 0)
        }
        return unsafe buffer[index]
    }
}

/// Tapes of long texts, filled again once their documents are gone.
///
/// Whoever parses one long text after the other, on whatever thread is free, keeps such a pool. The tapes would else be
/// taken from the heap of one thread and given back by another, and the heaps of all of them grow to what each had to
/// hold at its worst. A document gives its tape back when its last value is let go of, so a tape is never filled while
/// somebody can read it.
///
/// The pool holds three tapes and 8 MiB at most, and keeps them until it goes itself, also while nothing is parsed.
package final class JSONTapePool: Sendable {
    /// The length from which a text is a long one, in bytes; shorter ones are left to the allocator.
    static let smallestText = 1 << 16
    static let mostTapes = 3
    static let mostBytes = 8 << 20

    private let spare = Mutex<[[TapeEntry]]>([])

    /// Makes an empty pool.
    package init() {}

    /// A tape to fill again, or an empty one when no tape fits the length of the text.
    ///
    /// One with half of the room that a new tape would have goes as well: few texts need more, and a tape can be
    /// lengthened. One with more than six times the room, which not even the densest text needs, is left for longer
    /// texts.
    func take(forTextOf byteCount: Int) -> [TapeEntry] {
        guard byteCount >= Self.smallestText else { return [] }
        let room = JSONParser.usualRoom(forTextOf: byteCount)
        return spare.withLock { spare in
            spare.firstIndex { (room / 2...room * 6).contains($0.capacity) }.map { spare.remove(at: $0) } ?? []
        }
    }

    /// Remembers a tape that nobody reads any more; the oldest ones go when there are too many.
    ///
    /// Should its last reader still be about to let go of it, the next fill is on a copy, as with every array.
    func giveBack(_ tape: [TapeEntry]) {
        guard (Self.bytes(of: Self.smallestRoom)...Self.mostBytes).contains(Self.bytes(of: tape.capacity)) else {
            return
        }
        spare.withLock { spare in
            spare.append(tape)
            while spare.count > Self.mostTapes || Self.bytes(in: spare) > Self.mostBytes { spare.removeFirst() }
        }
    }

    /// The room and the number of the tapes held, for tests.
    var held: (tapes: Int, bytes: Int) { spare.withLock { ($0.count, Self.bytes(in: $0)) } }

    private static let smallestRoom = JSONParser.usualRoom(forTextOf: smallestText)

    private static func bytes(of room: Int) -> Int { room * MemoryLayout<TapeEntry>.stride }

    private static func bytes(in tapes: [[TapeEntry]]) -> Int { tapes.reduce(0) { $0 + bytes(of: $1.capacity) } }
}

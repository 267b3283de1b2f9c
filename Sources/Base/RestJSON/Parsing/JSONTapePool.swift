// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

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

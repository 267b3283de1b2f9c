// SPDX-License-Identifier: Apache-2.0

/// Where the fast way through a string ends, for a window of the text: a bit for each byte, see `JSONSource.stops`.
///
/// The bits are made ahead of their use, many at a time. Where a string ends is then told by one word of them; a look
/// at the text would have to wait for the end of the string before, and takes the processor twice as long.
///
/// Unsafe by need: an `Array` checks its bounds and its uniqueness at every use. Safe because only `of` makes maps,
/// with memory for a bit of each byte of a window, which lives longer than the map; and only places below `room` are
/// read, which lie in all words that `move` has set but the last; so eight bytes can be read from any byte of them.
@safe
struct JSONStopMap {
    /// How many bytes of the text a window has.
    private static let window = 1 << 12

    private let source: JSONSource
    private let memory: UnsafeMutableRawBufferPointer
    /// The first byte of the window.
    private var start = 0
    /// The number of bytes from there on that can be asked for.
    private var room: UInt = 0

    private init(of source: JSONSource, in memory: UnsafeMutableRawBufferPointer) {
        self.source = source
        unsafe self.memory = memory
    }

    /// Calls a function with a map that begins with the first question, and must not be kept.
    static func of<Result>(_ source: JSONSource, _ body: (JSONStopMap) -> Result) -> Result {
        unsafe withUnsafeTemporaryAllocation(byteCount: window / 8, alignment: 8) { memory in
            body(unsafe JSONStopMap(of: source, in: memory))
        }
    }

    /// The first offset from one on whose byte ends the fast way through a string; the end of the text, if none does.
    @inline(__always)
    mutating func firstStop(from offset: Int) -> Int {
        var place = UInt(bitPattern: offset &- start)
        return stop(fromPlace: &place) ?? firstStopBehind(start &+ Int(bitPattern: place))
    }

    /// The offset of the first stop from a place in the window on; nil, and the place behind, if there is none.
    @inline(__always)
    private func stop(fromPlace place: inout UInt) -> Int? {
        while place < room {
            let word = unsafe memory.loadUnaligned(fromByteOffset: Int(bitPattern: place &>> 3), as: UInt64.self)
            let stops = UInt64(littleEndian: word) &>> UInt64(truncatingIfNeeded: place & 7)
            guard stops == 0 else { return start &+ Int(bitPattern: place) &+ stops.trailingZeroBitCount }
            place &+= 56
        }
        return nil
    }

    /// The first stop from an offset outside of the window on.
    @inline(never)
    private mutating func firstStopBehind(_ offset: Int) -> Int {
        var at = offset
        while true {
            move(to: at)
            var place = UInt(bitPattern: at &- start)
            if let stop = stop(fromPlace: &place) { return stop }
            at = start &+ Int(bitPattern: place)
        }
    }

    /// Begins the window anew, less than 64 bytes before an offset; behind the text are stops.
    private mutating func move(to offset: Int) {
        start = offset & ~63
        var end = 0
        repeat {
            let stops = source.stops(start &+ end).littleEndian
            unsafe memory.storeBytes(of: stops, toByteOffset: end &>> 3, as: UInt64.self)
            end &+= 64
        } while end < 128 || (end < JSONStopMap.window && start &+ end < source.count &+ 64)
        room = UInt(bitPattern: end &- 64)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The bytes in a window of the text that need the slow path of the string scanner, one bit per byte, see
/// `JSONSource.stops`.
///
/// The bits are computed in advance, many at a time. One word of them then gives the end of a string. Reading the text
/// instead would have to wait for the end of the previous string, and takes the processor twice as long.
///
/// Unsafe by need: an `Array` checks its bounds and its uniqueness at every use. Safe because only `of` creates maps,
/// with memory for one bit per byte of a window, which outlives the map. Only indices below `room` are read, which are
/// in all words that `move` has set except the last, so eight bytes can be read from any byte of them.
@safe
struct JSONStopMap {
    /// The size of a window in bytes of the text.
    private static let window = 1 << 12

    private let source: JSONSource
    private let memory: UnsafeMutableRawBufferPointer
    /// The offset of the window in the text.
    private var start = 0
    /// The number of bytes in the window that can be queried.
    private var room: UInt = 0

    private init(of source: JSONSource, in memory: UnsafeMutableRawBufferPointer) {
        self.source = source
        unsafe self.memory = memory
    }

    /// Calls `body` with an empty map, which must not escape, and which fills itself on the first query.
    static func of<Result>(_ source: JSONSource, _ body: (JSONStopMap) -> Result) -> Result {
        unsafe withUnsafeTemporaryAllocation(byteCount: window / 8, alignment: 8) { memory in
            body(unsafe JSONStopMap(of: source, in: memory))
        }
    }

    /// The first offset from `offset` on whose byte needs the slow path, or the end of the text.
    @inline(__always)
    mutating func firstStop(from offset: Int) -> Int {
        var place = UInt(bitPattern: offset &- start)
        return stop(fromPlace: &place) ?? firstStopBehind(start &+ Int(bitPattern: place))
    }

    /// The offset of the first stop in the window from `place` on, or `nil` and the place after the window.
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

    /// Moves the window to less than 64 bytes before an offset, where all bytes after the text are stops.
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

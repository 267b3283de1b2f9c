// SPDX-License-Identifier: Apache-2.0

/// A point in a text that arrives in pieces.
struct JSONPlace: Sendable {
    private(set) var offset = 0
    private(set) var line = 1
    private(set) var column = 1

    /// The point after some more bytes.
    func advanced(over bytes: ArraySlice<UInt8>) -> JSONPlace {
        var place = self
        place.offset += bytes.count
        let feeds = JSONPlace.lineFeeds(in: bytes)
        guard feeds > 0, let last = bytes.lastIndex(of: 0x0A) else {
            place.column += bytes.count
            return place
        }
        place.line += feeds
        place.column = bytes.endIndex - last
        return place
    }

    /// The number of line feeds, in blocks small enough for a byte to count, so that the compiler uses wide registers.
    private static func lineFeeds(in bytes: ArraySlice<UInt8>) -> Int {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            var total = 0
            var start = 0
            while start < buffer.count {
                let end = min(buffer.count, start &+ 192)
                var block: UInt8 = 0
                // Slicing checks the bounds once for the block.
                let bytes = unsafe UnsafeBufferPointer(rebasing: buffer[start..<end])
                for unsafebyte in unsafe bytes { block &+= byte == 0x0A ? 1 : 0 }
                total &+= Int(block)
                start = end
            }
            return total
        }
    }
}

extension JSONError {
    /// An error of the grammar at a point of a text whose other bytes are gone.
    init(_ code: JSONFailureCode, at place: JSONPlace, atEnd: Bool) {
        self.init(
            reason: atEnd ? .unexpectedEnd : code.reason, offset: place.offset, line: place.line, column: place.column,
            expected: atEnd && code == .controlCharacter ? "a closing quote" : code.expected)
    }
}

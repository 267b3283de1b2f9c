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

    /// The number of line feeds.
    ///
    /// Compact pages have none, so the test for any, 64 bytes at a time, comes first.
    private static func lineFeeds(in bytes: ArraySlice<UInt8>) -> Int {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            let source = unsafe JSONSource(UnsafeRawBufferPointer(buffer))
            guard source.hasByte(0x0A) else { return 0 }
            return unsafe buffer.count { $0 == 0x0A }
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

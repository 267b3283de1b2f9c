// SPDX-License-Identifier: Apache-2.0

extension JSONSource {
    /// The bytes of an entry as a string, as they are.
    ///
    /// The parser has checked that they are UTF-8, so they are only copied.
    @inline(__always)
    func text(of entry: TapeEntry) -> String {
        unsafe withBytes(from: entry.position, entry.length) { bytes in
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
                return unsafe String(decoding: bytes, as: UTF8.self)
            }
            let isASCII = isASCII(from: entry.position, entry.length)
            return unsafe String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
        }
    }

    /// Whether all bytes of a stretch that lies inside are ASCII.
    @inline(__always)
    private func isASCII(from start: Int, _ length: Int) -> Bool {
        var seen: UInt64 = 0
        var at = 0
        while at &+ 8 <= length {
            seen |= word(start &+ at)
            at &+= 8
        }
        // What follows the stretch is shifted out.
        if at < length { seen |= word(start &+ at) &<< UInt64(truncatingIfNeeded: 8 &* (8 &- (length &- at))) }
        return seen & 0x8080_8080_8080_8080 == 0
    }
}

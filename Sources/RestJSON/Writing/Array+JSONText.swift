// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends a string in quotes, escaping quotes, backslashes and control characters.
    ///
    /// A `String` is always well-formed UTF-8, so the output is too.
    mutating func appendJSONString(_ text: String) {
        var text = text
        text.withUTF8 { buffer in
            // The buffer is only read, and not kept; slices check their bounds.
            let source = unsafe JSONSource(UnsafeRawBufferPointer(buffer))
            append(UInt8(ascii: "\""))
            var start = 0
            while start < source.count {
                let stop = source.nextEscape(from: start)
                unsafe append(contentsOf: buffer[start..<stop])
                if stop < source.count { appendEscape(source.byte(stop)) }
                start = stop &+ 1
            }
            append(UInt8(ascii: "\""))
        }
    }

    private mutating func appendEscape(_ byte: UInt8) {
        let (word, length) = JSONEscape.of(byte)
        for index in 0..<length { append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
    }

    /// Appends the decimal digits of an integer.
    mutating func appendJSONInteger(_ value: some FixedWidthInteger) {
        append(contentsOf: String(value).utf8)
    }
}

extension JSONSource {
    /// The offset of the next byte that a string must escape, or the end.
    @inline(__always)
    fileprivate func nextEscape(from start: Int) -> Int {
        var at = start
        while at < count {
            let marks = JSONSource.escapes(in: word(at))
            if marks != 0 { return Swift.min(count, at &+ marks.trailingZeroBitCount &>> 3) }
            at &+= 8
        }
        return count
    }
}

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
                let stop = source.firstEscape(from: start)
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

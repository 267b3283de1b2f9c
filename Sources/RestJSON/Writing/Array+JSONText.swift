// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends a string in quotes, escaping quotes, backslashes and control characters.
    ///
    /// A `String` is always UTF-8.
    mutating func appendJSONString(_ text: String) {
        var text = text
        text.withUTF8 { buffer in
            // The buffer is only read, and not kept.
            append(UInt8(ascii: "\""))
            var start = 0
            for index in buffer.indices {
                let byte = unsafe buffer[index]
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                unsafe append(contentsOf: buffer[start..<index])
                appendEscape(byte)
                start = index &+ 1
            }
            unsafe append(contentsOf: buffer[start...])
            append(UInt8(ascii: "\""))
        }
    }

    private mutating func appendEscape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x09: append(UInt8(ascii: "t"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        default:
            append(contentsOf: "u00".utf8)
            append(UInt8(ascii: "0") + byte >> 4)
            let low = byte & 0x0F
            append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }

    /// Appends the decimal digits of an integer.
    mutating func appendJSONInteger<T: FixedWidthInteger>(_ value: T) {
        var rest = value.magnitude
        guard rest >= 10 else {
            if value < 0 { append(UInt8(ascii: "-")) }
            return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest))
        }
        if value < 0 { append(UInt8(ascii: "-")) }
        let start = count
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
            rest = quotient
        }
        self[start...].reverse()
    }
}

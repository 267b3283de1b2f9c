// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends UTF-8 text as a JSON string (RFC 8259 §7); runs without escapes are copied whole.
    mutating func appendQuoted(_ text: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        var start = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            appendBytes(text.extracting(start..<index))
            appendEscaped(byte)
            start = index &+ 1
        }
        appendBytes(text.extracting(start..<text.count))
        append(UInt8(ascii: "\""))
    }

    /// Appends bytes as they are.
    mutating func appendBytes(_ span: Span<UInt8>) {
        // The buffer is only read, and not kept.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        default:
            append(contentsOf: "u00".utf8)
            append(UInt8(ascii: "0") + byte >> 4)
            let low = byte & 0x0F
            append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }

    /// Appends a double as the platform writes amounts: a whole number keeps its `.0`.
    mutating func appendNumber(_ value: Double) {
        // bounded: by its magnitude
        guard value.magnitude < 1e15, case let whole = Int64(value), Double(whole) == value else {
            return append(contentsOf: value.isFinite ? value.description.utf8 : "null".utf8)
        }
        appendInteger(whole)
        append(contentsOf: ".0".utf8)
    }

    /// Appends the decimal digits of an integer, without a text in between.
    mutating func appendInteger(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var length = 1
        while length < 20, rest >= 10 {
            rest /= 10
            length &+= 1
        }
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: length))
        rest = value.magnitude
        for index in ((count - length)..<count).reversed() {
            self[index] &+= UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}

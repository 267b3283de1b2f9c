// SPDX-License-Identifier: Apache-2.0

extension Array where Element == UInt8 {
    /// Appends a column as the JSON value of a field, straight from the database's bytes.
    mutating func appendJSON(_ row: RowReader, _ column: Int, type: FieldType) {
        switch row.kind(column) {
        case .null: append(contentsOf: "null".utf8)
        case .integer where type == .boolean: append(contentsOf: (row.integer(column) == 0 ? "false" : "true").utf8)
        case .integer: append(contentsOf: row.integer(column).description.utf8)
        case .real:
            let number = row.real(column)
            append(contentsOf: number.isFinite ? number.description.utf8 : "null".utf8)
        case .text: row.withText(column) { appendJSONText($0) }
        }
    }

    /// Appends a JSON string (RFC 8259 §7) of UTF-8 bytes; runs without escapes are copied whole.
    mutating func appendJSONText(_ text: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        var start = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            append(text.extracting(start..<index))
            appendEscape(byte)
            start = index + 1
        }
        append(text.extracting(start..<text.count))
        append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        default:
            let digits = Array("0123456789abcdef".utf8)
            append(contentsOf: "u00".utf8)
            append(digits[Int(byte >> 4)])
            append(digits[Int(byte & 15)])
        }
    }
}

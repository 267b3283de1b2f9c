// SPDX-License-Identifier: Apache-2.0

import RestCSV

/// A reader that takes one byte after another and knows no tricks: what the real one is compared with.
///
/// It takes texts without faults only, with either line ending.
enum SlowCSV {
    static func rows(_ bytes: [UInt8], _ dialect: CSVDialect) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        var isOpen = false
        while let byte = rest.popFirst() {
            isOpen = true
            if isQuoted {
                if byte != 0x22 {
                    field.append(byte)
                } else if rest.first == 0x22 {
                    rest.removeFirst()
                    field.append(0x22)
                } else {
                    isQuoted = false
                }
                continue
            }
            if byte == 0x22 {
                isQuoted = true
            } else if byte == dialect.delimiter.byte || byte == 0x0A || byte == 0x0D {
                row.append(String(decoding: field, as: UTF8.self))
                field = []
                if byte == dialect.delimiter.byte { continue }
                if byte == 0x0D, dialect.lineEnding != .cr { rest.removeFirst() }
                rows.append(row)
                row = []
                isOpen = false
            } else {
                field.append(byte)
            }
        }
        if isOpen { rows.append(row + [String(decoding: field, as: UTF8.self)]) }
        return rows
    }
}

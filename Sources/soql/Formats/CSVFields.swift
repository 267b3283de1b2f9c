// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Writes the fields of comma-separated values.
struct CSVFields {
    /// What stands for null.
    private let null: [UInt8]
    private let guardsFormulas: Bool

    init(null: String, guardsFormulas: Bool) {
        (self.null, self.guardsFormulas) = (Array(null.utf8), guardsFormulas)
    }

    /// Adds the field of a value.
    func append(_ value: JSONValue?, to output: inout [UInt8]) {
        if !guardsFormulas, let bytes = value?.plainBytes {
            append(bytes, to: &output)
        } else {
            append(Cell(value), to: &output)
        }
    }

    /// Adds the field of a cell.
    func append(_ cell: Cell, to output: inout [UInt8]) {
        guard cell.kind != .null, cell.kind != .blank else { return output += null }
        let isFormula = guardsFormulas && cell.kind == .text && Self.beginsFormula(cell.text)
        append(Array((isFormula ? "'" + cell.text : cell.text).utf8)[...], to: &output)
    }

    /// Whether a spreadsheet reads the text as a formula: by its first character, of normal or of full width.
    private static func beginsFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first)
    }

    /// Adds a field, in quotes if it needs them.
    func append(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var quotes = 0
        var needsQuotes = bytes.count == null.count && bytes.elementsEqual(null)
        for byte in bytes where byte <= 0x2C {
            if byte == 0x22 { quotes += 1 }
            needsQuotes = needsQuotes || byte == 0x2C || byte == 0x22 || byte == 0x0A || byte == 0x0D
        }
        guard needsQuotes else {
            output.append(contentsOf: bytes)
            return
        }
        output.append(0x22)
        for byte in bytes {
            if byte == 0x22 { output.append(0x22) }
            output.append(byte)
        }
        output.append(0x22)
    }
}

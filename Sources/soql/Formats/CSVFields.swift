// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Writes the fields of comma-separated values.
struct CSVFields {
    /// What stands for null.
    private let null: [UInt8]
    let guardsFormulas: Bool

    init(null: String, guardsFormulas: Bool) {
        (self.null, self.guardsFormulas) = (Array(null.utf8), guardsFormulas)
    }

    /// Adds the field of a cell.
    func append(_ cell: Cell, to output: inout [UInt8]) {
        guard cell.kind != .null, cell.kind != .blank else { return output += null }
        let isFormula = guardsFormulas && cell.kind == .text && Self.beginsFormula(cell.text)
        append(text: isFormula ? "'" + cell.text : cell.text, to: &output)
    }

    /// Adds the field of a text.
    func append(text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0), to: &output) }
    }

    /// Whether a spreadsheet reads the text as a formula: by its first character, of normal or of full width.
    private static func beginsFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first)
    }

    /// Adds a field, in quotes if it needs them.
    func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        let isNull = unsafe bytes.count == null.count && bytes.elementsEqual(null)
        guard unsafe isNull || Self.special.occur(in: bytes) else { return unsafe output.append(contentsOf: bytes) }
        output.append(0x22)
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if byte == 0x22 { output.append(0x22) }
            output.append(byte)
        }
        output.append(0x22)
    }

    /// Quotes, commas and line ends.
    private static let special = FourBytes(0x22, 0x2C, 0x0A, 0x0D)
}

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
        guard unsafe isNull(bytes) || bytes.contains(where: Self.needsQuotes) else {
            return unsafe output.append(contentsOf: bytes)
        }
        output.append(Self.quote)
        var rest = unsafe bytes[...]
        while let quote = unsafe rest.firstIndex(of: Self.quote) {
            unsafe output.append(contentsOf: rest[...quote])
            output.append(Self.quote)
            unsafe rest = rest[(quote + 1)...]
        }
        unsafe output.append(contentsOf: rest)
        output.append(Self.quote)
    }

    /// Adds the field of what stands in JSON without escapes, where no quotes and line ends can be: only a comma needs
    /// quotes then.
    func append(plain bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        guard unsafe isNull(bytes) || bytes.contains(UInt8(ascii: ",")) else {
            return unsafe output.append(contentsOf: bytes)
        }
        output.append(Self.quote)
        unsafe output.append(contentsOf: bytes)
        output.append(Self.quote)
    }

    private func isNull(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.count == null.count && bytes.elementsEqual(null)
    }

    private static let quote = UInt8(ascii: "\"")

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case quote, UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}

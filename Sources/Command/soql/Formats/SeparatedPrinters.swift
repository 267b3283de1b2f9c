// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Comma-separated values (RFC 4180, but lines end in LF): a header, then a line for each record.
///
/// Null is empty, or the text that was chosen; a text that is the same stands in quotes, as readers expect that tell
/// both apart. Children are JSON in one cell, or have lines of their own with the fields of their parent.
struct CSVPrinter: RowPrinter {
    private var head: ResultHead
    private let options: OutputOptions
    private let fields: CSVFields
    private let hasRows: Bool

    /// Makes the printer of a result.
    ///
    /// Where options guard formulas, each text that a spreadsheet would treat as one gets a `'` before it (OWASP, CSV
    /// Injection). Numbers are not changed.
    init(head: ResultHead, options: OutputOptions = OutputOptions()) {
        (self.head, self.options, hasRows) = (head, options, head.columns.hasChildRows)
        fields = CSVFields(null: options.nullText ?? "", guardsFormulas: options.guardsFormulas)
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        guard options.hasHeader, !head.columns.titles.isEmpty else { return }
        let start = output.count
        for (index, title) in head.columns.titles.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            fields.append(text: title, to: &output)
        }
        endLine(from: start, in: &output)
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        let start = output.count
        guard hasRows else {
            unsafe head.columns.forEachValue(
                of: record,
                plain: { [fields] index, bytes in
                    guard !fields.guardsFormulas else { return false }
                    if index > 0 { output.append(UInt8(ascii: ",")) }
                    unsafe fields.append(plain: bytes, to: &output)
                    return true
                }
            ) { [fields] index, value in
                if index > 0 { output.append(UInt8(ascii: ",")) }
                fields.append(Cell(value), to: &output)
            }
            return endLine(from: start, in: &output)
        }
        for cells in head.columns.rows(of: record, repeatsParent: true) {
            let start = output.count
            for (index, cell) in cells.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                fields.append(cell, to: &output)
            }
            endLine(from: start, in: &output)
        }
    }

    /// Many readers skip a blank line, so a single empty cell is quoted; a record without columns has no line.
    private func endLine(from start: Int, in output: inout [UInt8]) {
        if output.count == start {
            guard !head.columns.columns.isEmpty else { return }
            output += [0x22, 0x22]
        }
        output.append(0x0A)
    }
}

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

/// Tab-separated values: a header, then a line for each record.
///
/// Tabs, line ends and backslashes in values are `\t`, `\n`, `\r` and `\\`, as databases write them. Null is empty, or
/// the text that was chosen (`\N`).
struct TSVPrinter: RowPrinter {
    private var head: ResultHead
    private let hasHeader: Bool
    private let fields: TSVFields

    init(head: ResultHead, options: OutputOptions = OutputOptions()) {
        (self.head, hasHeader) = (head, options.hasHeader)
        fields = TSVFields(null: options.nullText ?? "")
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        guard hasHeader, !head.columns.titles.isEmpty else { return }
        line(head.columns.titles.map { Cell(text: $0, kind: .text) }, into: &output)
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        guard head.columns.hasChildRows else {
            guard !head.columns.columns.isEmpty else { return }
            unsafe head.columns.forEachValue(
                of: record,
                plain: { index, bytes in
                    // What stands in JSON without escapes has nothing to escape here.
                    if index > 0 { output.append(UInt8(ascii: "\t")) }
                    unsafe output.append(contentsOf: bytes)
                    return true
                }
            ) { [fields] index, value in
                if index > 0 { output.append(UInt8(ascii: "\t")) }
                fields.append(Cell(value), to: &output)
            }
            return output.append(UInt8(ascii: "\n"))
        }
        for cells in head.columns.rows(of: record, repeatsParent: true) where !cells.isEmpty {
            line(cells, into: &output)
        }
    }

    private func line(_ cells: [Cell], into output: inout [UInt8]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { output.append(UInt8(ascii: "\t")) }
            fields.append(cell, to: &output)
        }
        output.append(UInt8(ascii: "\n"))
    }
}

/// Writes the fields of tab-separated values.
private struct TSVFields {
    /// What stands for null.
    let null: String

    func append(_ cell: Cell, to output: inout [UInt8]) {
        switch cell.kind {
        case .null, .blank: output.append(text: null)
        case .number: output.append(text: cell.text)
        case .text:
            var text = cell.text
            text.withUTF8 { unsafe escape(UnsafeRawBufferPointer($0), into: &output) }
        }
    }

    private func escape(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        var rest = unsafe bytes[...]
        while let place = unsafe rest.firstIndex(where: { Self.letter(of: $0) != nil }) {
            unsafe output.append(contentsOf: rest[..<place])
            output.append(UInt8(ascii: "\\"))
            unsafe output.append(Self.letter(of: rest[place]) ?? rest[place])
            unsafe rest = rest[(place + 1)...]
        }
        unsafe output.append(contentsOf: rest)
    }

    /// What stands behind the backslash for a byte that is escaped.
    private static func letter(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\t"): UInt8(ascii: "t")
        case UInt8(ascii: "\n"): UInt8(ascii: "n")
        case UInt8(ascii: "\r"): UInt8(ascii: "r")
        case UInt8(ascii: "\\"): byte
        default: nil
        }
    }
}

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

// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Tab-separated values: a header, then a line for each record.
///
/// Tabs, line ends and backslashes in values are `\t`, `\n`, `\r` and `\\`, as databases write them. Null is empty, or
/// the text that was chosen (`\N`).
struct TSVPrinter: RowPrinter {
    private var head: ResultHead
    private let options: OutputOptions

    init(head: ResultHead, options: OutputOptions = OutputOptions()) {
        (self.head, self.options) = (head, options)
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        guard options.hasHeader, !head.columns.titles.isEmpty else { return }
        line(head.columns.titles.map { Cell(text: $0, kind: .text) }, into: &output)
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        for cells in head.columns.rows(of: record, repeatsParent: true) where !cells.isEmpty {
            line(cells, into: &output)
        }
    }

    private func line(_ cells: [Cell], into output: inout [UInt8]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { output.append(UInt8(ascii: "\t")) }
            switch cell.kind {
            case .null, .blank: output.append(text: options.nullText ?? "")
            case .number: output.append(text: cell.text)
            case .text: escape(cell.text, into: &output)
            }
        }
        output.append(UInt8(ascii: "\n"))
    }

    private func escape(_ text: String, into output: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\t"): output.append(text: "\\t")
            case UInt8(ascii: "\n"): output.append(text: "\\n")
            case UInt8(ascii: "\r"): output.append(text: "\\r")
            case UInt8(ascii: "\\"): output.append(text: "\\\\")
            default: output.append(byte)
            }
        }
    }
}

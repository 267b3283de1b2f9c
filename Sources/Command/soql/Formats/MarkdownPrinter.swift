// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A table of GitHub's Markdown, whose cells show the characters of values whatever they mean in Markdown.
///
/// Columns whose first values are numbers are aligned to the right. Null is an empty cell, or the text that was chosen.
struct MarkdownPrinter: RowPrinter {
    private var head: ResultHead
    private let options: OutputOptions

    init(head: ResultHead, options: OutputOptions = OutputOptions()) {
        (self.head, self.options) = (head, options)
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        let titles = head.columns.titles
        guard options.hasHeader, !titles.isEmpty else { return }
        line(titles.map { Cell(text: $0, kind: .text) }, into: &output)
        let sample = ColumnSample(records, &head.columns)
        output.append(text: "|" + sample.isNumber.map { $0 ? " ---: |" : " --- |" }.joined() + "\n")
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        for cells in head.columns.rows(of: record) where !cells.isEmpty { line(cells, into: &output) }
    }

    private func line(_ cells: [Cell], into output: inout [UInt8]) {
        output.append(UInt8(ascii: "|"))
        for cell in cells {
            output.append(UInt8(ascii: " "))
            switch cell.kind {
            case .null: escape(options.nullText ?? "", into: &output)
            case .blank: break
            case .number: output.append(text: cell.text)
            case .text: escape(cell.text, into: &output)
            }
            output.append(text: " |")
        }
        output.append(UInt8(ascii: "\n"))
    }

    private func escape(_ text: String, into output: inout [UInt8]) {
        var before: UInt8?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n"): output.append(text: before == UInt8(ascii: "\r") ? "" : "<br>")
            case UInt8(ascii: "\r"): output.append(text: "<br>")
            case UInt8(ascii: "\t"): output.append(UInt8(ascii: " "))
            case _ where Self.meanings.contains(byte): output += [UInt8(ascii: "\\"), byte]
            default: output.append(byte)
            }
            before = byte
        }
    }

    /// The characters that mean something to Markdown within a line.
    private static let meanings = Array(#"\`*_[]<>&|~"#.utf8)
}

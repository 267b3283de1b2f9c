// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A page of HTML with one table, which shows values as text whatever tags are in them.
///
/// Null is an empty cell, or the text that was chosen, of the class `null`.
struct HTMLPrinter: RowPrinter {
    private var head: ResultHead
    private let options: OutputOptions

    init(head: ResultHead, options: OutputOptions = OutputOptions()) {
        (self.head, self.options) = (head, options)
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        output.append(
            text: """
                <!DOCTYPE html>
                <meta charset="utf-8">
                <title>soql</title>
                <style>
                table { border-collapse: collapse }
                th, td { border: 1px solid #ccc; padding: 2px 6px; text-align: left; white-space: pre-wrap }
                td.number { text-align: right }
                td.null { color: #888 }
                </style>
                <table>

                """)
        if options.hasHeader {
            output.append(text: "<thead>\n<tr>")
            for title in head.columns.titles { cell("th", title, into: &output) }
            output.append(text: "</tr>\n</thead>\n")
        }
        output.append(text: "<tbody>\n")
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        for cells in head.columns.rows(of: record) {
            output.append(text: "<tr>")
            for cell in cells {
                switch cell.kind {
                case .null: self.cell("td", options.nullText ?? "", of: "null", into: &output)
                case .number: self.cell("td", cell.text, of: "number", into: &output)
                case .blank, .text: self.cell("td", cell.text, into: &output)
                }
            }
            output.append(text: "</tr>\n")
        }
    }

    mutating func end(isDone: Bool, into output: inout [UInt8]) {
        output.append(text: "</tbody>\n</table>\n")
    }

    private func cell(_ tag: String, _ text: String, of kind: String? = nil, into output: inout [UInt8]) {
        output.append(text: "<\(tag)" + (kind.map { " class=\"\($0)\"" } ?? "") + ">")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output.append(text: "&amp;")
            case UInt8(ascii: "<"): output.append(text: "&lt;")
            case UInt8(ascii: ">"): output.append(text: "&gt;")
            case UInt8(ascii: "\""): output.append(text: "&quot;")
            // HTML knows no other controls, and reads a carriage return as a line's end.
            case 0..<0x20 where byte != 0x0A && byte != 0x09: output.append(text: "&#xFFFD;")
            default: output.append(byte)
            }
        }
        output.append(text: "</\(tag)>")
    }
}

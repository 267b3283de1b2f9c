// SPDX-License-Identifier: Apache-2.0

import RestJSON

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

// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// A line for each field, with a line above each record: every value is whole, on as many lines as it needs.
///
/// Children follow their parent's fields, with their numbers: `Contacts[2].LastName`.
struct VerticalPrinter: RowPrinter {
    private var head: ResultHead
    private let style: PrintStyle
    private let null: String
    private let headings: [Columns.Heading]
    /// The columns of the names of fields.
    private let labelWidth: Int
    private var number = 0

    init(head: ResultHead, style: PrintStyle = PrintStyle()) {
        (self.head, self.style) = (head, style)
        null = (style.options.nullText ?? "null").singleLine
        headings = head.columns.headings
        // A child's number makes its label longer.
        labelWidth = headings.reduce(0) { max($0, $1.text.columnWidth + ($1.list == nil ? 0 : 3)) }
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {}

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        let columns = style.columns()
        let width = columns.map { min(labelWidth, max(4, $0 / 2 - 2)) } ?? labelWidth
        let room = columns.map { max(1, $0 - width - 3) }
        separator(columns, width, into: &output)
        for (place, cells) in head.columns.rows(of: record).enumerated() {
            for (heading, cell) in zip(headings, cells) where cell.kind != .blank {
                let label = heading.list.map { "\($0)[\(place + 1)].\(heading.name)" } ?? heading.name
                line(label.singleLine, cell, width, room, into: &output)
            }
        }
    }

    private mutating func separator(_ columns: Int?, _ width: Int, into output: inout [UInt8]) {
        number += 1
        guard style.options.hasHeader else {
            if number > 1 { output.append(UInt8(ascii: "\n")) }
            return
        }
        let dash = style.marks.horizontal
        let title = "\(dash)[ \(number) ]"
        let rest = min(columns ?? 80, width + 32) - title.columnWidth
        output.append(text: title + String(repeating: dash, count: max(0, rest)) + "\n")
    }

    private func line(_ label: String, _ cell: Cell, _ width: Int, _ room: Int?, into output: inout [UInt8]) {
        let shown = label.cut(toColumns: width, mark: style.marks.ellipsis)
        // prose: cells for people
        let lines = cell.shown(null: null).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { String($0).singleLine }
        let pieces = lines.flatMap { line in room.map { line.wrapped(toColumns: $0) } ?? [line[...]] }
        for (index, piece) in pieces.enumerated() {
            let start = output.count
            if index == 0 { output.append(text: shown, as: .bold, style.hasColors) }
            output.append(blanks: width - (index == 0 ? shown.columnWidth : 0))
            output.append(text: " \(style.marks.vertical) ")
            output.append(text: String(piece), as: cell.kind == .null ? .dim : nil, style.hasColors)
            output.endLine(from: start)
        }
    }
}

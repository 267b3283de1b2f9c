// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A table to read.
///
/// The first page decides the widths, so that any number of rows needs the memory of one page. A wider cell on a later
/// page only loses its alignment. A cell that is too wide ends in an ellipsis; otherwise one long text would pad every
/// row. Children have rows of their own under their parent.
struct TablePrinter: RowPrinter {
    /// The most padding of a cell, even when cells are shown whole.
    private static let widestPadding = 80

    private var head: ResultHead
    /// The most columns of a cell; 0 for no limit.
    private let cellWidth: Int
    private var widths: [Int] = []
    private var hasCut = false

    init(head: ResultHead, cellWidth: Int = OutputOptions().cellWidth) {
        (self.head, self.cellWidth) = (head, cellWidth)
    }

    var remark: String? {
        hasCut ? "cells wider than \(cellWidth) columns are cut (--cell-width 0 shows them whole)" : nil
    }

    mutating func begin(_ records: Slice<JSONArray>) -> [UInt8] {
        let titles = head.columns.flatTitles.map { shown($0) }
        let sample = head.columns.isCount ? [["\(head.totalSize)"]] : records.flatMap { tableRows(of: $0) }
        widths = titles.indices.map { column in
            let width = sample.reduce(titles[column].columnWidth) { max($0, $1[column].columnWidth) }
            return cellWidth > 0 ? width : min(width, Self.widestPadding)
        }
        var bytes = line(titles) + rule()
        if head.columns.isCount { bytes += line(["\(head.totalSize)"]) }
        return bytes
    }

    mutating func rows(_ records: Slice<JSONArray>) -> [UInt8] {
        records.flatMap { record in tableRows(of: record).flatMap(line) }
    }

    mutating func end(isDone: Bool) -> [UInt8] { [] }

    private mutating func tableRows(of record: JSONValue) -> [[String]] {
        head.columns.tableRows(of: record).map { $0.map { shown($0) } }
    }

    private mutating func shown(_ cell: String) -> String {
        guard cellWidth > 0, cell.utf8.count > cellWidth else { return cell }
        let short = cell.cut(toColumns: cellWidth)
        hasCut = hasCut || short.utf8.count != cell.utf8.count
        return short
    }

    private func line(_ cells: [String]) -> [UInt8] {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: max(0, width - cell.columnWidth))
        }
        return Array((" " + padded.joined(separator: " │ ")).trimmingTrailingBlanks.utf8) + [0x0A]
    }

    private func rule() -> [UInt8] {
        Array((widths.map { String(repeating: "─", count: $0 + 2) }.joined(separator: "┼") + "\n").utf8)
    }
}

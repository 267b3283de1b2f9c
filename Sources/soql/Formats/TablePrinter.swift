// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A table for people.
///
/// Its widths come from the first page, so that any number of rows needs the memory of one page; a later cell that is
/// wider is printed whole and only loses its alignment. Children stand in rows of their own under their parent.
struct TablePrinter: RowPrinter {
    let head: ResultHead
    private var widths: [Int] = []

    init(head: ResultHead) {
        self.head = head
    }

    mutating func begin(_ records: Slice<JSONArray>) -> [UInt8] {
        let titles = head.columns.flatTitles
        let sample = head.columns.isCount ? [["\(head.totalSize)"]] : records.flatMap(head.columns.tableRows(of:))
        widths = titles.indices.map { column in
            sample.reduce(titles[column].columnWidth) { max($0, $1[column].columnWidth) }
        }
        var bytes = line(titles) + rule()
        if head.columns.isCount { bytes += line(["\(head.totalSize)"]) }
        return bytes
    }

    mutating func rows(_ records: Slice<JSONArray>) -> [UInt8] {
        records.flatMap { record in head.columns.tableRows(of: record).flatMap(line) }
    }

    mutating func end(isDone: Bool) -> [UInt8] { [] }

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

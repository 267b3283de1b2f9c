// SPDX-License-Identifier: Apache-2.0

/// A small table of what the org told about itself, in the form of the results' tables.
struct TextTable {
    let text: String

    /// Makes a table.
    init(_ titles: [String], _ rows: [[String]]) {
        let rows = rows.map { $0.map(\.singleLine) }
        let widths = titles.indices.map { column in
            rows.reduce(titles[column].columnWidth) { max($0, $1[column].columnWidth) }
        }
        let marks = Marks.current
        let lines = ([titles] + rows).map { cells in
            let padded = cells.indices.map { column in
                let room = String(repeating: " ", count: max(0, widths[column] - cells[column].columnWidth))
                return column == cells.count - 1 ? cells[column] : cells[column] + room
            }
            return " " + padded.joined(separator: " \(marks.vertical) ")
        }
        let rule = widths.map { String(repeating: marks.horizontal, count: $0 + 2) }.joined(separator: marks.cross)
        text = ([lines[0], rule] + lines.dropFirst()).map { $0 + "\n" }.joined()
    }
}

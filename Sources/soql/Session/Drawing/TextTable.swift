// SPDX-License-Identifier: Apache-2.0

/// A small table of what the org told about itself, in the form of the results' tables.
struct TextTable {
    let text: String

    /// Makes a table; the columns of these numbers have numbers, which stand on the right.
    init(_ titles: [String], _ rows: [[String]], numbers: Set<Int> = []) {
        let rows = rows.map { $0.map(\.singleLine) }
        let widths = titles.indices.map { column in
            rows.reduce(titles[column].columnWidth) { max($0, $1[column].columnWidth) }
        }
        let lines = ([titles] + rows).map { cells in
            let padded = cells.indices.map { column in
                let room = String(repeating: " ", count: max(0, widths[column] - cells[column].columnWidth))
                return numbers.contains(column) ? room + cells[column] : cells[column] + room
            }
            return (" " + padded.joined(separator: " │ ")).trimmingTrailingBlanks
        }
        let rule = widths.map { String(repeating: "─", count: $0 + 2) }.joined(separator: "┼")
        text = ([lines[0], rule] + lines.dropFirst()).map { $0 + "\n" }.joined()
    }
}

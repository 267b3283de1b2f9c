// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// What the first page tells of the columns.
struct ColumnSample {
    /// Whether all values of a column are numbers, which are aligned to the right.
    private(set) var isNumber: [Bool] = []
    /// Whether a column's values mean nothing when they are cut: numbers and ids.
    private(set) var isWhole: [Bool] = []
    /// The columns of the terminal that title and values need.
    private(set) var widths: [Int]

    /// Looks at records.
    ///
    /// - Parameters:
    ///   - records: the first page.
    ///   - columns: the columns.
    ///   - width: how many columns of the terminal a cell needs.
    init(_ records: Slice<JSONArray>, _ columns: inout Columns, width: (Cell) -> Int = { _ in 0 }) {
        let headings = columns.headings
        widths = columns.titles.map { width(Cell(text: $0, kind: .text)) }
        var (numbers, ids, others) = (widths.map { _ in 0 }, widths.map { _ in 0 }, widths.map { _ in 0 })
        for record in records {
            for cells in columns.rows(of: record) {
                for (index, cell) in cells.enumerated() {
                    widths[index] = max(widths[index], width(cell))
                    switch cell.kind {
                    case .null, .blank: break
                    case .number: numbers[index] += 1
                    case .text where cell.isID: ids[index] += 1
                    case .text: others[index] += 1
                    }
                }
            }
        }
        isNumber = headings.indices.map { numbers[$0] > 0 && ids[$0] == 0 && others[$0] == 0 }
        isWhole = headings.indices.map { index in
            let isID = ids[index] > 0 && numbers[index] == 0 && others[index] == 0
            return isNumber[index] || isID && headings[index].name.lowercased().hasBytes(suffix: "id")
        }
    }
}

extension Cell {
    /// Whether this may be the id of a record: 15 or 18 letters and digits.
    fileprivate var isID: Bool {
        (text.utf8.count == 15 || text.utf8.count == 18)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
    }
}

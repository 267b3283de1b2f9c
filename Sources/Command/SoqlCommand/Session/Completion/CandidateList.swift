// SPDX-License-Identifier: Apache-2.0

import SOQLCheck

/// A list of completions below the line, in columns like `ls`.
struct CandidateList {
    private let cells: [String]

    init(_ candidates: [Completion.Candidate]) {
        cells = candidates.map { ($0.note.isEmpty ? $0.text : "\($0.text) (\($0.note))").singleLine }
    }

    /// The list for a terminal of this size, with a count of the candidates that do not fit.
    func text(_ columns: Int, _ rows: Int) -> String {
        let (columns, rows) = (max(columns, 1), max(rows - 3, 1))
        let width = (cells.map(\.columnWidth).max() ?? 0) + 2
        let across = max(1, columns / width)
        let shown = cells.prefix(across * rows)
        let down = (shown.count + across - 1) / across
        var lines = (0..<down).map { row in
            stride(from: row, to: shown.count, by: down).map { index in
                let cell = shown[index].cut(toColumns: max(columns - 1, 1))
                let isLast = index + down >= shown.count
                return isLast ? cell : cell + String(repeating: " ", count: max(0, width - cell.columnWidth))
            }.joined()
        }
        if shown.count < cells.count { lines.append("… and \(cells.count - shown.count) more".cut(toColumns: columns)) }
        return lines.map { $0 + "\n" }.joined()
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A table of text, with each column as wide as its widest cell.
struct TextTable {
    private var rows: [[String]]

    init(_ titles: [String]) {
        rows = [titles]
    }

    mutating func append(_ cells: [String]) { rows.append(cells) }

    /// The lines, with the first and the last column left-aligned and the others right-aligned.
    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { cells in
            cells.indices.map { column in
                let blanks = String(repeating: " ", count: widths[column] - cells[column].count)
                if column == cells.count - 1 { return cells[column] }
                return column == 0 ? cells[column] + blanks : blanks + cells[column]
            }.joined(separator: "  ")
        }
        return lines.joined(separator: "\n")
    }
}

/// Formats an amount with four digits and a unit, which is chosen for times.
func amount(_ value: Double, _ unit: String) -> String {
    guard unit == "s" else { return "\(fourDigits(value)) \(unit)" }
    let steps = [(1.0, "s"), (1e3, "ms"), (1e6, "µs")]
    let (factor, name) = steps.first { abs(value) * $0.0 >= 1 } ?? (value == 0 ? steps[0] : (1e9, "ns"))
    return "\(fourDigits(value * factor)) \(name)"
}

private func fourDigits(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    var scale = 1.0
    while abs(value) * scale < 1_000, scale < 1_000 { scale *= 10 }
    return rounded((value * scale).rounded() / scale)
}

// SPDX-License-Identifier: Apache-2.0

@testable import SoqlCommand

/// The content of a terminal after printing a text, including lines that scrolled away.
///
/// It supports the sequences that the command and libedit use: line ends, returns, cursor movement, erasing to the end,
/// and inserted and deleted characters. Attributes are ignored.
struct ScreenModel {
    private let columns: Int
    /// The cells of each line, with an empty second cell for wide characters.
    private var cells: [[String]] = [[]]
    private var (row, column) = (0, 0)

    init(_ text: String, columns: Int) {
        self.columns = columns
        var rest = text[...]
        while let next = rest.popFirst() {
            switch next {
            case "\u{1B}": escape(&rest)
            case "\r": column = 0
            case "\u{8}": column = max(0, column - 1)
            case "\u{7}": break
            case "\n", "\r\n":
                if next == "\r\n" { column = 0 }
                feedLine()
            default: put(next)
            }
        }
    }

    /// The lines without trailing spaces, and without empty lines at the end.
    var lines: [String] {
        let lines = cells.map { line in
            String(line.joined().reversed().drop { $0 == " " }.reversed())
        }
        return Array(lines.reversed().drop { $0.isEmpty }.reversed())
    }

    var isAtLineStart: Bool { column == 0 }
    var cursor: [Int] { [row, column] }

    private mutating func feedLine() {
        row += 1
        if row == cells.count { cells.append([]) }
    }

    private mutating func put(_ character: Character) {
        let width = character.columns
        if column + width > columns {
            column = 0
            feedLine()
        }
        while cells[row].count < column + width { cells[row].append(" ") }
        guard width > 0 else { return }
        cells[row][column] = String(character)
        if width == 2 { cells[row][column + 1] = "" }
        column += width
    }

    private mutating func escape(_ rest: inout Substring) {
        guard rest.first == "[" else { return }
        let sequence = rest.dropFirst().prefix { !$0.isLetter }
        rest = rest.dropFirst(1 + sequence.count)
        let count = max(1, Int(sequence) ?? 1)
        switch rest.popFirst() {
        case "A": row = max(0, row - count)
        case "B": row = min(cells.count - 1, row + count)
        case "C": column = min(columns - 1, column + count)
        case "D": column = max(0, column - count)
        case "P": cells[row].removeSubrange(min(column, cells[row].count)..<min(column + count, cells[row].count))
        case "@": cells[row].insert(contentsOf: Array(repeating: " ", count: count), at: min(column, cells[row].count))
        case "J":
            cells[row] = Array(cells[row].prefix(column))
            cells.removeSubrange((row + 1)...)
        case "K": cells[row] = Array(cells[row].prefix(column))
        default: break
        }
    }
}

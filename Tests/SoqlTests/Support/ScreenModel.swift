// SPDX-License-Identifier: Apache-2.0

@testable import soql

/// What a terminal shows after some text, with all lines that scrolled away.
///
/// It knows what the command uses: line ends, returns, erasing to the end, and attributes, which it drops.
struct ScreenModel {
    private let columns: Int
    /// The cells of each line; the second cell of a wide character is empty.
    private var cells: [[String]] = [[]]
    private var (row, column) = (0, 0)

    init(_ text: String, columns: Int) {
        self.columns = columns
        var rest = text[...]
        while let next = rest.popFirst() {
            switch next {
            case "\u{1B}": escape(&rest)
            case "\r": column = 0
            case "\n", "\r\n":
                if next == "\r\n" { column = 0 }
                feedLine()
            default: put(next)
            }
        }
    }

    /// The lines without blanks at their ends, and without empty ones at the end.
    var lines: [String] {
        let lines = cells.map { line in
            String(line.joined().reversed().drop { $0 == " " }.reversed())
        }
        return Array(lines.reversed().drop { $0.isEmpty }.reversed())
    }

    /// Whether the cursor is at the start of a line.
    var isAtLineStart: Bool { column == 0 }

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
        switch rest.popFirst() {
        case "J":
            cells[row] = Array(cells[row].prefix(column))
            cells.removeSubrange((row + 1)...)
        case "K": cells[row] = Array(cells[row].prefix(column))
        default: break
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck

/// A typed line with its colors, which is drawn over the same characters without colors.
struct ColoredLine {
    private let line: String
    /// The color of each byte that begins a character, as a sequence of the terminal.
    private let colors: [Int: String]
    /// The objects whose missing descriptions would provide more colors.
    let missing: Set<String>

    /// Colors the last line of a statement whose cursor is at an offset in bytes of that line.
    init(_ line: String, after earlier: String, cursor: Int, schema: CompletionSchema) {
        self.line = line
        let start = earlier.utf8.count
        var colors: [Int: String] = [:]
        let (ranges, missing) = QueryHighlight(schema).parts(of: earlier + line, cursor: start + cursor)
        for (range, kind) in ranges where range.upperBound > start {
            colors[max(0, range.lowerBound - start)] = Self.sequence(of: kind)
            let end = range.upperBound - start
            colors[end] = colors[end] ?? Self.plain
        }
        (self.colors, self.missing) = (colors, missing)
    }

    private static let plain = "\u{1B}[0m"

    private static func sequence(of kind: QueryHighlight.Kind) -> String {
        switch kind {
        case .keyword: "\u{1B}[0;1;34m"
        case .function: "\u{1B}[0;34m"
        case .name: "\u{1B}[0;36m"
        case .unknown: "\u{1B}[0;4;31m"
        case .literal: "\u{1B}[0;32m"
        case .comment: "\u{1B}[0;2m"
        }
    }

    /// Returns the output that draws the line and puts the cursor back, or `nil` for a line that cannot be drawn.
    ///
    /// The terminal shows the line after a prompt of `start` columns, and wraps it at its last column. The cursor is
    /// after `cursor` columns of the line. A line with control characters is shown in another form, and the position of
    /// wide characters at the edge depends on the terminal.
    func drawing(from start: Int, cursor: Int, columns: Int) -> String? {
        let width = line.columnWidth
        let isWide = width != line.unicodeScalars.count
        guard columns > 1, !colors.isEmpty, line.replacingControls() == nil,
            start + width < columns || !isWide
        else { return nil }
        var row = start / columns
        var output = "\r" + Self.move(from: (start + cursor) / columns, to: row) + Self.right(start % columns)
        var (column, offset) = (start % columns, 0)
        for character in line {  // prose: a terminal shows characters
            if column >= columns {
                output += "\r\u{1B}[1B"
                (row, column) = (row + 1, 0)
            }
            output += colors[offset] ?? ""
            output.append(character)
            column += character.columns
            offset += character.utf8.count
        }
        output += Self.plain + "\r" + Self.move(from: row, to: (start + cursor) / columns)
        return output + Self.right((start + cursor) % columns)
    }

    private static func move(from: Int, to: Int) -> String {
        from == to ? "" : from > to ? "\u{1B}[\(from - to)A" : "\u{1B}[\(to - from)B"
    }

    private static func right(_ count: Int) -> String { count > 0 ? "\u{1B}[\(count)C" : "" }
}

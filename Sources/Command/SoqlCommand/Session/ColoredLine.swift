// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck

/// A typed line with its colors, which is drawn over the same characters without colors, and its first error.
struct ColoredLine {
    private let line: String
    /// The color of each byte that begins a character, as a sequence of the terminal.
    private let colors: [Int: String]
    /// The objects whose missing descriptions would provide more colors.
    let missing: Set<String>
    /// The first error, with its position and length in the last row of the line, if it is there.
    private let fault: (message: String, rule: Rule, column: Int?, length: Int)?

    /// Colors the last line of a statement whose cursor is at an offset in bytes of that line.
    init(_ line: String, after earlier: String, cursor: Int, schema: CompletionSchema, hasColors: Bool = true) {
        self.line = line
        let start = earlier.utf8.count
        var colors: [Int: String] = [:]
        let (ranges, missing) = QueryHighlight(schema).parts(of: earlier + line, cursor: start + cursor)
        for (range, kind) in ranges where hasColors && range.upperBound > start {
            colors[max(0, range.lowerBound - start)] = Self.sequence(of: kind)
            let end = range.upperBound - start
            colors[end] = colors[end] ?? Self.plain
        }
        (self.colors, self.missing) = (colors, missing)
        let fault = Self.fault(of: earlier + line, cursor: start + cursor, schema.described)
        // An object may exist whose description is still missing.
        let isJudged = fault?.rule != .unknownObject || ranges.contains { $0.kind == .unknown }
        self.fault = isJudged ? fault : nil
    }

    /// The first error of queries, where an incomplete query has only wrong names, and not the one at the cursor.
    private static func fault(
        of text: String, cursor: Int, _ schema: QuerySchema
    ) -> (message: String, rule: Rule, column: Int?, length: Int)? {
        let trimmed = text.trimmingBlanks
        guard trimmed.prefix(6).lowercased() == "select" else { return nil }
        let found = CheckedFile(name: "", text: text, schema: schema).places.first { $0.finding.severity == .error }
        guard let found else { return nil }
        let rows = text.split(byte: "\n", omittingEmptySubsequences: false)
        let typed = String(decoding: text.utf8.prefix(cursor), as: UTF8.self)
            .split(byte: "\n", omittingEmptySubsequences: false)
        let isAtCursor =
            typed.count == found.line
            && found.column...found.column + found.finding.length ~= (typed.last?.unicodeScalars.count ?? 0) + 1
        guard trimmed.hasBytes(suffix: ";") || found.finding.rule != .syntax && !isAtCursor else { return nil }
        // Further sentences are about rare causes.
        let text = found.finding.message
        let sentence = text.ranges(bytes: ". ").first.map { text[..<$0.lowerBound] + "." } ?? text[...]
        let message = [String(sentence), found.question].compactMap(\.self).joined(separator: " ").singleLine
        let rule = found.finding.rule
        guard found.line == rows.count else { return ("line \(found.line): \(message)", rule, nil, 0) }
        return (message, rule, found.column - 1, max(1, found.finding.length))
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
    /// after the text `before`. A line with control characters is shown in another form, and the position of
    /// wide characters at the edge depends on the terminal.
    func drawing(from start: Int, before: String, columns: Int) -> String? {
        guard !colors.isEmpty, let cursor = place(after: before, from: start, columns) else { return nil }
        var row = start / columns
        var output = "\r" + Self.move(from: cursor.row, to: row) + Self.right(start % columns)
        var (column, offset) = (start % columns, 0)
        for character in line {  // prose: a terminal shows characters
            if column >= columns || character == "\n" {
                output += "\r\u{1B}[1B"
                (row, column) = (row + 1, 0)
            }
            output += colors[offset] ?? ""
            if character != "\n" { output.append(character) }
            column += character == "\n" ? 0 : character.columns
            offset += character.utf8.count
        }
        output += Self.plain + "\r" + Self.move(from: row, to: cursor.row)
        return output + Self.right(cursor.column)
    }

    /// Returns the output that draws the first error below the line and puts the cursor back, and the output that
    /// erases it, or `nil` without an error.
    func faultDrawing(from start: Int, before: String, columns: Int) -> (shown: String, erased: String)? {
        guard let fault, let cursor = place(after: before, from: start, columns),
            let end = place(after: line, from: start, columns)
        else { return nil }
        let last = line.split(byte: "\n", omittingEmptySubsequences: false).last ?? ""
        let margin = last.utf8.count == line.utf8.count ? start : 0
        var rows = [fault.message]
        if let column = fault.column, margin + String(last).columnWidth < columns {
            let place = margin + String(String.UnicodeScalarView(last.unicodeScalars.prefix(column))).columnWidth
            let caret = String(repeating: " ", count: place) + "^" + String(repeating: "~", count: fault.length - 1)
            let fits = caret.utf8.count + 1 + fault.message.columnWidth < columns
            rows = fits ? [caret + " " + fault.message] : [caret, fault.message]
        }
        let (down, back) = (end.row - cursor.row, "\r" + Self.move(from: end.row + 1, to: cursor.row))
        let text = rows.map { "\r\n" + $0.cut(toColumns: columns - 1, mark: Marks.current.ellipsis) }.joined()
        return (
            Self.move(from: 0, to: down) + text + Self.move(from: rows.count, to: 1) + back + Self.right(cursor.column),
            "\r" + Self.move(from: 0, to: down + 1) + "\u{1B}[J" + back + Self.right(cursor.column)
        )
    }

    /// The row and column after a part of the line, or `nil` if they depend on the terminal.
    private func place(after text: String, from start: Int, _ columns: Int) -> (row: Int, column: Int)? {
        guard columns > 1, line.replacingControls(keeping: "\n") == nil else { return nil }
        var (row, column, isFull) = (0, start, false)
        for (index, part) in line.split(byte: "\n", omittingEmptySubsequences: false).map(String.init).enumerated() {
            let isWide = part.columnWidth != part.unicodeScalars.count
            guard !isWide || (index == 0 ? start : 0) + part.columnWidth < columns else { return nil }
        }
        for (index, part) in text.split(byte: "\n", omittingEmptySubsequences: false).map(String.init).enumerated() {
            if isFull { return nil }
            if index > 0 { (row, column) = (row + 1, 0) }
            let end = column + part.columnWidth
            (row, column) = (row + end / columns, end % columns)
            isFull = column == 0 && end > 0
        }
        return (row, column)
    }

    private static func move(from: Int, to: Int) -> String {
        from == to ? "" : from > to ? "\u{1B}[\(from - to)A" : "\u{1B}[\(to - from)B"
    }

    private static func right(_ count: Int) -> String { count > 0 ? "\u{1B}[\(count)C" : "" }
}

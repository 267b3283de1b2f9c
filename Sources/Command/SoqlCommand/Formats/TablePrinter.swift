// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK

/// Prints an aligned table.
///
/// The first page determines the widths, so memory is limited to one page for any number of rows. On a terminal, the
/// table is fitted to its width (``TableLayout``), and refitted for the next page if the width changes. If the table
/// cannot fit, each field is on a separate line. Children have separate rows below their parent.
struct TablePrinter: RowPrinter {
    /// The maximum padding of a cell, even if cells are not cut.
    private static let widestPadding = 80

    private var head: ResultHead
    private let style: PrintStyle
    private let null: String
    private let cellWidth: Int
    private var sample: ColumnSample?
    private var layout = TableLayout(natural: [])
    /// The terminal width of the layout.
    private var columns: Int?
    /// The replacement for a table that does not fit.
    private var expanded: VerticalPrinter?
    private var (isCutByOption, isCutByScreen) = (false, false)

    init(head: ResultHead, style: PrintStyle = PrintStyle()) {
        (self.head, self.style, cellWidth) = (head, style, style.options.cellWidth)
        null = (style.options[.nullText] ?? "null").singleLine
    }

    var remark: String? {
        if isCutByOption {
            return "cells wider than \(cellWidth) columns are truncated; use --cell-width 0 to show them in full"
        }
        return isCutByScreen ? "cells are truncated to fit the terminal; use --expanded on to show them in full" : nil
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        sample = ColumnSample(records, &head.columns) { [self] in min(text(of: $0).columnWidth, widest) }
        columns = style.columns()
        if let fitting = fittedLayout() {
            layout = fitting
            heading(into: &output)
        } else {
            expanded = VerticalPrinter(head: head, style: style)
            expanded?.begin(records, into: &output)
        }
    }

    mutating func turnPage(into output: inout [UInt8]) {
        let now = style.columns()
        guard expanded == nil, now != columns else { return }
        columns = now
        guard let fitting = fittedLayout(), fitting != layout else { return }
        layout = fitting
        heading(into: &output)
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        guard expanded == nil else {
            expanded?.row(record, into: &output)
            return
        }
        for cells in head.columns.rows(of: record) { line(cells, into: &output) }
    }

    private var widest: Int { cellWidth > 0 ? cellWidth : Self.widestPadding }

    /// The layout, or `nil` if the table does not fit and other forms are allowed.
    private func fittedLayout() -> TableLayout? {
        guard let sample, let columns, !sample.widths.isEmpty else {
            return TableLayout(natural: self.sample?.widths ?? [])
        }
        return TableLayout(
            natural: sample.widths, isWhole: sample.isWhole, into: columns,
            isForced: style.options.expansion == .off)
    }

    private mutating func heading(into output: inout [UInt8]) {
        guard !style.options.has(.noHeader), !layout.widths.isEmpty else { return }
        line(head.columns.titles.map { Cell(text: $0, kind: .text) }, isTitle: true, into: &output)
        let dashes = layout.widths.map { String(repeating: style.marks.horizontal, count: $0 + 2) }
        output.append(text: dashes.joined(separator: style.marks.cross) + "\n")
    }

    private func text(of cell: Cell) -> String { cell.shown(null: null).singleLine }

    private mutating func line(_ cells: [Cell], isTitle: Bool = false, into output: inout [UInt8]) {
        let start = output.count
        for (index, cell) in cells.enumerated() {
            output.append(text: index == 0 ? " " : " \(style.marks.vertical) ")
            let text = shown(cell, isTitle: isTitle, in: layout.widths[index])
            let padding = layout.widths[index] - text.columnWidth
            let isRight = sample?.isNumber[index] == true
            if isRight { output.append(blanks: padding) }
            output.append(text: text, as: isTitle ? .bold : cell.kind == .null ? .dim : nil, style.hasColors)
            if !isRight { output.append(blanks: padding) }
        }
        output.endLine(from: start)
    }

    /// The displayed text of a cell in a column: numbers whole, strings cut to the allowed width.
    private mutating func shown(_ cell: Cell, isTitle: Bool, in width: Int) -> String {
        let text = isTitle ? cell.text : text(of: cell)
        guard cell.kind != .number else { return text }
        var shown = text
        if cellWidth > 0 {
            shown = shown.cut(toColumns: cellWidth, mark: style.marks.ellipsis)
            isCutByOption = isCutByOption || !isTitle && shown.utf8.count != text.utf8.count
        }
        guard layout.isCutting else { return shown }
        let fitted = shown.cut(toColumns: width, mark: style.marks.ellipsis)
        isCutByScreen = isCutByScreen || !isTitle && fitted.utf8.count != shown.utf8.count
        return fitted
    }
}

/// An emphasis of text on a terminal (ECMA-48, SGR).
enum Emphasis: String {
    case bold = "\u{1B}[1m"
    case dim = "\u{1B}[2m"
    /// A bar or a line of a chart, in cyan.
    case drawn = "\u{1B}[36m"
}

extension [UInt8] {
    mutating func append(text: String, as emphasis: Emphasis?, _ hasColors: Bool) {
        guard let emphasis, hasColors, !text.isEmpty else { return append(text: text) }
        append(text: emphasis.rawValue + text + "\u{1B}[0m")
    }
}

/// The widths of the columns of a table.
struct TableLayout: Equatable {
    /// The minimum width of a column that is narrowed to make room for other columns.
    static let narrowest = 8

    let widths: [Int]
    /// Whether strings are cut to their column, while otherwise a wider string only loses its alignment.
    let isCutting: Bool

    /// The natural widths without a limit.
    init(natural: [Int]) { (widths, isCutting) = (natural, false) }

    /// Fits a table into a width by narrowing the widest columns until they are equally wide.
    ///
    /// - Parameters:
    ///   - natural: The widths that titles and values need.
    ///   - isWhole: The columns that are not narrowed, such as numbers and ids.
    ///   - columns: The width of the whole table, with a space on both sides and three characters between two columns.
    ///   - isForced: Whether to use the minimum widths if the table cannot fit, instead of returning `nil`.
    init?(natural: [Int], isWhole: [Bool], into columns: Int, isForced: Bool = false) {
        let room = columns - 2 - 3 * (natural.count - 1)
        let least = zip(natural, isWhole).map { $1 ? $0 : min($0, Self.narrowest) }
        guard least.reduce(0, +) <= room || isForced else { return nil }
        let width = { (cap: Int) in zip(natural, least).map { max($1, min($0, cap)) } }
        // The largest cap that fits, by bisection.
        var (low, high) = (Self.narrowest, max(Self.narrowest, natural.max() ?? 0))
        while low < high {
            let middle = (low + high + 1) / 2
            if width(middle).reduce(0, +) <= room { low = middle } else { high = middle - 1 }
        }
        var widths = width(low)
        // The remaining width is given to the first columns that were narrowed.
        var left = room - widths.reduce(0, +)
        for index in widths.indices where left > 0 && widths[index] < natural[index] {
            widths[index] += 1
            left -= 1
        }
        (self.widths, isCutting) = (widths, true)
    }
}

/// Properties of the columns, derived from the first page.
struct ColumnSample {
    /// Whether all values of a column are numbers, which are aligned to the right.
    private(set) var isNumber: [Bool] = []
    /// Whether a column contains numbers or ids, which are useless if they are cut.
    private(set) var isWhole: [Bool] = []
    /// The terminal columns that title and values need.
    private(set) var widths: [Int]

    /// Examines the records of the first page, where `width` returns the number of terminal columns of a cell.
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
                    case .text where cell.text.isRecordID: ids[index] += 1
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

/// Prints a table in GitHub Flavored Markdown, with special characters in values escaped.
///
/// Numeric columns are aligned to the right. Null is empty, or the text that the user chose.
struct MarkdownPrinter: RowPrinter {
    private var head: ResultHead
    private let hasHeader: Bool
    private let null: String

    init(head: ResultHead, options: Arguments = Arguments()) {
        (self.head, hasHeader, null) = (head, !options.has(.noHeader), options[.nullText] ?? "")
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        let titles = head.columns.titles
        guard hasHeader, !titles.isEmpty else { return }
        line(titles.map { Cell(text: $0, kind: .text) }, into: &output)
        let sample = ColumnSample(records, &head.columns)
        output.append(text: "|" + sample.isNumber.map { $0 ? " ---: |" : " --- |" }.joined() + "\n")
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        for cells in head.columns.rows(of: record) where !cells.isEmpty { line(cells, into: &output) }
    }

    private func line(_ cells: [Cell], into output: inout [UInt8]) {
        output.append(UInt8(ascii: "|"))
        for cell in cells {
            output.append(UInt8(ascii: " "))
            switch cell.kind {
            case .null: escape(null, into: &output)
            case .blank: break
            case .number: output.append(text: cell.text)
            case .text: escape(cell.text, into: &output)
            }
            output.append(text: " |")
        }
        output.append(UInt8(ascii: "\n"))
    }

    private func escape(_ text: String, into output: inout [UInt8]) {
        var before: UInt8?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n"): output.append(text: before == UInt8(ascii: "\r") ? "" : "<br>")
            case UInt8(ascii: "\r"): output.append(text: "<br>")
            case UInt8(ascii: "\t"): output.append(UInt8(ascii: " "))
            case _ where Self.meanings.contains(byte): output += [UInt8(ascii: "\\"), byte]
            default: output.append(byte)
            }
            before = byte
        }
    }

    /// The characters with a special meaning in a line of Markdown.
    private static let meanings = Array(#"\`*_[]<>&|~"#.utf8)
}

/// Prints each field on a line, or several lines if the value is long, and a separator above each record.
///
/// Children follow the fields of their parent with their numbers: `Contacts[2].LastName`.
struct VerticalPrinter: RowPrinter {
    private var head: ResultHead
    private let style: PrintStyle
    private let null: String
    private let headings: [Columns.Heading]
    /// The width of the field names in terminal columns.
    private let labelWidth: Int
    private var number = 0

    init(head: ResultHead, style: PrintStyle = PrintStyle()) {
        (self.head, self.style) = (head, style)
        null = (style.options[.nullText] ?? "null").singleLine
        headings = head.columns.headings
        // A child's number makes its label longer.
        labelWidth = headings.reduce(0) { max($0, $1.text.columnWidth + ($1.list == nil ? 0 : 3)) }
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {}

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        let columns = style.columns()
        let width = columns.map { min(labelWidth, max(4, $0 / 2 - 2)) } ?? labelWidth
        let room = columns.map { max(1, $0 - width - 3) }
        separator(columns, width, into: &output)
        for (place, cells) in head.columns.rows(of: record).enumerated() {
            for (heading, cell) in zip(headings, cells) where cell.kind != .blank {
                let label = heading.list.map { "\($0)[\(place + 1)].\(heading.name)" } ?? heading.name
                line(label.singleLine, cell, width, room, into: &output)
            }
        }
    }

    private mutating func separator(_ columns: Int?, _ width: Int, into output: inout [UInt8]) {
        number += 1
        guard !style.options.has(.noHeader) else {
            if number > 1 { output.append(UInt8(ascii: "\n")) }
            return
        }
        let dash = style.marks.horizontal
        let title = "\(dash)[ \(number) ]"
        let rest = min(columns ?? 80, width + 32) - title.columnWidth
        output.append(text: title + String(repeating: dash, count: max(0, rest)) + "\n")
    }

    private func line(_ label: String, _ cell: Cell, _ width: Int, _ room: Int?, into output: inout [UInt8]) {
        let shown = label.cut(toColumns: width, mark: style.marks.ellipsis)
        // prose: cells for people
        let lines = cell.shown(null: null).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { String($0).singleLine }
        let chunks = lines.flatMap { line in room.map { line.wrapped(toColumns: $0) } ?? [line[...]] }
        for (index, chunk) in chunks.enumerated() {
            let start = output.count
            if index == 0 { output.append(text: shown, as: .bold, style.hasColors) }
            output.append(blanks: width - (index == 0 ? shown.columnWidth : 0))
            output.append(text: " \(style.marks.vertical) ")
            output.append(text: String(chunk), as: cell.kind == .null ? .dim : nil, style.hasColors)
            output.endLine(from: start)
        }
    }
}

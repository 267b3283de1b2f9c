// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A table to read.
///
/// The first page decides the widths, so that any number of rows needs the memory of one page. On a terminal the table
/// is fitted into its width (``TableLayout``), anew for the next page when the width has changed. Where it cannot fit,
/// each field has a line. Children have rows of their own under their parent.
struct TablePrinter: RowPrinter {
    /// The most padding of a cell, even when cells are shown whole.
    private static let widestPadding = 80

    private var head: ResultHead
    private let style: PrintStyle
    private let null: String
    private var sample: ColumnSample?
    private var layout = TableLayout(natural: [])
    /// The width of the terminal that the layout is for.
    private var columns: Int?
    /// What prints in the place of a table that does not fit.
    private var expanded: VerticalPrinter?
    private var (isCutByOption, isCutByScreen) = (false, false)

    init(head: ResultHead, style: PrintStyle = PrintStyle()) {
        (self.head, self.style) = (head, style)
        null = (style.options.nullText ?? "null").singleLine
    }

    var remark: String? {
        if isCutByOption {
            return "cells wider than \(style.options.cellWidth) columns are cut (--cell-width 0 shows them whole)"
        }
        return isCutByScreen ? "cells are cut to fit the terminal (--expanded on shows them whole)" : nil
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

    /// The most columns that a cell is padded to.
    private var widest: Int { style.options.cellWidth > 0 ? style.options.cellWidth : Self.widestPadding }

    /// `nil` when the table does not fit, and need not be one.
    private func fittedLayout() -> TableLayout? {
        guard let sample, let columns, !sample.widths.isEmpty else {
            return TableLayout(natural: self.sample?.widths ?? [])
        }
        return TableLayout(
            natural: sample.widths, isWhole: sample.isWhole, into: columns,
            isForced: style.options.expanded == .off)
    }

    private mutating func heading(into output: inout [UInt8]) {
        guard style.options.hasHeader, !layout.widths.isEmpty else { return }
        line(head.columns.titles.map { Cell(text: $0, kind: .text) }, isTitle: true, into: &output)
        let dashes = layout.widths.map { String(repeating: style.marks.horizontal, count: $0 + 2) }
        output.append(text: dashes.joined(separator: style.marks.cross) + "\n")
    }

    /// The whole text of a cell on one line.
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

    /// What the cell shows in a column: numbers whole, texts as far as they may be wide.
    private mutating func shown(_ cell: Cell, isTitle: Bool, in width: Int) -> String {
        let text = isTitle ? cell.text : text(of: cell)
        guard cell.kind != .number else { return text }
        let limit = style.options.cellWidth
        var shown = text
        if limit > 0 {
            shown = shown.cut(toColumns: limit, mark: style.marks.ellipsis)
            isCutByOption = isCutByOption || !isTitle && shown.utf8.count != text.utf8.count
        }
        guard layout.isCutting else { return shown }
        let fitted = shown.cut(toColumns: width, mark: style.marks.ellipsis)
        isCutByScreen = isCutByScreen || !isTitle && fitted.utf8.count != shown.utf8.count
        return fitted
    }
}

/// How a text stands out on a terminal (ECMA-48, SGR).
enum Emphasis: String {
    case bold = "\u{1B}[1m"
    case dim = "\u{1B}[2m"
}

extension [UInt8] {
    /// Appends a text that stands out, where there are colours.
    mutating func append(text: String, as emphasis: Emphasis?, _ hasColors: Bool) {
        guard let emphasis, hasColors, !text.isEmpty else { return append(text: text) }
        append(text: emphasis.rawValue + text + "\u{1B}[0m")
    }
}

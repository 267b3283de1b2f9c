// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// The information about a result that is available before its first row.
struct ResultHead {
    var columns: Columns
    /// The number of records of the whole query.
    let totalSize: Int
}

/// Converts records to one format and appends them to an output.
protocol RowPrinter {
    /// Whether a result that is only a number is printed as a row.
    var printsCountAsRow: Bool { get }
    /// Writes the output before the first row, with the records of the first page as a sample.
    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8])
    /// Writes the output between two pages, such as a heading for a terminal that became narrower.
    mutating func turnPage(into output: inout [UInt8])
    mutating func row(_ record: JSONValue, into output: inout [UInt8]) throws
    /// Writes the output after the last row, where `isDone` is false if rows are missing.
    mutating func end(isDone: Bool, into output: inout [UInt8]) throws
    /// A note for the user about the printed rows, if there is one.
    var remark: String? { get }
}

extension RowPrinter {
    var printsCountAsRow: Bool { true }
    var remark: String? { nil }
    mutating func turnPage(into output: inout [UInt8]) {}
    mutating func end(isDone: Bool, into output: inout [UInt8]) {}
}

struct PrintStyle {
    var options = Arguments()
    var marks = Marks.unicode
    var hasColors = false
    /// Returns the current maximum width of lines, or `nil` if there is no limit.
    var columns: () -> Int? = { nil }
}

extension PrintStyle {
    /// The style of output to a destination.
    init(_ options: Arguments, to destination: OutputDestination) {
        let choice = options.choice(.color) ?? ColorChoice.auto
        let canMove = destination.isTerminal && Screen.canMove(1)
        self.init(
            options: options, marks: .current, hasColors: choice.isOn(canMove: canMove),
            columns: { destination.columns })
    }
}

extension OutputFormat {
    func printer(_ head: ResultHead, _ style: PrintStyle) -> any RowPrinter {
        let options = style.options
        var head = head
        head.columns.children = options.choice(.children) ?? (self == .csv || self == .tsv ? .json : .rows)
        return switch self {
        case .table where options.expansion == .on: VerticalPrinter(head: head, style: style)
        case .table: TablePrinter(head: head, style: style)
        case .vertical: VerticalPrinter(head: head, style: style)
        case .csv: CSVPrinter(head: head, options: options)
        case .tsv: TSVPrinter(head: head, options: options)
        case .json: JSONPrinter(head: head)
        case .ndjson: NDJSONPrinter(head: head)
        case .markdown: MarkdownPrinter(head: head, options: options)
        case .chart: ChartPrinter(head: head, style: style)
        }
    }

    /// The replacement for control characters on a terminal, or `nil` for formats that never print them.
    var replacement: TerminalFilter.Replacement? {
        switch self {
        case .table, .vertical, .chart: nil
        case .csv, .tsv, .markdown: .blank
        case .json, .ndjson: .jsonEscape
        }
    }
}

extension [UInt8] {
    mutating func append(text: String) { append(contentsOf: text.utf8) }

    mutating func append(blanks count: Int) {
        if count > 0 { append(contentsOf: repeatElement(UInt8(ascii: " "), count: count)) }
    }

    /// Ends a line without trailing spaces.
    mutating func endLine(from start: Int) {
        while count > start, last == UInt8(ascii: " ") { removeLast() }
        append(UInt8(ascii: "\n"))
    }
}

/// Prints one object with `totalSize`, the `records`, one on each line, and `done`.
///
/// `done` is last because it is known only at the end. It is false if the result is truncated.
struct JSONPrinter: RowPrinter {
    let head: ResultHead
    var isFirst = true
    var printsCountAsRow: Bool { false }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        output.append(text: #"{"totalSize":\#(head.totalSize),"records":["#)
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        output.append(text: isFirst ? "\n" : ",\n")
        head.columns.json(of: record).appendAsSent(to: &output)
        isFirst = false
    }

    mutating func end(isDone: Bool, into output: inout [UInt8]) {
        output.append(text: (isFirst ? "" : "\n") + #"],"done":\#(isDone)}"# + "\n")
    }
}

/// Prints one record per line as the JSON object that the server sent, or a count as an object with `totalSize`.
struct NDJSONPrinter: RowPrinter {
    let head: ResultHead
    var printsCountAsRow: Bool { false }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        if head.columns.isCount { output.append(text: #"{"totalSize":\#(head.totalSize)}"# + "\n") }
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        head.columns.json(of: record).appendAsSent(to: &output)
        output.append(UInt8(ascii: "\n"))
    }
}

extension Columns {
    /// The record as JSON, without its children if they are skipped.
    fileprivate func json(of record: JSONValue) -> JSONValue { children == .skip ? record.withoutChildren : record }
}

// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// What is known of a result before its first row is printed.
struct ResultHead {
    var columns: Columns
    /// The records of the whole query.
    let totalSize: Int
}

/// Turns records into the bytes of one format, which it adds to an output.
protocol RowPrinter {
    /// Whether a result that is only a number is printed as a row with it.
    var printsCountAsRow: Bool { get }
    /// What stands before the first row; the first page's records are there to learn from.
    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8])
    /// What stands between two pages, such as a heading for a terminal that became narrower.
    mutating func turnPage(into output: inout [UInt8])
    /// What one record takes.
    mutating func row(_ record: JSONValue, into output: inout [UInt8]) throws
    /// What stands after the last row; `isDone` tells whether these were all of them.
    mutating func end(isDone: Bool, into output: inout [UInt8])
    /// A note for the user about the rows printed so far, if there is one.
    var remark: String? { get }
}

extension RowPrinter {
    var printsCountAsRow: Bool { true }
    var remark: String? { nil }
    mutating func turnPage(into output: inout [UInt8]) {}
    mutating func end(isDone: Bool, into output: inout [UInt8]) {}
}

/// How the printers of one result draw.
struct PrintStyle {
    var options = Arguments()
    var marks = Marks.unicode
    var hasColors = false
    /// How wide lines may be now; `nil` where nothing limits them.
    var columns: () -> Int? = { nil }
}

extension OutputFormat {
    /// The printer of this format.
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
        }
    }

    /// What a terminal shows instead of control characters; `nil` for formats that never print them.
    var replacement: TerminalFilter.Replacement? {
        switch self {
        case .table, .vertical: nil
        case .csv, .tsv, .markdown: .blank
        case .json, .ndjson: .jsonEscape
        }
    }
}

extension [UInt8] {
    /// Appends a text.
    mutating func append(text: String) { append(contentsOf: text.utf8) }

    /// Appends blanks.
    mutating func append(blanks count: Int) {
        if count > 0 { append(contentsOf: repeatElement(UInt8(ascii: " "), count: count)) }
    }

    /// Ends a line, without the blanks at its end.
    mutating func endLine(from start: Int) {
        while count > start, last == UInt8(ascii: " ") { removeLast() }
        append(UInt8(ascii: "\n"))
    }
}

/// One object with `totalSize`, the `records`, one on each line, and `done`.
///
/// `done` comes last because it is known only then. It is false when a limit, a failure or the server cut the result.
struct JSONPrinter: RowPrinter {
    let head: ResultHead
    private var isFirst = true
    var printsCountAsRow: Bool { false }

    init(head: ResultHead) {
        self.head = head
    }

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

/// One record a line, each a JSON object as the server sent it; a count is an object with `totalSize`.
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
    /// A record as JSON has it, without its children if they are not wanted.
    fileprivate func json(of record: JSONValue) -> JSONValue { children == .skip ? record.withoutChildren : record }
}

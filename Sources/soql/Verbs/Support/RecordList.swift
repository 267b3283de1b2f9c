// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Prints records that come from elsewhere than a query, in the format that was asked for.
struct RecordList {
    private let columns: [String]
    private var printer: any RowPrinter
    private var filter: TerminalFilter?
    private let format: OutputFormat
    private var hasBegun = false

    /// Makes the list; nothing is printed yet.
    ///
    /// - Parameters:
    ///   - columns: the names of all columns, in order.
    ///   - total: how many records there are.
    ///   - options: how they are printed.
    init(_ columns: [String], total: Int, _ options: OutputOptions) {
        self.columns = columns
        format = options.format ?? (StandardOutput.isTerminal ? .table : .csv)
        var sample = JSONObject()
        for column in columns { sample[column] = .null }
        let head = ResultHead(columns: Columns(query: "", sample: JSONValue(sample)), totalSize: total)
        printer = format.printer(head, options)
        filter = StandardOutput.isTerminal && !options.isRaw ? TerminalFilter(format.replacement) : nil
    }

    /// Prints records, each with a value or null for every column.
    mutating func print(_ records: [JSONObject]) throws {
        let list = JSONArray(records.map { JSONValue($0) })[...]
        if !hasBegun { try write(printer.begin(list)) }
        hasBegun = true
        try write(printer.rows(list))
    }

    /// Prints what follows the last record.
    mutating func finish() throws {
        if !hasBegun { try print([]) }
        try write(printer.end(isDone: true))
        if let remark = printer.remark { StandardOutput.note("soql: \(remark)") }
    }

    /// Prints a whole list.
    static func print(_ records: [JSONObject], columns: [String], _ options: OutputOptions) throws {
        var list = RecordList(columns, total: records.count, options)
        try list.print(records)
        try list.finish()
    }

    private mutating func write(_ bytes: [UInt8]) throws {
        try StandardOutput.write(filter?.filtered(bytes) ?? bytes)
    }
}

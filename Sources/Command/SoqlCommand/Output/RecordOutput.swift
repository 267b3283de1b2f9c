// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

/// Prints the records of one result in the memory of a page, and counts them to detect missing records.
struct RecordOutput {
    /// The approximate size of the chunks in which rows are written, in bytes.
    private static let chunkSize = 65_536

    let options: Arguments
    private let limit: Int?
    let destination: OutputDestination
    private let format: OutputFormat
    /// Determines the columns, using the first record if necessary.
    private let columns: (JSONValue?) -> Columns
    private var printer: (any RowPrinter)?
    /// The filter of a terminal, or `nil` for files and pipes, which receive all bytes.
    private var filter: TerminalFilter?
    private var buffer: [UInt8] = []
    private var total = 0
    private var printed = 0
    private var bytes = 0
    private var isCount = false

    /// Creates the output of a query result, whose columns are determined by the text of the query.
    init(query: String, _ options: Arguments, to destination: OutputDestination) {
        self.init(options, options.number(.limit), destination) { Columns(query: query, sample: $0) }
    }

    /// Creates the output of records with known fields.
    init(fields: [String], _ options: Arguments, to destination: OutputDestination) {
        self.init(options, nil, destination) { _ in Columns(names: fields) }
    }

    private init(
        _ options: Arguments, _ limit: Int?, _ destination: OutputDestination,
        columns: @escaping (JSONValue?) -> Columns
    ) {
        (self.options, self.limit, self.destination, self.columns) = (options, limit, destination, columns)
        format = options.format(onTerminal: destination.isTerminal)
        let isFiltered = destination.isTerminal && !options.has(.raw)
        filter = isFiltered ? format.replacement.map { TerminalFilter($0) } : nil
    }

    var isEmpty: Bool { printer == nil }

    /// Prints each page when it arrives, with the columns in SELECT order, and shows the progress.
    ///
    /// - Throws: `PartialResult` if the server sent fewer records than announced, and all other errors.
    mutating func printRows<Pages: AsyncSequence>(of pages: Pages) async throws where Pages.Element == QueryPage {
        let progress = Progress("Reading", of: "records", isQuiet: options.has(.quiet))
        defer { progress.end() }
        do {
            for try await page in pages {
                try print(page.records, of: page.totalSize)
                progress.advance(to: printed, of: limit.map { min($0, total) } ?? total, bytes: bytes)
                if let limit, printed >= limit { break }
            }
        } catch let error as RestError {
            progress.end()
            try finish(isWhole: false)
            throw error
        }
        progress.end()
        try finish(isWhole: true)
    }

    /// Prints a page of a result that has `totalSize` records.
    mutating func print(_ page: JSONArray, of totalSize: Int) throws {
        let records = page.prefix(limit.map { $0 - printed } ?? .max)
        if printer == nil {
            try begin(records, of: totalSize, sample: page.first)
        } else {
            printer?.turnPage(into: &buffer)
        }
        for record in records {
            try printer?.row(record, into: &buffer)
            if buffer.count >= Self.chunkSize { try flush() }
        }
        try flush()
        printed += records.count
    }

    private mutating func begin(_ records: Slice<JSONArray>, of totalSize: Int, sample: JSONValue?) throws {
        let columns = columns(sample)
        (total, isCount) = (totalSize, columns.isCount)
        let style = PrintStyle(
            options: options, marks: .current,
            hasColors: (options.choice(.color) ?? ColorChoice.auto).isOn(
                canMove: destination.isTerminal && Screen.canMove(1)),
            columns: { [destination] in destination.columns })
        var printer = format.printer(ResultHead(columns: columns, totalSize: totalSize), style)
        let count: JSONArray? = isCount && printer.printsCountAsRow ? [Columns.countRow(totalSize)] : nil
        printer.begin(count?[...] ?? records, into: &buffer)
        if let row = count?.first { try printer.row(row, into: &buffer) }
        self.printer = printer
    }

    private mutating func flush() throws {
        guard !buffer.isEmpty else { return }
        try destination.write(filter?.filtered(buffer) ?? buffer)
        bytes += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// Prints the end of the output and notes, and throws `PartialResult` if records are missing although no error
    /// occurred.
    mutating func finish(isWhole: Bool) throws {
        printer?.end(isDone: isWhole && (isCount || printed >= total), into: &buffer)
        try flush()
        if let remark = printer?.remark { note("soql: \(remark)") }
        if filter?.hasReplaced == true {
            note("soql: control characters in records are hidden; use --raw to print them")
        }
        guard !isCount, printer != nil else { return }
        let records = counted(printed)
        guard isWhole else { return note("soql: stopped after \(records) of \(total)") }
        if let limit, limit < total { return note("soql: \(records) of \(total) shown (--limit \(limit))") }
        if printed < total { throw PartialResult(message: "the server sent \(records) of \(total)") }
        if let path = destination.path {
            note("\(records) in \(path)")
        } else if format == .table || format == .vertical {
            note(records)
        }
    }

    private func note(_ text: String) {
        if !options.has(.quiet) { destination.note(text) }
    }
}

/// An error for a server that sent fewer records than announced.
struct PartialResult: Error {
    let message: String
}

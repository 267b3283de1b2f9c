// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

/// Prints the records of one result, page after page, and counts them, so that a missing one is noticed.
///
/// The memory is that of a page: rows go to the destination as soon as there are some.
struct RecordOutput {
    /// Rows are handed on in pieces of about this size, in bytes.
    private static let pieceSize = 65_536

    let options: Arguments
    private let limit: Int?
    let destination: OutputDestination
    private let format: OutputFormat
    /// Finds the columns, with the first record's help.
    private let columns: (JSONValue?) -> Columns
    private var printer: (any RowPrinter)?
    /// The filter in front of a terminal; `nil` for files and pipes, which get every byte.
    private var filter: TerminalFilter?
    private var buffer: [UInt8] = []
    private var total = 0
    private var printed = 0
    private var bytes = 0
    private var isCount = false

    /// Makes the output of a query's result.
    ///
    /// - Parameters:
    ///   - query: the text, which tells the columns.
    ///   - options: how it is printed; without a format, as a table on a terminal and CSV elsewhere.
    ///   - destination: where it goes.
    init(query: String, _ options: Arguments, to destination: OutputDestination) {
        self.init(options, options.number(.limit), destination) { Columns(query: query, sample: $0) }
    }

    /// Makes the output of records whose fields are known.
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

    /// Whether nothing was printed so far.
    var isEmpty: Bool { printer == nil }

    /// How many records were printed.
    var count: Int { printed }

    /// Prints page after page as it arrives, in SELECT order, and tells how far it is.
    ///
    /// - Throws: `PartialResult` when the server sent fewer records than it announced, and every other failure.
    mutating func printRows<Pages: AsyncSequence>(of pages: Pages) async throws where Pages.Element == QueryPage {
        let progress = Progress("Reading", of: "records", isQuiet: options.has(.quiet))
        defer { progress.end() }
        do {
            for try await page in pages {
                try print(page.records, of: page.totalSize)
                progress.advance(to: printed, of: limit.map { min($0, total) } ?? total, bytes: bytes)
                if isSatisfied { break }
            }
        } catch let error as RestError {
            progress.end()
            try finish(isWhole: false)
            throw error
        }
        progress.end()
        try finish(isWhole: true)
    }

    /// Whether the limit is reached.
    private var isSatisfied: Bool { limit.map { printed >= $0 } ?? false }

    /// Prints a page.
    ///
    /// - Parameters:
    ///   - page: its records.
    ///   - totalSize: how many records the whole result has.
    /// - Throws: what the destination throws, and `RestError` for a record that the format cannot show.
    mutating func print(_ page: JSONArray, of totalSize: Int) throws {
        let records = page.prefix(limit.map { $0 - printed } ?? .max)
        if printer == nil {
            try begin(records, of: totalSize, sample: page.first)
        } else {
            printer?.turnPage(into: &buffer)
        }
        for record in records {
            try printer?.row(record, into: &buffer)
            if buffer.count >= Self.pieceSize { try flush() }
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

    /// Prints what follows the last row, then notes for the user.
    ///
    /// - Parameter isWhole: whether nothing failed.
    /// - Throws: `PartialResult` when records are missing all the same.
    mutating func finish(isWhole: Bool) throws {
        printer?.end(isDone: isWhole && (isCount || printed >= total), into: &buffer)
        try flush()
        remark()
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

    /// Reports what the output does not show as it is.
    private func remark() {
        if let remark = printer?.remark { note("soql: \(remark)") }
        guard let filter, filter.hasReplaced else { return }
        note("soql: control characters in records are hidden (--raw shows them)")
    }

    private func note(_ text: String) {
        if !options.has(.quiet) { destination.note(text) }
    }
}

/// The server sent fewer records than it announced.
struct PartialResult: Error {
    let message: String
}

// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestJSON
import RestSDK

/// Prints the pages of one result and counts the records, so that a missing one is noticed.
struct ResultPrinter {
    private let format: OutputFormat
    private let limit: Int?
    private let query: String
    private let cells: OutputOptions
    private var printer: (any RowPrinter)?
    /// The filter in front of a terminal; `nil` for files and pipes, which get every byte.
    private var filter: TerminalFilter?
    private var total = 0
    private var printed = 0
    private var isCount = false

    /// Makes the printer of a query; without a format, it prints a table on a terminal and CSV elsewhere.
    init(options: QueryOptions, query: String) {
        format = options.output.format ?? (StandardOutput.isTerminal ? .table : .csv)
        (limit, self.query, cells) = (options.limit, query, options.output)
        filter = StandardOutput.isTerminal && !cells.isRaw ? TerminalFilter(format.replacement) : nil
    }

    /// Whether nothing was printed so far.
    var isEmpty: Bool { printer == nil }

    /// Prints page after page as it arrives, in SELECT order, and reports on standard error if records are missing.
    ///
    /// - Throws: `PartialResult` when the server sent fewer records than it announced, and every other failure.
    mutating func printRows<Pages: AsyncSequence>(of pages: Pages) async throws where Pages.Element == QueryPage {
        do {
            for try await page in pages {
                try print(page)
                if isSatisfied { break }
            }
        } catch let error where error is RestError || error is BulkError {
            try finish(isWhole: false)
            throw error
        }
        try finish(isWhole: true)
    }

    /// Whether the limit is reached.
    private var isSatisfied: Bool { limit.map { printed >= $0 } ?? false }

    private mutating func print(_ page: QueryPage) throws {
        let records = page.records.prefix(limit.map { $0 - printed } ?? .max)
        if printer == nil {
            total = page.totalSize
            let columns = Columns(query: query, sample: page.records.first)
            isCount = columns.isCount
            printer = format.printer(ResultHead(columns: columns, totalSize: total), cells)
            try write(printer?.begin(records))
        }
        try write(printer?.rows(records))
        printed += records.count
    }

    private mutating func write(_ bytes: [UInt8]?) throws {
        guard let bytes else { return }
        try StandardOutput.write(filter?.filtered(bytes) ?? bytes)
    }

    /// Reports what the output does not show as it is.
    private func remark() {
        if let remark = printer?.remark { StandardOutput.note("soql: \(remark)") }
        guard let filter, filter.hasReplaced else { return }
        StandardOutput.note("soql: control characters in records are hidden (--raw shows them)")
    }

    /// Prints what follows the last row, then notes for the user.
    private mutating func finish(isWhole: Bool) throws {
        let isDone = isWhole && (isCount || printed >= total)
        try write(printer?.end(isDone: isDone))
        remark()
        guard !isCount, printer != nil else { return }
        let records = printed == 1 ? "1 record" : "\(printed) records"
        guard isWhole else { return StandardOutput.note("soql: stopped after \(records) of \(total)") }
        if let limit, limit < total {
            return StandardOutput.note("soql: \(records) of \(total) shown (--limit \(limit))")
        }
        if printed < total { throw PartialResult(message: "the server sent \(records) of \(total)") }
        if format == .table { StandardOutput.note(records) }
    }
}

/// The server sent fewer records than it announced.
struct PartialResult: Error {
    let message: String
}

// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

extension QueryCommand {
    /// Prints page after page as it comes, in SELECT order, and says on standard error when the result is not all
    /// there.
    ///
    /// - Throws: `PartialResult` when the server gave less than it announced, beside every other failure.
    func printRows(of pages: QueryPages, query: String) async throws {
        var output = ResultPrinter(format: format, limit: options.limit, query: query)
        do {
            for try await page in pages {
                try output.print(page)
                if output.isSatisfied { break }
            }
        } catch let error as RestError {
            try output.finish(isWhole: false)
            throw error
        }
        try output.finish(isWhole: true)
    }

    private var format: OutputFormat {
        options.format ?? (StandardOutput.isTerminal ? .table : .csv)
    }
}

/// The server gave fewer records than it announced.
struct PartialResult: Error {
    let message: String
}

/// Prints the pages of one result and keeps count, so that nothing is missing in silence.
private struct ResultPrinter {
    let format: OutputFormat
    let limit: Int?
    let query: String
    private var printer: (any RowPrinter)?
    private var total = 0
    private var printed = 0
    private var isCount = false

    init(format: OutputFormat, limit: Int?, query: String) {
        (self.format, self.limit, self.query) = (format, limit, query)
    }

    /// Whether the limit is reached.
    var isSatisfied: Bool { limit.map { printed >= $0 } ?? false }

    mutating func print(_ page: QueryPage) throws {
        let records = page.records.prefix(limit.map { $0 - printed } ?? .max)
        if printer == nil {
            total = page.totalSize
            let columns = Columns(query: query, sample: page.records.first)
            isCount = columns.isCount
            printer = format.printer(ResultHead(columns: columns, totalSize: total))
            try StandardOutput.write(printer?.begin(records) ?? [])
        }
        try StandardOutput.write(printer?.rows(records) ?? [])
        printed += records.count
    }

    /// Prints what stands after the last row, then what a person should know.
    mutating func finish(isWhole: Bool) throws {
        let isDone = isWhole && (isCount || printed >= total)
        if printer != nil { try StandardOutput.write(printer?.end(isDone: isDone) ?? []) }
        guard !isCount, printer != nil else { return }
        let records = printed == 1 ? "1 record" : "\(printed) records"
        guard isWhole else { return StandardOutput.note("soql: stopped after \(records) of \(total)") }
        if let limit, limit < total {
            return StandardOutput.note("soql: \(records) of \(total) shown (--limit \(limit))")
        }
        if printed < total { throw PartialResult(message: "the server gave \(records) of \(total)") }
        if format == .table { StandardOutput.note(records) }
    }
}

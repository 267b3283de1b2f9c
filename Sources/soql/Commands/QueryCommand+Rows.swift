// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

extension QueryCommand {
    /// Prints page after page as it comes, in SELECT order, and says on standard error when a limit cut the result.
    func printRows(of pages: QueryPages, query: String) async throws {
        var printer: (any RowPrinter)?
        var left = options.limit ?? Int.max
        var total = 0
        for try await page in pages {
            let records = page.records.prefix(left)
            if printer == nil {
                total = page.totalSize
                let columns = Columns(query: query, sample: page.records.first)
                let count = min(options.limit ?? Int.max, total)
                printer = format.printer(ResultHead(columns: columns, totalSize: total, printedSize: count))
                try StandardOutput.write(printer?.begin(records) ?? [])
            }
            try StandardOutput.write(printer?.rows(records) ?? [])
            left -= records.count
            if left == 0, page.nextRecordsPath != nil { break }
        }
        try StandardOutput.write(printer?.end() ?? [])
        if let limit = options.limit, limit < total {
            StandardOutput.note("soql: \(limit) of \(total) records shown (--limit \(limit))")
        } else if format == .table {
            StandardOutput.note(total == 1 ? "1 record" : "\(total) records")
        }
    }

    private var format: OutputFormat {
        options.format ?? (StandardOutput.isTerminal ? .table : .csv)
    }
}

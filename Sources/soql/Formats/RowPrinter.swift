// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// What is known of a result before its first row is printed.
struct ResultHead {
    let columns: Columns
    /// The records of the whole query.
    let totalSize: Int
}

/// Turns records into the bytes of one format, page by page.
protocol RowPrinter {
    /// What stands before the first row; the first page's records are there to learn from.
    mutating func begin(_ records: Slice<JSONArray>) -> [UInt8]
    /// The rows of one page.
    mutating func rows(_ records: Slice<JSONArray>) -> [UInt8]
    /// What stands after the last row; `isDone` tells whether these were all of them.
    mutating func end(isDone: Bool) -> [UInt8]
}

extension OutputFormat {
    /// The printer of this format.
    func printer(_ head: ResultHead) -> any RowPrinter {
        switch self {
        case .table: TablePrinter(head: head)
        case .csv: CSVPrinter(head: head)
        case .json: JSONPrinter(head: head)
        case .ndjson: NDJSONPrinter(head: head)
        }
    }
}

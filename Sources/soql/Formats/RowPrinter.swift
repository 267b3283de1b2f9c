// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// What is known of a result before its first row is printed.
struct ResultHead {
    var columns: Columns
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
    /// A note for the user about the rows printed so far, if there is one.
    var remark: String? { get }
}

extension RowPrinter {
    var remark: String? { nil }
}

extension OutputFormat {
    /// The printer of this format.
    func printer(_ head: ResultHead, _ options: OutputOptions) -> any RowPrinter {
        switch self {
        case .table: TablePrinter(head: head, cellWidth: options.cellWidth)
        case .csv: CSVPrinter(head: head, guardsFormulas: options.guardsFormulas)
        case .json: JSONPrinter(head: head)
        case .ndjson: NDJSONPrinter(head: head)
        }
    }

    /// What a terminal shows instead of control characters.
    var replacement: TerminalFilter.Replacement {
        switch self {
        case .table, .csv: .blank
        case .json, .ndjson: .jsonEscape
        }
    }
}

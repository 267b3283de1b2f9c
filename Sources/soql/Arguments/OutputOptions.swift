// SPDX-License-Identifier: Apache-2.0

extension Option {
    /// The options of every verb that prints records.
    static let output = [format, cellWidth, csvGuard, raw]

    static let format = Option(
        "--format", .choice("FORMAT", OutputFormat.allCases.map(\.rawValue)),
        "table, csv, json or ndjson; table on a terminal, csv on a pipe")
    static let cellWidth = Option(
        "--cell-width", .number(0...1_000_000),
        "the widest a table's cell may be, in columns: 80 by default, 0 for no limit")
    static let csvGuard = Option("--csv-guard", "put a ' before values that a spreadsheet would treat as formulas")
    static let raw = Option("--raw", "do not filter control characters in records on a terminal")
}

/// How records are printed.
struct OutputOptions {
    /// `nil`: a table on a terminal, CSV on a pipe.
    var format: OutputFormat?
    /// Whether control characters in records go to a terminal as they are.
    var isRaw = false
    /// Whether CSV marks values that a spreadsheet would treat as formulas.
    var guardsFormulas = false
    /// The most columns that a cell of a table takes; 0 for no limit.
    var cellWidth = 80

    init() {}

    init(_ arguments: Arguments) {
        format = arguments[.format].flatMap { OutputFormat(rawValue: $0) }
        isRaw = arguments.has(.raw)
        guardsFormulas = arguments.has(.csvGuard)
        cellWidth = arguments.number(.cellWidth) ?? 80
    }
}

/// How rows are printed.
enum OutputFormat: String, CaseIterable {
    case table, csv, json, ndjson
}

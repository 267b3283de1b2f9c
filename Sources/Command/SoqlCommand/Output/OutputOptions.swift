// SPDX-License-Identifier: Apache-2.0

import RestBase

extension Option {
    /// The options of every verb that prints records.
    static let output = [
        format, outputFile, children, nullText, noHeader, expanded, cellWidth, csvGuard, raw, color, noPager, quiet,
    ]

    static let format = Option(
        "--format", .choice("FORMAT", OutputFormat.allCases.map(\.rawValue)),
        """
        print table, vertical, csv, tsv, json, ndjson, markdown or chart (default: table on a terminal, else by the \
        extension of the --output file, else csv)
        """)
    static let outputFile = Option(
        "--output", short: "-o", .output, "write to a file, which appears only when complete")
    static let children = Option(
        "--children", .choice("HOW", ChildStyle.allCases.map(\.rawValue)),
        "print child records as rows or json, or skip them (default: json in csv and tsv, else rows)")
    static let nullText = Option(
        "--null", .text("TEXT"), "print TEXT for null (default: null in tables, empty in csv; ignored for JSON)")
    static let noHeader = Option("--no-header", "omit the column names")
    static let expanded = Option(
        "--expanded", .choice("WHEN", Expansion.allCases.map(\.rawValue)),
        "print one field per line: auto (if rows do not fit the terminal), on or off (default: auto)")
    static let cellWidth = Option(
        "--cell-width", .number(0...1_000_000),
        "limit the width of table cells, in columns; 0 for no limit (default: 80)")
    static let csvGuard = Option("--csv-guard", "put a ' before values that a spreadsheet would treat as formulas")
    static let raw = Option("--raw", "do not filter control characters in records on a terminal")
    static let color = Option(
        "--color", .choice("WHEN", ColorChoice.allCases.map(\.rawValue)),
        "use color; auto respects NO_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM=dumb (default: auto)")
    static let noPager = Option("--no-pager", "do not use the pager (PAGER, or less) for long results on a terminal")
    static let quiet = Option("--quiet", short: "-q", "print only errors on standard error")
}

extension Arguments {
    /// The chosen format, else the format that suits the destination.
    func format(onTerminal isTerminal: Bool) -> OutputFormat {
        if let format: OutputFormat = choice(.format) { return format }
        if let ending = self[.outputFile]?.split(byte: ".").last, let format = OutputFormat(ending: String(ending)) {
            return format
        }
        return isTerminal ? .table : .csv
    }

    var expansion: Expansion { choice(.expanded) ?? .auto }
    /// The maximum width of a table cell in columns, or 0 for no limit.
    var cellWidth: Int { number(.cellWidth) ?? 80 }
}

/// The format of printed rows.
enum OutputFormat: String, CaseIterable, Sendable {
    case table, vertical, csv, tsv, json, ndjson, markdown, chart

    /// The format of files with an extension.
    init?(ending: String) {
        let others = ["md": OutputFormat.markdown, "jsonl": .ndjson, "txt": .table]
        guard let format = others[ending.lowercased()] ?? OutputFormat(rawValue: ending.lowercased()) else {
            return nil
        }
        self = format
    }
}

/// The style of child lists next to the fields of their record.
enum ChildStyle: String, CaseIterable, Sendable {
    /// Each child in a separate row.
    case rows
    /// The list as JSON in one cell.
    case json
    /// No children.
    case skip
}

/// A choice of when a line for each field replaces a table.
enum Expansion: String, CaseIterable, Sendable {
    /// If the rows do not fit the terminal.
    case auto
    case on, off
}

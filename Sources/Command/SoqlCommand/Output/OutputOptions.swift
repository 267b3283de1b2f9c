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
        table, vertical, csv, tsv, json, ndjson or markdown; by default table on a terminal, else by the ending of the \
        --output file, else csv
        """)
    static let outputFile = Option(
        "--output", short: "-o", .output, "write to a file, which comes into being whole or not at all")
    static let children = Option(
        "--children", .choice("HOW", ChildStyle.allCases.map(\.rawValue)),
        "lists of children: rows, json or skip; by default json in csv and tsv, else rows")
    static let nullText = Option(
        "--null", .text("TEXT"), "what stands for no value: null in tables, nothing in csv; no matter of JSON")
    static let noHeader = Option("--no-header", "leave the names of the columns out")
    static let expanded = Option(
        "--expanded", .choice("WHEN", Expansion.allCases.map(\.rawValue)),
        "a line for each field in the place of a table: auto (when rows do not fit the terminal), on or off")
    static let cellWidth = Option(
        "--cell-width", .number(0...1_000_000),
        "the widest a table's cell may be, in columns: 80 by default, 0 for no limit")
    static let csvGuard = Option("--csv-guard", "put a ' before values that a spreadsheet would treat as formulas")
    static let raw = Option("--raw", "do not filter control characters in records on a terminal")
    static let color = Option(
        "--color", .choice("WHEN", ColorChoice.allCases.map(\.rawValue)),
        "auto, always or never; auto heeds NO_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM=dumb")
    static let noPager = Option("--no-pager", "show long results on a terminal without the pager (PAGER, or less)")
    static let quiet = Option("--quiet", short: "-q", "tell nothing but errors on standard error")
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
    case table, vertical, csv, tsv, json, ndjson, markdown

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

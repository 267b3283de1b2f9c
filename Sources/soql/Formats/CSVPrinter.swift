// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Comma-separated values (RFC 4180, but lines end in LF): a header, then a line for each record.
///
/// Null is empty; children are JSON in one cell.
struct CSVPrinter: RowPrinter {
    private var head: ResultHead
    private let guardsFormulas: Bool

    /// Makes the printer of a result.
    ///
    /// With `guardsFormulas`, each text that a spreadsheet would treat as a formula gets a `'` before it (OWASP, CSV
    /// Injection). Numbers are not changed.
    init(head: ResultHead, guardsFormulas: Bool = false) {
        (self.head, self.guardsFormulas) = (head, guardsFormulas)
    }

    mutating func begin(_ records: Slice<JSONArray>) -> [UInt8] {
        var bytes = line(head.columns.titles)
        if head.columns.isCount { bytes += line(["\(head.totalSize)"]) }
        return bytes
    }

    mutating func rows(_ records: Slice<JSONArray>) -> [UInt8] {
        records.flatMap { record in line(head.columns.values(of: record).map(cell)) }
    }

    mutating func end(isDone: Bool) -> [UInt8] { [] }

    private func cell(_ value: JSONValue?) -> String {
        guard let value, let text = value.cellText else { return "" }
        let isFormula = guardsFormulas && value.string != nil && Self.beginsFormula(text)
        return isFormula ? "'" + text : text
    }

    /// Whether a spreadsheet reads the text as a formula: by its first character, of normal or of full width.
    private static func beginsFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first)
    }

    private func line(_ cells: [String]) -> [UInt8] {
        guard !cells.isEmpty else { return [] }
        // Many readers skip a blank line, so a single empty cell is quoted.
        let text = cells == [""] ? "\"\"" : cells.map(quoted).joined(separator: ",")
        return Array((text + "\n").utf8)
    }

    private func quoted(_ cell: String) -> String {
        let mustQuote = cell.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
        guard mustQuote else { return cell }
        return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

extension JSONValue {
    /// The value as the text of a cell: strings as they are, everything else as JSON without `attributes`.
    var cellText: String? {
        if isNull { return nil }
        if let string { return string }
        if let array = self["records"]?.array {
            return JSONValue(JSONArray(array.map(\.withoutAttributes))).description
        }
        return withoutAttributes.description
    }

    /// The value without the platform's `attributes` member, which no query asked for.
    private var withoutAttributes: JSONValue {
        if let array { return JSONValue(JSONArray(array.map(\.withoutAttributes))) }
        guard let object else { return self }
        var kept = JSONObject()
        for member in object where member.key != "attributes" { kept[member.key] = member.value.withoutAttributes }
        return JSONValue(kept)
    }
}

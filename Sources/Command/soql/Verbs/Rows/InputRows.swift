// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestBulk
import RestJSON

/// Rows that were read as a whole, so that a fault in the last one is found before the first one is sent.
struct InputRows {
    enum Cell {
        /// Text of CSV, which becomes a value by the type of its field.
        case text(String)
        /// A value of JSON, which is sent as it stands.
        case json(JSONValue)
    }

    struct Row {
        /// From 1, a header not counted.
        let number: Int
        /// The cells that change something, by the names of their columns.
        let cells: [(column: String, cell: Cell)]
    }

    /// The names of all columns, in the order in which they were met.
    private(set) var columns: [String] = []
    private(set) var rows: [Row] = []

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - format: how it is written; `nil` to look.
    ///   - name: what messages call it.
    /// - Throws: ``CommandFailure`` with the place of the first fault.
    init(_ text: String, _ format: RowFormat?, named name: String) throws(CommandFailure) {
        let text = text.removing(prefix: "\u{FEFF}").map(String.init) ?? text
        guard !text.isBlank else { throw CommandFailure("\(name) is empty") }
        switch format ?? RowFormat(of: text) {
        case .csv: try readCSV(text, name)
        case .ndjson: try readJSON(text, name)
        }
    }

    /// Rows that have ids only.
    init(ids: [String]) {
        columns = ["Id"]
        rows = ids.enumerated().map { Row(number: $0 + 1, cells: [("Id", .text($1))]) }
    }

    private mutating func readCSV(_ text: String, _ name: String) throws(CommandFailure) {
        let table: CSVDocument
        do throws(CSVError) { table = try CSVDocument(parsing: text) } catch {
            throw CommandFailure("\(name): \(error)")
        }
        columns = table.header?.names ?? []
        try checkCount(table.rows.count, name)
        for (position, row) in table.rows.enumerated() {
            let cells = columns.indices.filter { !row.isEmpty(at: $0) }.map { (columns[$0], Cell.text(row[$0])) }
            try add(Row(number: position + 1, cells: cells), name)
        }
    }

    private mutating func readJSON(_ text: String, _ name: String) throws(CommandFailure) {
        var known: Set<String> = []
        for (position, line) in text.split(byte: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isBlank else { continue }
            let value: JSONValue
            do throws(JSONError) { value = try JSONValue(parsing: String(line)) } catch {
                throw CommandFailure("\(name), line \(position + 1): \(error)")
            }
            guard let object = value.object else {
                throw CommandFailure("\(name), line \(position + 1): each line must be a JSON object")
            }
            let members = object.filter { $0.key != "attributes" }
            for member in members where known.insert(member.key).inserted { columns.append(member.key) }
            try checkCount(rows.count + 1, name)
            try add(Row(number: rows.count + 1, cells: members.map { ($0.key, .json($0.value)) }), name)
        }
    }

    private mutating func add(_ row: Row, _ name: String) throws(CommandFailure) {
        for case (let column, .text(let text)) in row.cells where text.utf8.contains(0) {
            throw CommandFailure("\(name), row \(row.number), column \(column): there is a NUL character")
        }
        rows.append(row)
    }

    private func checkCount(_ count: Int, _ name: String) throws(CommandFailure) {
        guard count > RowFormat.mostRows else { return }
        throw CommandFailure(
            "\(name) has more than \(RowFormat.mostRows) rows; load them with 'soql import', which does it in bulk")
    }
}

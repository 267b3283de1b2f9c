// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLSyntax

/// The columns of a result in SELECT order, known from the query itself without another request.
struct Columns {
    /// One column: where its value is in a record, and for children which columns they have.
    struct Column {
        let title: String
        let path: [String]
        let children: [Column]
    }

    let columns: [Column]
    private var spelling = NameSpelling()
    /// Whether the query is `SELECT COUNT()`, whose result is a number without records.
    let isCount: Bool

    /// Reads the columns from the query, or from the first record if the query does not tell them all.
    init(query: String, sample: JSONValue?) {
        let parsed = try? SOQLQuery(parsing: query)
        isCount = parsed?.isCount ?? false
        if let parsed, !parsed.hasOpenColumns {
            columns = isCount ? [Column(title: "COUNT()", path: [], children: [])] : parsed.columns.map(Column.init)
        } else {
            columns = sample.map(Column.columns(of:)) ?? []
        }
    }

    /// The titles, one for each column of the query.
    var titles: [String] { columns.map(\.title.singleLine) }

    /// The titles of a table, where children have columns of their own.
    var flatTitles: [String] {
        columns.flatMap { column in
            column.children.isEmpty ? [column.title] : column.children.map { "\(column.title).\($0.title)" }
        }.map(\.singleLine)
    }

    /// The values of a record, one for each column of the query.
    mutating func values(of record: JSONValue) -> [JSONValue?] {
        spelling.beginRecord()
        return columns.map { spelling.value(at: $0.path, of: record) }
    }

    /// The rows of a table that a record takes: one, or as many as its longest list of children.
    mutating func tableRows(of record: JSONValue) -> [[String]] {
        let values = values(of: record)
        let children = zip(columns, values).map { $0.children.isEmpty ? nil : $1?["records"]?.array }
        let height = max(1, children.reduce(0) { max($0, $1?.count ?? 0) })
        return (0..<height).map { row in
            spelling.beginRecord()
            return columns.indices.flatMap { index in
                let column = columns[index]
                if column.children.isEmpty { return [row == 0 ? values[index].tableText : ""] }
                guard let children = children[index], row < children.count else {
                    return column.children.map { _ in "" }
                }
                return column.children.map {
                    spelling.value(at: $0.path, of: children[row], under: column.title).tableText
                }
            }
        }
    }
}

extension Columns.Column {
    fileprivate init(_ column: SOQLColumn) {
        self.init(title: column.name, path: column.path, children: column.children?.map(Self.init) ?? [])
    }

    fileprivate static func columns(of record: JSONValue) -> [Columns.Column] {
        record.object?.filter { $0.key != "attributes" }.map {
            Columns.Column(title: $0.key, path: [$0.key], children: [])
        } ?? []
    }
}

extension JSONValue? {
    fileprivate var tableText: String { self?.cellText?.singleLine ?? "null" }
}

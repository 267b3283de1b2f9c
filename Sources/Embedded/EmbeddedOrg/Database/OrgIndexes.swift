// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The indexes of an org, and what SQLite's planner is told about them.
///
/// Every query is for records that are not deleted, so an index for queries begins with `IsDeleted`: a count, an order
/// or groups by one field are read from the index alone.
struct OrgIndexes {
    private let schema: Schema

    init(_ schema: Schema) {
        self.schema = schema
    }

    /// One index.
    private struct Index {
        let name: String
        let table: String
        let columns: String
        var isUnique = false
        var condition = ""
        /// How many of a million records have the same values in the columns, for one column, two and so on.
        let alike: [Int]

        var sql: String {
            "CREATE \(isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS \"\(name)\" ON \"\(table)\" (\(columns))\(condition)"
        }

        /// As `sqlite_stat1` has it.
        var statistics: String { ([records] + alike).map(String.init).joined(separator: " ") }
    }

    /// The size of a table that plans are made for.
    private static let records = 1_000_000

    /// Makes the indexes that are not there; those of records that are there already are made much quicker than kept.
    ///
    /// Called inside a transaction.
    func make(on connection: SQLiteConnection) throws(DatabaseError) {
        var seen: Set<String> = []
        let indexes = schema.objects.flatMap(indexes).filter { seen.insert($0.name).inserted }
        for index in indexes { try connection.execute(index.sql) }
        try describe(indexes, to: connection)
    }

    private func indexes(of object: SObjectSchema) -> [Index] {
        let live = Index(
            name: "\(object.name).live", table: object.name, columns: "\"IsDeleted\"", alike: [Self.records])
        return [live] + object.fields.filter(\.isOrdered).map { ordered($0, object) } + unique(object)
            + references(to: object)
    }

    private func ordered(_ field: FieldSchema, _ object: SObjectSchema) -> Index {
        let isChoice = field.type == .picklist || field.type == .reference
        return Index(
            name: "\(object.name).by.\(field.name)", table: object.name,
            columns: "\"IsDeleted\", \"\(field.name)\"\(field.type.kind.collation.text)",
            alike: [Self.records, isChoice ? 50_000 : 2])
    }

    private func unique(_ object: SObjectSchema) -> [Index] {
        object.fields.filter(\.isUnique).map { field in
            Index(
                name: "\(object.name).\(field.name)", table: object.name, columns: "\"\(field.name)\"", isUnique: true,
                condition: " WHERE \"\(field.name)\" IS NOT NULL AND \"IsDeleted\" = 0", alike: [1])
        }
    }

    /// What child subqueries, semi-joins and deletions walk from parent to child by.
    private func references(to parent: SObjectSchema) -> [Index] {
        let named = parent.childRelationships.map { (child: $0.childObject, field: $0.field) }
        let others = schema.references(to: parent).map { (child: $0.owner, field: $0.field.name) }
        return (named + (parent.abilities.contains(.delete) ? others : [])).map { child, field in
            Index(
                name: "\(child).of.\(field)", table: child, columns: "\"\(field)\", \"IsDeleted\"",
                condition: " WHERE \"\(field)\" IS NOT NULL", alike: [5, 5])
        }
    }

    /// Tells the planner the same of every org, so that plans do not depend on what was in it at some time.
    ///
    /// Without it SQLite takes an index that begins with `IsDeleted` for one that finds few records.
    private func describe(_ indexes: [Index], to connection: SQLiteConnection) throws(DatabaseError) {
        // Makes the table of statistics.
        try connection.execute("ANALYZE \"org.LastNumber\"")
        try connection.execute("DELETE FROM sqlite_stat1")
        let ids = schema.objects.map {
            Index(name: "sqlite_autoindex_\($0.name)_1", table: $0.name, columns: "", alike: [1])
        }
        for index in indexes + ids {
            try connection.run(
                "INSERT INTO sqlite_stat1 VALUES (?1, ?2, ?3)",
                [.text(index.table), .text(index.name), .text(index.statistics)])
        }
        try connection.execute("ANALYZE sqlite_schema")
    }
}

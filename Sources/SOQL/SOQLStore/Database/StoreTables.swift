// SPDX-License-Identifier: Apache-2.0

import RestSQLite
import SOQLCheck

/// The tables of a store, one for each object, with one column for each field.
enum StoreTables {
    /// Identifies a database file as a store (`PRAGMA application_id`): "RSDK".
    private static let applicationID: Int64 = 0x5253_444B
    /// The version, which changes with the catalogue.
    ///
    /// A file with another version is rejected and never converted.
    private static let version: Int64 = 2

    /// Whether the database is empty, a store, or a file of another program.
    enum State: Equatable {
        case empty, ready, foreign
    }

    static func state(_ connection: SQLiteConnection) throws(DatabaseError) -> State {
        let tables = try connection.number("SELECT count(*) FROM sqlite_master")
        let application = try connection.number("PRAGMA application_id")
        let found = try connection.number("PRAGMA user_version")
        if tables == 0 && application == 0 && found == 0 { return .empty }
        return application == applicationID && found == version ? .ready : .foreign
    }

    /// Creates all tables, and additional tables given as SQL, inside the transaction that also fills the tables.
    static func create(
        _ schema: Schema, _ others: [String], on connection: SQLiteConnection
    ) throws(DatabaseError) {
        for object in schema.objects { try create(object, on: connection) }
        for tables in OwnTables.all + others { try connection.execute(tables) }
        try ContentStore.sweep(connection)
        try StoredSchema.keep(schema, on: connection)
    }

    static func create(_ object: SObjectSchema, on connection: SQLiteConnection) throws(DatabaseError) {
        let columns = object.fields.compactMap(column).joined(separator: ", ")
        try connection.execute("CREATE TABLE IF NOT EXISTS \"\(object.name)\" (\(columns))")
    }

    /// Adds the objects and fields that are missing in a file, without changing existing ones or adding indexes, inside
    /// a transaction.
    static func renew(_ schema: Schema, _ others: [String], on connection: SQLiteConnection) throws(DatabaseError) {
        for object in schema.objects {
            let sql = "SELECT name FROM pragma_table_info('\(object.name)')"
            let present = Set(try connection.list(sql) { $0.text(0).lowercased() })
            guard !present.isEmpty else { continue }
            for field in object.fields where !present.contains(field.name.lowercased()) {
                guard let column = column(field) else { continue }
                try connection.execute("ALTER TABLE \"\(object.name)\" ADD COLUMN \(column)")
            }
        }
        try create(schema, others, on: connection)
    }

    /// Marks the database as a complete store.
    static func seal(_ connection: SQLiteConnection) throws(DatabaseError) {
        try connection.execute("PRAGMA application_id = \(applicationID)")
        try connection.execute("PRAGMA user_version = \(version)")
    }

    /// The definition of a field's column, or `nil` for a field without a column.
    static func column(_ field: FieldSchema) -> String? {
        guard field.usage == nil else { return nil }
        let name = "\"\(field.name)\""
        return switch field.type {
        case .id: "\(name) TEXT NOT NULL PRIMARY KEY"
        case .reference, .date, .datetime, .time, .base64: "\(name) TEXT"
        case .string, .picklist, .multipicklist, .textarea, .email, .phone, .url, .combobox, .encryptedstring:
            "\(name) TEXT COLLATE NOCASE"
        case .boolean: "\(name) INTEGER NOT NULL DEFAULT 0"
        case .int: "\(name) INTEGER"
        case .double, .currency, .percent: "\(name) REAL"
        // Computed from other fields when it is read.
        case .location, .address: nil
        }
    }
}

/// The tables for data other than records: file contents and the state of records.
enum OwnTables {
    static let all = [contents, files, bin, numbers, usage, counters]

    private static let contents = """
        CREATE TABLE IF NOT EXISTS "org.Content" (
            "Number" INTEGER PRIMARY KEY AUTOINCREMENT, "Size" INTEGER NOT NULL, "IsWhole" INTEGER NOT NULL
        );
        CREATE TABLE IF NOT EXISTS "org.Piece" ("Number" INTEGER PRIMARY KEY, "Data" BLOB NOT NULL)
        """

    /// Maps the file fields of records to contents.
    private static let files = """
        CREATE TABLE IF NOT EXISTS "org.File" (
            "Record" TEXT NOT NULL, "Field" TEXT NOT NULL, "Content" INTEGER NOT NULL, PRIMARY KEY ("Record", "Field")
        ) WITHOUT ROWID
        """

    /// The deleted records with the deletion they belong to and their distance from the record that was deleted
    /// explicitly, and the references to them that were cleared.
    private static let bin = """
        CREATE TABLE IF NOT EXISTS "org.Bin" (
            "Object" TEXT NOT NULL, "Number" INTEGER NOT NULL, "Deletion" INTEGER NOT NULL, "Level" INTEGER NOT NULL,
            PRIMARY KEY ("Object", "Number")
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS "org.Bin.Deletion" ON "org.Bin" ("Deletion", "Object", "Level", "Number");
        CREATE TABLE IF NOT EXISTS "org.Cleared" (
            "Deletion" INTEGER NOT NULL, "Object" TEXT NOT NULL, "Field" TEXT NOT NULL, "Number" INTEGER NOT NULL,
            "Value" TEXT NOT NULL, PRIMARY KEY ("Deletion", "Object", "Field", "Number")
        ) WITHOUT ROWID
        """

    /// The largest record number of each object whose row was removed.
    private static let numbers = """
        CREATE TABLE IF NOT EXISTS "org.LastNumber" ("Object" TEXT PRIMARY KEY, "Number" INTEGER NOT NULL) WITHOUT ROWID
        """

    /// Numbers that only rise, such as the number of the last captured commit.
    private static let counters = """
        CREATE TABLE IF NOT EXISTS "org.Counter" ("Name" TEXT PRIMARY KEY, "Value" INTEGER NOT NULL) WITHOUT ROWID
        """

    /// The records that users have viewed, one row for each user and record, numbered by time.
    private static let usage = """
        CREATE TABLE IF NOT EXISTS "org.Usage" ("User" TEXT, "Record" TEXT, "Viewed" TEXT, "Referenced" TEXT);
        CREATE UNIQUE INDEX IF NOT EXISTS "org.Usage.Record" ON "org.Usage" ("User", "Record");
        CREATE INDEX IF NOT EXISTS "org.Usage.User" ON "org.Usage" ("User")
        """
}

/// The indexes of a store, and the statistics for SQLite's query planner.
///
/// Every query reads only records that are not deleted, so an index for queries begins with `IsDeleted`. Then a count,
/// an order or groups by one field can be read from the index alone.
struct StoreIndexes {
    private let schema: Schema

    init(_ schema: Schema) {
        self.schema = schema
    }

    private struct Index {
        let name: String
        let table: String
        let columns: String
        var isUnique = false
        var condition = ""
        /// The number of records out of a million with equal values in the first column, the first two, and so on.
        let alike: [Int]

        var sql: String {
            "CREATE \(isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS \"\(name)\" ON \"\(table)\" (\(columns))\(condition)"
        }

        /// The statistics in the format of `sqlite_stat1`.
        var statistics: String { ([records] + alike).map(String.init).joined(separator: " ") }
    }

    /// The table size that query plans are optimized for.
    private static let records = 1_000_000

    /// The number of rows of a table from which an index saves time.
    private static let fewest = 1_000

    private var all: [Index] {
        var seen: Set<String> = []
        return schema.objects.flatMap(indexes).filter { seen.insert($0.name).inserted }
    }

    /// Creates the missing indexes, or with `isLater` only those that keep values unique, inside a transaction.
    ///
    /// Creating an index after inserting records is much faster than updating it.
    func make(on connection: SQLiteConnection, isLater: Bool) throws(DatabaseError) {
        for index in all where index.isUnique || !isLater { try connection.execute(index.sql) }
        try describe(all, to: connection)
    }

    /// Returns the SQL of a missing index of a table with many rows, or `nil` if no index is missing.
    ///
    /// `names` are the objects that should get no index yet, and `others` are indexes of additional tables.
    func missing(
        besides names: Set<String>, _ others: [LaterIndex], on connection: SQLiteConnection
    ) throws(DatabaseError) -> String? {
        let known = Set(
            try connection.list("SELECT name FROM sqlite_master WHERE type = 'index'") { $0.text(0).lowercased() })
        for index in all.map({ (name: $0.name, table: $0.table, sql: $0.sql) }) + others
        where !names.contains(index.table) && !known.contains(index.name.lowercased()) {
            let rows = "SELECT EXISTS (SELECT 1 FROM \"\(index.table)\" LIMIT 1 OFFSET \(Self.fewest - 1))"
            if try connection.number(rows) == 1 { return index.sql }
        }
        return nil
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

    /// The indexes that child subqueries, semi-joins and deletions use to find the children of a record.
    private func references(to parent: SObjectSchema) -> [Index] {
        let named = parent.childRelationships.map { (child: $0.object, field: $0.field) }
        let others = schema.references(to: parent).map { (child: $0.owner, field: $0.field.name) }
        return (named + (parent.abilities.contains(.delete) ? others : [])).map { child, field in
            Index(
                name: "\(child).of.\(field)", table: child, columns: "\"\(field)\", \"IsDeleted\"",
                condition: " WHERE \"\(field)\" IS NOT NULL", alike: [5, 5])
        }
    }

    /// Writes the same planner statistics in every store, so that plans do not depend on earlier contents.
    ///
    /// Without these statistics, SQLite assumes that an index that begins with `IsDeleted` finds few records.
    private func describe(_ indexes: [Index], to connection: SQLiteConnection) throws(DatabaseError) {
        // Creates the table of statistics.
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

/// The schema with which the database was last opened, stored in the database.
enum StoredSchema {
    /// This is not a valid object name.
    private static let table = "\"org.Field\""

    /// Stores the objects, their key prefixes, their fields and the types.
    static func keep(_ schema: Schema, on connection: SQLiteConnection) throws(DatabaseError) {
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS \(table) (object TEXT, prefix TEXT, field TEXT, type TEXT, "
                + "PRIMARY KEY (object, field)) WITHOUT ROWID")
        for object in schema.objects {
            for field in object.fields {
                try connection.run(
                    "INSERT OR REPLACE INTO \(table) VALUES (?1, ?2, ?3, ?4)",
                    [.text(object.name), .text(object.keyPrefix), .text(field.name), .text(field.type.rawValue)])
            }
        }
    }

    /// Forgets the schema, so that the tables can get any other one.
    static func forget(on connection: SQLiteConnection) throws(DatabaseError) {
        try connection.execute("DELETE FROM \(table)")
    }

    /// The first incompatible change since the stored schema, with advice, or `nil` if the schemas are compatible.
    static func change(_ schema: Schema, on connection: SQLiteConnection) throws(DatabaseError) -> String? {
        var change: String?
        try connection.rows("SELECT object, prefix, field, type FROM \(table) ORDER BY object, field") { row in
            guard change == nil else { return }
            change = Self.change((row.text(0), row.text(1), row.text(2), row.text(3)), schema)
        }
        return change
    }

    private static func change(
        _ stored: (object: String, prefix: String, field: String, type: String), _ schema: Schema
    ) -> String? {
        guard let object = schema.object(named: stored.object) else {
            return "the org's file has the object \(stored.object), which the schema lacks; add its description"
        }
        guard object.keyPrefix == stored.prefix else {
            return """
                the ids of \(stored.object) begin with \(stored.prefix) in the org's file, not with \
                \(object.keyPrefix); describe the object with the keyPrefix \(stored.prefix)
                """
        }
        guard let field = object.field(named: stored.field) else {
            return """
                the org's file has the field \(stored.object).\(stored.field), which the schema lacks; add its description
                """
        }
        guard field.type.rawValue == stored.type else {
            return """
                the field \(stored.object).\(stored.field) is of the type '\(stored.type)' in the org's file and \
                '\(field.type.rawValue)' in the schema; keep its type, or use another name
                """
        }
        return nil
    }
}

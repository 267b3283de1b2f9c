// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The tables of an org: one per object, one column per field, made from the schema.
enum OrgTables {
    /// Marks a file as an embedded org's (`PRAGMA application_id`): "RSDK".
    private static let applicationID: Int64 = 0x5253_444B
    /// Changes with the catalogue; a file of another version is refused, never converted.
    private static let version: Int64 = 1

    /// Whether the database is new, an org's, or another program's.
    enum State: Equatable {
        case empty, ready, foreign
    }

    static func state(_ connection: SQLiteConnection) throws(DatabaseError) -> State {
        let tables = try number(connection, "SELECT count(*) FROM sqlite_master")
        let application = try number(connection, "PRAGMA application_id")
        let found = try number(connection, "PRAGMA user_version")
        if tables == 0 && application == 0 && found == 0 { return .empty }
        return application == applicationID && found == version ? .ready : .foreign
    }

    private static func number(_ connection: SQLiteConnection, _ sql: String) throws(DatabaseError) -> Int64 {
        var result: Int64 = 0
        try connection.rows(sql) { result = $0.integer(0) }
        return result
    }

    /// Makes all tables.
    ///
    /// Called inside the transaction that also fills them.
    static func create(_ schema: Schema, on connection: SQLiteConnection) throws(DatabaseError) {
        for object in schema.objects {
            let columns = object.fields.compactMap(column).joined(separator: ", ")
            try connection.execute("CREATE TABLE IF NOT EXISTS \"\(object.name)\" (\(columns))")
        }
        try connection.execute(Self.blobs)
        try connection.execute(Self.jobs)
        try connection.execute(Self.usage)
        try StoredSchema.keep(schema, on: connection)
    }

    /// Brings a file up to date: objects and fields that have come since are added, and nothing changed.
    ///
    /// Called inside a transaction.
    static func renew(_ schema: Schema, on connection: SQLiteConnection) throws(DatabaseError) {
        for object in schema.objects {
            var present: Set<String> = []
            let sql = "SELECT name FROM pragma_table_info('\(object.name)')"
            try connection.rows(sql) { present.insert($0.text(0).lowercased()) }
            guard !present.isEmpty else { continue }
            for field in object.fields where !present.contains(field.name.lowercased()) {
                guard let column = column(field) else { continue }
                try connection.execute("ALTER TABLE \"\(object.name)\" ADD COLUMN \(column)")
            }
        }
        // And the objects and indexes that have come since.
        try create(schema, on: connection)
        try OrgIndexes(schema).make(on: connection)
    }

    /// The contents of files, in base 64.
    private static let blobs = """
        CREATE TABLE IF NOT EXISTS "org.Blob" (
            "Record" TEXT NOT NULL, "Field" TEXT NOT NULL, "Data" TEXT NOT NULL, PRIMARY KEY ("Record", "Field")
        ) WITHOUT ROWID
        """

    /// What users have looked at: a row for each user and record, the one with the largest number being the latest.
    private static let usage = """
        CREATE TABLE IF NOT EXISTS "org.Usage" ("User" TEXT, "Record" TEXT, "Viewed" TEXT, "Referenced" TEXT);
        CREATE UNIQUE INDEX IF NOT EXISTS "org.Usage.Record" ON "org.Usage" ("User", "Record");
        CREATE INDEX IF NOT EXISTS "org.Usage.User" ON "org.Usage" ("User")
        """

    /// The jobs of Bulk API 2.0, what was uploaded for them, and what has come of each record.
    private static let jobs = """
        CREATE TABLE IF NOT EXISTS "org.Job" (
            "Number" INTEGER PRIMARY KEY, "IsQuery" INTEGER, "State" TEXT, "Operation" TEXT, "Object" TEXT,
            "ExternalId" TEXT, "Query" TEXT, "Delimiter" TEXT, "IsCRLF" INTEGER, "Version" INTEGER, "User" TEXT,
            "Created" TEXT, "Modified" TEXT, "Position" INTEGER, "Processed" INTEGER, "Failed" INTEGER, "Error" TEXT,
            "Header" TEXT
        );
        CREATE TABLE IF NOT EXISTS "org.JobNumber" ("Job" INTEGER);
        CREATE TABLE IF NOT EXISTS "org.JobData" ("Job" INTEGER PRIMARY KEY, "Data" TEXT);
        CREATE TABLE IF NOT EXISTS "org.JobRow" (
            "Job" INTEGER, "Position" INTEGER, "Record" TEXT, "IsNew" INTEGER, "Error" TEXT, "Line" TEXT,
            PRIMARY KEY ("Job", "Position")
        ) WITHOUT ROWID
        """

    /// Marks the database as ready to be opened again.
    static func seal(_ connection: SQLiteConnection) throws(DatabaseError) {
        try connection.execute("PRAGMA application_id = \(applicationID)")
        try connection.execute("PRAGMA user_version = \(version)")
    }

    private static func column(_ field: FieldSchema) -> String? {
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
        // Made of other fields when it is read.
        case .location, .address: nil
        }
    }
}

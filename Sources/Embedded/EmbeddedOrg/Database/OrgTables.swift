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
        for tables in OwnTables.all { try connection.execute(tables) }
        try ContentStore.sweep(connection)
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

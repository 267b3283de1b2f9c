// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The schema that a database was last opened with, kept in it.
enum StoredSchema {
    /// Not a name that an object can have.
    private static let table = "\"org.Field\""

    /// Writes down the objects, their key prefixes, their fields and the types.
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

    /// What of the database's schema is missing from the new one, or another there, and what to do; `nil` for nothing.
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

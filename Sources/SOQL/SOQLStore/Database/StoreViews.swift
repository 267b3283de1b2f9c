// SPDX-License-Identifier: Apache-2.0

package import RestSQLite

/// The views through which other programs read the records of a store.
///
/// The view of an object has its name after an underscore, such as `_Account`. It has the records that are not deleted,
/// with the types of SQL: 0 and 1 for Booleans, numbers, and text in ISO 8601 for dates and times.
package enum StoreViews {
    /// Creates missing views, replaces those of changed objects and removes those of lost ones, inside a transaction.
    package static func make(_ schema: Schema, on connection: SQLiteConnection) throws(DatabaseError) {
        let own = "CREATE VIEW \"_*\" AS SELECT * FROM \"*\" WHERE \"IsDeleted\" = 0"
        let sql = "SELECT name, sql FROM sqlite_master WHERE type = 'view' AND sql GLOB '\(own)'"
        var known = Dictionary(try connection.list(sql) { ($0.text(0), $0.text(1)) }) { $1 }
        for object in schema.objects {
            let name = "_\(object.name)"
            // The names of described objects can begin with an underscore too.
            guard schema.object(named: name) == nil else { continue }
            let columns = object.fields.filter { $0.isColumn && $0.name != "IsDeleted" }.map(column)
            let sql = """
                CREATE VIEW "\(name)" AS SELECT \(columns.joined(separator: ", ")) FROM "\(object.name)" \
                WHERE "IsDeleted" = 0
                """
            guard known.removeValue(forKey: name) != sql else { continue }
            try connection.execute("DROP VIEW IF EXISTS \"\(name)\"")
            try connection.execute(sql)
        }
        for name in known.keys { try connection.execute("DROP VIEW \"\(name)\"") }
    }

    private static func column(_ field: FieldSchema) -> String {
        let name = "\"\(field.name)\""
        guard field.type == .datetime else { return name }
        // SQLite and DuckDB do not read the zone +0000.
        return "CAST(replace(\(name), '+0000', 'Z') AS TEXT) AS \(name)"
    }
}

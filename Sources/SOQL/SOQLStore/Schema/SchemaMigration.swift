// SPDX-License-Identifier: Apache-2.0

import RestSQLite

/// The steps from one schema to another, which keep the records of all objects that both schemas have.
///
/// Names alone do not show that an object or a field was renamed, so the caller lists these. Every other name that the
/// new schema lacks is removed. ``apply(on:)`` changes the tables.
package struct SchemaMigration: Sendable {
    /// The values of a field after the migration.
    package enum Fit: Sendable, Hashable {
        /// The new field has room for every value.
        case kept
        /// The values are kept, but some may be too long or too large.
        case narrower
        /// The values do not have the new type, so they are removed.
        case otherType
        /// The new schema lacks the field.
        case removed
    }

    /// A field whose name or values change, in an object that both schemas have.
    package struct FieldChange: Sendable, Hashable {
        /// The old name of the object, and of the field.
        package let object: String, name: String
        /// The new name, or `nil` for a removed field.
        package let newName: String?
        package let fit: Fit
    }

    package let old: Schema
    package let new: Schema
    /// The changes in the order of the old schema.
    package private(set) var fields: [FieldChange] = []
    /// The new names of objects by their old names in lower case.
    private var objects: [String: String] = [:]
    private var positions: [String: Int] = [:]

    /// Compares two schemas.
    ///
    /// A rename applies if the old schema has the old name and lacks the new one, and the new schema has the new name.
    /// So a list of renames can grow with the versions of an app, and names can change several times.
    ///
    /// - Parameters:
    ///   - old: the schema of the tables.
    ///   - new: the schema that the tables get.
    ///   - renames: the new names of objects by their old names, and of fields by `Object.Field`, with the old or the
    ///     new name of the object.
    package init(from old: Schema, to new: Schema, renames: [String: String] = [:]) {
        (self.old, self.new) = (old, new)
        let renames = Dictionary(
            renames.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        for object in old.objects {
            let target = Self.target(of: object.name, has: { new.object(named: $0) != nil }) { name in
                renames[name.lowercased()].flatMap { old.object(named: $0) == nil ? $0 : nil }
            }
            guard let next = target.flatMap({ new.object(named: $0) }), !objects.values.contains(next.name) else {
                continue
            }
            objects[object.name.lowercased()] = next.name
            for field in object.fields { compare(field, of: object, with: next, renames) }
        }
    }

    private mutating func compare(
        _ field: FieldSchema, of object: SObjectSchema, with next: SObjectSchema, _ renames: [String: String]
    ) {
        let target = Self.target(of: field.name, has: { next.field(named: $0) != nil }) { name in
            let rename = [object.name, next.name].lazy.compactMap { renames["\($0).\(name)".lowercased()] }.first
            return rename.flatMap { object.field(named: $0) == nil ? $0 : nil }
        }
        let other = target.flatMap { next.field(named: $0) }.flatMap { other in
            fields.contains { $0.object == object.name && $0.newName == other.name } ? nil : other
        }
        let fit = other.map { field.fit(in: $0) } ?? .removed
        guard fit != .kept || other?.name != field.name else { return }
        positions["\(object.name).\(field.name)".lowercased()] = fields.count
        fields.append(FieldChange(object: object.name, name: field.name, newName: other?.name, fit: fit))
    }

    /// Follows the renames of a name to one that exists.
    private static func target(
        of name: String, has exists: (String) -> Bool, rename: (String) -> String?
    ) -> String? {
        var (target, seen) = (rename(name) ?? name, Set([name]))
        while !exists(target), seen.insert(target).inserted, let next = rename(target) { target = next }
        return exists(target) ? target : exists(name) ? name : nil
    }

    /// Returns the object of the new schema that has the records of an old object, or `nil` if it was removed.
    package func object(replacing name: String) -> SObjectSchema? {
        objects[name.lowercased()].flatMap { new.object(named: $0) }
    }

    /// Returns the change of a field by its old names, or `nil` if its name and values stay.
    package func change(of field: String, in object: String) -> FieldChange? {
        positions["\(object).\(field)".lowercased()].map { fields[$0] }
    }

    /// Returns the new name of a field by its old names, or `nil` if it was removed or is unknown.
    package func name(replacing field: String, of object: String) -> String? {
        if let change = change(of: field, in: object) { return change.newName }
        return objects[object.lowercased()] == nil ? nil : old.object(named: object)?.field(named: field)?.name
    }
}

extension FieldSchema {
    /// Compares a field with its form in a newer schema.
    fileprivate func fit(in other: FieldSchema) -> SchemaMigration.Fit {
        if type == .reference, other.type == .reference { return .kept }
        // A reference to an object that a schema lacks is a text of this length.
        if type == .reference, other.type.isText { return other.length >= length ? .kept : .narrower }
        if type.isText, length == 18, other.type == .reference { return .kept }
        if type.isText, other.type.isText { return other.length >= length ? .kept : .narrower }
        if type == .int, other.type.isDecimal { return .kept }
        if type.isDecimal, other.type.isDecimal { return other.hasDigits(of: self) ? .kept : .narrower }
        return type == other.type ? .kept : .otherType
    }

    /// Whether the number has as many digits before and after the point as another one, as far as both describe them.
    private func hasDigits(of other: FieldSchema) -> Bool {
        guard precision > 0, other.precision > 0 else { return true }
        return precision - scale >= other.precision - other.scale && scale >= other.scale
    }
}

extension FieldType {
    fileprivate var isText: Bool { isStored(as: .string) }
    fileprivate var isDecimal: Bool { [.double, .currency, .percent].contains(self) }
}

extension SchemaMigration {
    /// Changes the tables, inside the transaction that also creates the new objects, fields and indexes.
    ///
    /// A table whose columns stay, or only get company, is not touched. Every other table is written again.
    func apply(on connection: SQLiteConnection) throws(DatabaseError) {
        // Views of other programs over the tables are left as they are.
        try connection.execute("PRAGMA legacy_alter_table = ON")
        defer { try? connection.execute("PRAGMA legacy_alter_table = OFF") }
        var moved: [(from: String, object: SObjectSchema, next: SObjectSchema)] = []
        for object in old.objects {
            guard let next = self.object(replacing: object.name) else {
                try forget(object, on: connection)
                continue
            }
            guard object.name != next.name || isRebuilt(object, next) else { continue }
            let name = "org.Old.\(object.name)"
            try connection.execute("ALTER TABLE \"\(object.name)\" RENAME TO \"\(name)\"")
            moved.append((name, object, next))
        }
        for (name, object, next) in moved { try fill(next, from: name, of: object, on: connection) }
        try StoredSchema.forget(on: connection)
    }

    /// Whether a column is removed or renamed, or stores another kind of value.
    private func isRebuilt(_ object: SObjectSchema, _ next: SObjectSchema) -> Bool {
        object.fields.contains { field in
            guard let column = StoreTables.column(field) else { return false }
            let other = name(replacing: field.name, of: object.name).flatMap { next.field(named: $0) }
            return other.flatMap(StoreTables.column) != column
                || change(of: field.name, in: object.name)?.fit == .otherType
        }
    }

    /// Creates a table, and moves the records of an old table to it, with their row numbers.
    private func fill(
        _ next: SObjectSchema, from table: String, of object: SObjectSchema, on connection: SQLiteConnection
    ) throws(DatabaseError) {
        try StoreTables.create(next, on: connection)
        // The file may lack columns that the schema of a later version has.
        let sql = "SELECT name FROM pragma_table_info('\(table)')"
        let present = Set(try connection.list(sql) { $0.text(0).lowercased() })
        var (columns, sources) = (["rowid"], ["rowid"])
        for field in object.fields where present.contains(field.name.lowercased()) {
            let change = change(of: field.name, in: object.name)
            guard change?.fit != .otherType, let name = change.map(\.newName) ?? field.name,
                let other = next.field(named: name), StoreTables.column(other) != nil
            else { continue }
            columns.append("\"\(other.name)\"")
            sources.append("\"\(field.name)\"")
        }
        try connection.execute(
            """
            INSERT INTO "\(next.name)" (\(columns.joined(separator: ", ")))
            SELECT \(sources.joined(separator: ", ")) FROM "\(table)"
            """)
        try connection.execute("DROP TABLE \"\(table)\"")
        for field in object.fields {
            guard let change = change(of: field.name, in: object.name) else { continue }
            let files = field.type == .base64 ? "\"Record\" IN (SELECT \"Id\" FROM \"\(next.name)\")" : "FALSE"
            for (table, rows) in [("org.File", files), ("org.Cleared", "\"Object\" = '\(object.name)'")] {
                let condition = "WHERE \"Field\" = ?1 AND \(rows)"
                if let name = change.newName {
                    try connection.run(
                        "UPDATE \"\(table)\" SET \"Field\" = ?2 \(condition)", [.text(field.name), .text(name)])
                } else {
                    try connection.run("DELETE FROM \"\(table)\" \(condition)", [.text(field.name)])
                }
            }
        }
        for table in Self.namedTables {
            try connection.run(
                "UPDATE \"\(table)\" SET \"Object\" = ?1 WHERE \"Object\" = ?2", [.text(next.name), .text(object.name)])
        }
    }

    private func forget(_ object: SObjectSchema, on connection: SQLiteConnection) throws(DatabaseError) {
        try connection.execute("DROP TABLE IF EXISTS \"\(object.name)\"")
        for table in Self.namedTables {
            try connection.run("DELETE FROM \"\(table)\" WHERE \"Object\" = ?1", [.text(object.name)])
        }
    }

    /// The tables of the store whose rows name an object.
    private static let namedTables = ["org.Bin", "org.Cleared", "org.LastNumber"]
}

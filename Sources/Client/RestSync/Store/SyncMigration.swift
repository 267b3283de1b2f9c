// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSQLite
import SOQLStore

/// Adapts the outbox and the subsets of a copy to another schema, after the tables of its records were adapted.
struct SyncMigration {
    private let steps: SchemaMigration
    private let connection: SQLiteConnection
    private let outbox: Outbox
    private let records: RecordStore

    /// Creates the migration inside the transaction that adapts the tables.
    init(_ steps: SchemaMigration, _ connection: SQLiteConnection) {
        (self.steps, self.connection, outbox) = (steps, connection, Outbox(connection: connection))
        records = RecordStore(
            database: Database(lent: connection), schema: steps.new, userID: "",
            bin: RecycleBin(capacity: 0, schema: steps.new))
    }

    /// Returns the steps from the schema of a copy to another one, or `nil` if they are the same.
    static func steps(
        to schema: SyncSchema, _ renames: [String: String], on connection: SQLiteConnection
    ) throws(DatabaseError) -> SchemaMigration? {
        let known = "SELECT 1 FROM sqlite_master WHERE name = 'sync.Value'"
        let stored = "SELECT \"Value\" FROM \"sync.Value\" WHERE \"Name\" = 'schema'"
        guard try connection.number(known) == 1, let text = try connection.list(stored, [], { $0.text(0) }).first,
            text != schema.text
        else { return nil }
        do throws(SyncError) {
            let old = try SyncSchema(describe: Array(text.utf8))
            return SchemaMigration(from: old.schema, to: schema.schema, renames: renames)
        } catch {
            throw DatabaseError(kind: .changed, message: "the schema in the file is invalid: \(error.message)")
        }
    }

    func run() throws(DatabaseError) {
        do throws(OrgError) {
            for change in try outbox.changes(.sent, .held, .open) { try adapt(change) }
            for change in try outbox.changes(.orphaned) { try rename(change) }
            try renameFiles()
            try adaptSubsets()
        } catch {
            throw DatabaseError(kind: .rejected, message: "\(error.code): \(error.message)")
        }
    }
}

// MARK: The outbox

extension SyncMigration {
    /// Gives a change its new names, and moves the fields that the new schema cannot express to a conflict.
    private func adapt(_ old: PendingChange) throws(OrgError) {
        guard let object = steps.object(replacing: old.object) else { return try outbox.orphan(old) }
        var lost = steps.fields.filter {
            $0.object.lowercased() == old.object.lowercased() && $0.fit != .kept && old.fields[$0.name] != nil
        }
        // The fields of a deletion are only those of edits before it.
        if old.kind == .delete { lost = [] }
        if !lost.isEmpty {
            let isRemoved = lost.contains { $0.fit == .removed }
            try outbox.orphan(lost.map(\.name), of: old, because: isRemoved ? .fieldRemoved : .fieldChanged)
        }
        guard var change = try outbox.change(old.record, old.state) else { return try restore(lost, old, object) }
        change.object = object.name
        change.fields = renamed(change.fields, of: old.object, in: object)
        change.base = renamed(change.base, of: old.object, in: object)
        change.server = renamed(change.server, of: old.object, in: object)
        try outbox.save(change)
        try restore(lost, old, object)
    }

    /// Shows the values before an edit, because the edit is only a conflict now.
    private func restore(
        _ lost: [SchemaMigration.FieldChange], _ change: PendingChange, _ object: SObjectSchema
    ) throws(OrgError) {
        guard try records.fields(of: change.record, object, connection) != nil else { return }
        for field in lost {
            guard let name = field.newName, let other = object.field(named: name), other.isColumn else { continue }
            let base = change.base[field.name].flatMap { try? other.stored($0) } ?? .null
            try records.put(change.record, [name: base], of: object, connection)
        }
    }

    /// Returns values with their new names and types, without those that the new schema cannot express.
    private func renamed(_ values: JSONObject, of old: String, in object: SObjectSchema) -> JSONObject {
        var result = JSONObject()
        for (name, value) in values {
            guard let newName = steps.name(replacing: name, of: old), let field = object.field(named: newName) else {
                continue
            }
            result[newName] = try? field.stored(value)
        }
        return result
    }

    /// Gives the conflicts of earlier migrations the new names as far as there are any.
    private func rename(_ old: PendingChange) throws(OrgError) {
        var change = old
        if let object = steps.object(replacing: old.object) { change.object = object.name }
        func rename(_ values: JSONObject) -> JSONObject {
            JSONObject(members: values.map { (steps.name(replacing: $0, of: old.object) ?? $0, $1) })
        }
        (change.fields, change.base, change.server) = (rename(old.fields), rename(old.base), rename(old.server))
        try outbox.save(change)
    }
}

// MARK: The files

extension SyncMigration {
    /// Gives files the new names of their objects.
    private func renameFiles() throws(OrgError) {
        let names = try connection.fetch("SELECT DISTINCT \"Object\" FROM \"sync.File\"", [], { $0.text(0) })
        for name in names {
            guard let object = steps.object(replacing: name), object.name != name else { continue }
            try connection.change(
                "UPDATE \"sync.File\" SET \"Object\" = ?1 WHERE \"Object\" = ?2", [.text(object.name), .text(name)])
        }
    }
}

// MARK: The subsets

extension SyncMigration {
    private func adaptSubsets() throws(OrgError) {
        let before = try fields(isOld: true)
        let subsets = try connection.fetch("SELECT \"Number\", \"Query\" FROM \"sync.Subset\" ORDER BY \"Number\"") {
            ($0.integer(0), $0.text(1))
        }
        for (number, text) in subsets { try adapt(number, text) }
        let after = try fields(isOld: false)
        var changed = Set(after.filter { name, fields in !fields.isSubset(of: before[name] ?? fields) }.keys)
        for field in steps.fields where [.narrower, .otherType].contains(field.fit) {
            guard let name = field.newName, let object = steps.object(replacing: field.object) else { continue }
            if after[object.name]?.contains(name) ?? false { changed.insert(object.name) }
        }
        // Pages of an interrupted read have the old names.
        let unfinished = try connection.fetch(
            "SELECT DISTINCT \"Object\" FROM \"sync.Part\" WHERE \"Plan\" NOT LIKE '%\"phase\":\"idle\"%'"
        ) { $0.text(0) }
        let renamed = Set(steps.fields.compactMap { steps.object(replacing: $0.object)?.name })
        changed.formUnion(renamed.intersection(unfinished))
        for object in changed.sorted() { try SyncStore.readAgain(object, connection) }
    }

    /// Returns the fields of all parts by the new names of their objects.
    private func fields(isOld: Bool) throws(OrgError) -> [String: Set<String>] {
        let rows = try connection.fetch("SELECT \"Object\", \"Fields\" FROM \"sync.Part\"") { ($0.text(0), $0.text(1)) }
        var fields: [String: Set<String>] = [:]
        for (object, names) in rows {
            let next = isOld ? steps.object(replacing: object) : steps.new.object(named: object)
            guard let next else { continue }
            let list = names.split(byte: ",").map(String.init)
            fields[next.name, default: []].formUnion(
                isOld ? list.compactMap { steps.name(replacing: $0, of: object) } : list)
        }
        return fields
    }

    /// Gives a subset its new names, without the fields that the new schema lacks.
    ///
    /// A subset whose object is gone, or whose condition needs something that is gone, is not read any more. Its
    /// records stay until it is removed.
    private func adapt(_ subset: Int64, _ text: String) throws(OrgError) {
        let renaming = SubsetRenaming(steps)
        let current = SubsetRenaming(SchemaMigration(from: steps.new, to: steps.new))
        let query = renaming.query(text) ?? current.query(text)
        let number = SQLValue.integer(subset)
        guard let query, var parts = try? SubsetQuery(query, steps.new).parts else {
            try connection.change("UPDATE \"sync.Subset\" SET \"IsUsable\" = 0 WHERE \"Number\" = ?1", [number])
            return try connection.change("UPDATE \"sync.Part\" SET \"Object\" = '' WHERE \"Subset\" = ?1", [number])
        }
        let isKnown = try connection.fetch(
            "SELECT 1 FROM \"sync.Subset\" WHERE \"Query\" = ?1 AND \"Number\" <> ?2", [.text(query), number]
        ) { _ in true }
        if isKnown.isEmpty {
            try connection.change(
                "UPDATE \"sync.Subset\" SET \"Query\" = ?1, \"IsUsable\" = 1 WHERE \"Number\" = ?2",
                [.text(query), number])
        } else {
            // Without the fields that are gone, it is the same as another subset.
            try connection.change("DELETE FROM \"sync.Subset\" WHERE \"Number\" = ?1", [number])
            parts = []
        }
        let stored = try connection.fetch(
            "SELECT \"Number\", \"Object\", \"Condition\" FROM \"sync.Part\" WHERE \"Subset\" = ?1", [number]
        ) { ($0.integer(0), $0.text(1), $0.isNull(2) ? nil : $0.text(2)) }
        for (part, object, condition) in stored {
            let key = renaming.query(of: object, condition)
            let match = parts.firstIndex { key != nil && current.query(of: $0.object, $0.condition) == key }
            guard let match else {
                try connection.change("DELETE FROM \"sync.Member\" WHERE \"Part\" = ?1", [.integer(part)])
                try connection.change("DELETE FROM \"sync.Part\" WHERE \"Number\" = ?1", [.integer(part)])
                try Outbox.requestPurge(connection)
                continue
            }
            let next = parts.remove(at: match)
            try connection.change(
                "UPDATE \"sync.Part\" SET \"Object\" = ?1, \"Fields\" = ?2, \"Condition\" = ?3 WHERE \"Number\" = ?4",
                [
                    .text(next.object), .text(next.fields.joined(separator: ",")),
                    next.condition.map { .text($0) } ?? .null, .integer(part),
                ])
        }
        for part in parts { try SyncStore.add(part, to: subset, connection) }
    }
}

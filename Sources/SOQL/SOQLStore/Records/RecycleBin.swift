// SPDX-License-Identifier: Apache-2.0

import RestSQLite
import Synchronization

/// The most recently deleted records of each object, which `queryAll` finds and which can be restored.
///
/// The limit keeps an org that creates and deletes records from growing without end. Records that were deleted together
/// leave the bin together. The latest deletion always stays, regardless of its size.
package final class RecycleBin: Sendable {
    private let capacity: Int
    private let schema: Schema
    /// The deletions of each object since its bin was last reduced to its capacity.
    private let deletions = Mutex<[String: Int]>([:])

    /// The number of deletions between two checks, by which a bin can exceed its capacity.
    package static let interval = 100

    package init(capacity: Int, schema: Schema) {
        self.capacity = max(0, capacity)
        self.schema = schema
    }

    /// Counts a deletion, inside its transaction.
    func add(_ deletion: Deletion, _ connection: SQLiteConnection) throws(OrgError) {
        for object in deletion.objects {
            let isDue = deletions.withLock { deletions in
                deletions[object.name, default: Self.interval - 1] += 1
                guard deletions[object.name, default: 0] >= Self.interval else { return false }
                deletions[object.name] = 0
                return true
            }
            if isDue { try empty(object.name, before: deletion.number, connection) }
        }
    }

    /// Removes the oldest deletions that exceed the capacity.
    private func empty(_ object: String, before last: Int64, _ connection: SQLiteConnection) throws(OrgError) {
        let counts = try connection.fetch(
            "SELECT \"Deletion\", count(*) FROM \"org.Bin\" WHERE \"Object\" = ?1 GROUP BY 1 ORDER BY 1",
            [.text(object)]
        ) { (deletion: $0.integer(0), count: $0.integer(1)) }
        var surplus = counts.reduce(0) { $0 + $1.count } - Int64(clamping: capacity)
        for (deletion, count) in counts where surplus > 0 && deletion != last {
            try Self.remove(deletion, schema, connection)
            surplus -= count
        }
    }

    /// Returns the objects that have records in a deletion.
    static func objects(
        of deletion: Int64, _ schema: Schema, _ connection: SQLiteConnection
    ) throws(OrgError) -> [SObjectSchema] {
        try connection.fetch(
            "SELECT DISTINCT \"Object\" FROM \"org.Bin\" WHERE \"Deletion\" = ?1", [.integer(deletion)]
        ) { $0.text(0) }.compactMap { schema.object(named: $0) }
    }

    /// Permanently removes a deletion's records and files, and stores the largest number so that none is reused.
    static func remove(
        _ deletion: Int64, _ schema: Schema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        for object in try objects(of: deletion, schema, connection) {
            let rows =
                "rowid IN (SELECT \"Number\" FROM \"org.Bin\" WHERE \"Deletion\" = ?1 AND \"Object\" = '\(object.name)')"
            if object.fields.contains(where: { $0.type == .base64 }) {
                let sql = "SELECT \"Id\" FROM \"\(object.name)\" WHERE \(rows)"
                for id in try connection.fetch(sql, [.integer(deletion)], { $0.text(0) }) {
                    try Blob.remove(of: id, connection)
                }
            }
            try connection.change(
                """
                INSERT INTO "org.LastNumber" SELECT '\(object.name)', max(rowid) FROM "\(object.name)" WHERE TRUE
                ON CONFLICT DO UPDATE SET "Number" = max("Number", excluded."Number")
                """)
            try connection.change("DELETE FROM \"\(object.name)\" WHERE \(rows)", [.integer(deletion)])
        }
        try forget(deletion, connection)
    }

    /// Removes a deletion from the bin.
    static func forget(_ deletion: Int64, _ connection: SQLiteConnection) throws(OrgError) {
        for table in ["org.Bin", "org.Cleared"] {
            try connection.change("DELETE FROM \"\(table)\" WHERE \"Deletion\" = ?1", [.integer(deletion)])
        }
    }
}

/// Restores all records of a deletion.
struct Restoring {
    let number: Int64
    let schema: Schema
    let connection: SQLiteConnection

    func run(by user: String, at time: String) throws(OrgError) {
        let objects = try RecycleBin.objects(of: number, schema, connection)
        for object in objects { try unmark(object, by: user, at: time) }
        for object in objects { try drop(object) }
        try relink(at: time)
        try RecycleBin.forget(number, connection)
    }

    private func rows(_ object: SObjectSchema) -> String {
        "rowid IN (SELECT \"Number\" FROM \"org.Bin\" WHERE \"Deletion\" = ?1 AND \"Object\" = '\(object.name)')"
    }

    private func unmark(_ object: SObjectSchema, by user: String, at time: String) throws(OrgError) {
        // A restored record is no longer merged into another record.
        let merged = object.field(named: Merging.masterField) == nil ? "" : "\"\(Merging.masterField)\" = NULL, "
        try connection.change(
            """
            UPDATE "\(object.name)" SET \(merged)"IsDeleted" = 0, "LastModifiedDate" = ?2, "SystemModstamp" = ?2,
            "LastModifiedById" = ?3 WHERE \(rows(object))
            """, [.integer(number), .text(time), .text(user)])
    }

    /// Clears references to missing records, or throws for a detail without its master, which cannot be restored.
    private func drop(_ object: SObjectSchema) throws(OrgError) {
        for field in object.fields where field.type == .reference {
            let targets = field.referenceTo.compactMap { schema.object(named: $0) }
            guard targets.contains(where: { $0.abilities.contains(.delete) }) else { continue }
            let known = targets.map {
                "EXISTS (SELECT 1 FROM \"\($0.name)\" t WHERE t.\"Id\" = \"\(object.name)\".\"\(field.name)\""
                    + " AND t.\"IsDeleted\" = 0)"
            }
            let lost = "\(rows(object)) AND \"\(field.name)\" IS NOT NULL AND NOT (\(known.joined(separator: " OR ")))"
            let first = try connection.fetch(
                "SELECT 1 FROM \"\(object.name)\" WHERE \(lost) LIMIT 1", [.integer(number)]
            ) { $0.integer(0) }
            guard !first.isEmpty else { continue }
            guard field.isNillable else { throw .notInBin }
            try connection.change(
                "UPDATE \"\(object.name)\" SET \"\(field.name)\" = NULL WHERE \(lost)", [.integer(number)])
        }
    }

    /// Restores the references that the deletion cleared, unless they have another value now.
    private func relink(at time: String) throws(OrgError) {
        let fields = try connection.fetch(
            "SELECT DISTINCT \"Object\", \"Field\" FROM \"org.Cleared\" WHERE \"Deletion\" = ?1", [.integer(number)]
        ) { ($0.text(0), $0.text(1)) }
        for (object, field) in fields where schema.object(named: object)?.field(named: field) != nil {
            let cleared = "\"org.Cleared\" WHERE \"Deletion\" = ?1 AND \"Object\" = ?2 AND \"Field\" = ?3"
            try connection.change(
                """
                UPDATE "\(object)" SET "\(field)" =
                (SELECT "Value" FROM \(cleared) AND "Number" = "\(object)".rowid), "SystemModstamp" = ?4
                WHERE rowid IN (SELECT "Number" FROM \(cleared)) AND "\(field)" IS NULL
                """, [.integer(number), .text(object), .text(field), .text(time)])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import LocalServer
import Synchronization

/// The deleted records that `queryAll` still finds, and that can be restored: the last ones of each object.
///
/// Without a limit, an org that creates and deletes would grow without end. What was deleted together leaves the bin
/// together, and the last deletion stays, however large it is.
final class RecycleBin: Sendable {
    private let capacity: Int
    private let schema: Schema
    /// The deletions of each object since its bin was emptied to its capacity.
    private let deletions = Mutex<[String: Int]>([:])

    /// A bin is checked after so many deletions, so it holds at most that many beyond its capacity.
    static let interval = 100

    init(capacity: Int, schema: Schema) {
        self.capacity = max(0, capacity)
        self.schema = schema
    }

    /// Notes a deletion, inside its transaction.
    func add(_ deletion: Deletion, _ connection: SQLiteConnection) throws(DatabaseError) {
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

    /// Removes what is beyond the capacity, the oldest first.
    private func empty(_ object: String, before last: Int64, _ connection: SQLiteConnection) throws(DatabaseError) {
        var counts: [(deletion: Int64, count: Int64)] = []
        try connection.rows(
            "SELECT \"Deletion\", count(*) FROM \"org.Bin\" WHERE \"Object\" = ?1 GROUP BY 1 ORDER BY 1",
            [.text(object)]
        ) { counts.append(($0.integer(0), $0.integer(1))) }
        var surplus = counts.reduce(0) { $0 + $1.count } - Int64(clamping: capacity)
        for (deletion, count) in counts where surplus > 0 && deletion != last {
            try Self.remove(deletion, schema, connection)
            surplus -= count
        }
    }

    /// The objects that have records in a deletion.
    static func objects(
        of deletion: Int64, _ schema: Schema, _ connection: SQLiteConnection
    ) throws(DatabaseError) -> [SObjectSchema] {
        var names: [String] = []
        try connection.rows(
            "SELECT DISTINCT \"Object\" FROM \"org.Bin\" WHERE \"Deletion\" = ?1", [.integer(deletion)]
        ) { names.append($0.text(0)) }
        return names.compactMap { schema.object(named: $0) }
    }

    /// Removes the records of a deletion for good, and their files.
    ///
    /// The largest number of each object is kept, so that no number is used twice.
    static func remove(
        _ deletion: Int64, _ schema: Schema, _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        for object in try objects(of: deletion, schema, connection) {
            let rows =
                "rowid IN (SELECT \"Number\" FROM \"org.Bin\" WHERE \"Deletion\" = ?1 AND \"Object\" = '\(object.name)')"
            if object.fields.contains(where: { $0.type == .base64 }) {
                var ids: [String] = []
                let sql = "SELECT \"Id\" FROM \"\(object.name)\" WHERE \(rows)"
                try connection.rows(sql, [.integer(deletion)]) { ids.append($0.text(0)) }
                for id in ids { try Blob.remove(of: id, connection) }
            }
            try connection.execute(
                """
                INSERT INTO "org.LastNumber" SELECT '\(object.name)', max(rowid) FROM "\(object.name)" WHERE TRUE
                ON CONFLICT DO UPDATE SET "Number" = max("Number", excluded."Number")
                """)
            try connection.run("DELETE FROM \"\(object.name)\" WHERE \(rows)", [.integer(deletion)])
        }
        try forget(deletion, connection)
    }

    /// Takes a deletion out of the bin.
    static func forget(_ deletion: Int64, _ connection: SQLiteConnection) throws(DatabaseError) {
        for table in ["org.Bin", "org.Cleared"] {
            try connection.run("DELETE FROM \"\(table)\" WHERE \"Deletion\" = ?1", [.integer(deletion)])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

package import RestSQLite
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Captures the changes of records in all transactions of a store, and hands them to a sink before each commit.
///
/// Triggers of the writing connection keep the first state of each changed row in temporary tables. So a savepoint that
/// is rolled back takes its changes with it, every statement counts, and an object that is not captured costs nothing.
/// A record that changes several times in a transaction has one change, from its first state to its last.
package final class ChangeCapture: TransactionObserver {
    private let schema: Schema
    private let sink: any ChangeSink
    private let state = Mutex(State())

    private struct State {
        var objects: Set<String> = []
        /// The events that are published even if the transaction is rolled back.
        var immediate: [PublishedEvent] = []
        /// Whether the transaction wrote to the sink.
        var hasWritten = false
    }

    /// The changed rows in the order of their first change.
    fileprivate static let rows = "\"capture.Row\""
    /// The number of rows that are read at once, and the maximum number of changes that are handed over together.
    private static let step = 500

    init(_ schema: Schema, _ sink: any ChangeSink) { (self.schema, self.sink) = (schema, sink) }

    /// Prepares the writing connection, which then calls this object.
    func begin(on connection: SQLiteConnection) throws(DatabaseError) {
        // Temporary tables need no journal on disk, because they end with the process.
        try connection.execute("PRAGMA temp.journal_mode = MEMORY")
        try connection.execute(
            """
            CREATE TEMP TABLE \(Self.rows) ("Position" INTEGER PRIMARY KEY, "Object" TEXT, "Number" INTEGER,
            "IsNew" INTEGER, "User" TEXT, UNIQUE ("Object", "Number"))
            """)
        for name in try sink.capturedObjects(connection) { try capture(name, connection) }
        connection.observer = self
    }

    /// Captures the changes of an object from now on, outside of a transaction.
    ///
    /// Does nothing for an unknown object, an object of events, and an object that is captured already.
    package func capture(_ name: String, _ connection: SQLiteConnection) throws(DatabaseError) {
        guard let object = schema.object(named: name), object.publishing == nil,
            !state.withLock({ $0.objects.contains(object.name) })
        else { return }
        let (table, copy) = ("\"\(object.name)\"", "\"capture.\(object.name)\"")
        let columns = object.storedFields.map { "\"\($0.name)\"" }
        // Columns without a type keep each value as it is.
        try connection.execute(
            "CREATE TEMP TABLE \(copy) (\"Number\" INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
        let known = "SELECT 1 FROM \(Self.rows) WHERE \"Object\" = '\(object.name)' AND \"Number\" = "
        let old = columns.map { "old.\($0)" }.joined(separator: ", ")
        // An `OR IGNORE` inside a trigger would be replaced by the conflict clause of the outer statement.
        let keep = """
            INSERT INTO \(copy) SELECT old.rowid, \(old) WHERE NOT EXISTS (\(known)old.rowid);
            INSERT INTO \(Self.rows) ("Object", "Number", "IsNew") SELECT '\(object.name)', old.rowid, 0
            WHERE NOT EXISTS (\(known)old.rowid);
            """
        let user = object.field(named: "LastModifiedById") == nil ? "NULL" : "old.\"LastModifiedById\""
        let bodies = [
            "INSERT": """
            INSERT INTO \(Self.rows) ("Object", "Number", "IsNew") SELECT '\(object.name)', new.rowid, 1
            WHERE NOT EXISTS (\(known)new.rowid);
            """,
            "UPDATE": keep,
            "DELETE": """
            \(keep)
            UPDATE \(Self.rows) SET "User" = \(user) WHERE "Object" = '\(object.name)' AND "Number" = old.rowid;
            """,
        ]
        for (event, body) in bodies {
            try connection.execute(
                "CREATE TEMP TRIGGER \"capture.\(object.name).\(event)\" AFTER \(event) ON main.\(table) BEGIN \(body) END"
            )
        }
        state.withLock { _ = $0.objects.insert(object.name) }
    }
}

extension ChangeCapture {
    package func willCommit(_ connection: SQLiteConnection) throws(DatabaseError) {
        var commit: ChangeCommit?
        for event in state.withLock(\.immediate) { try write(event, connection) }
        var (last, objects): (Int64, Set<String>) = (0, [])
        var same: [RecordChange] = []
        while true {
            let rows = try connection.list(
                """
                SELECT "Position", "Object", "Number", "IsNew", "User" FROM \(Self.rows) WHERE "Position" > ?1
                ORDER BY "Position" LIMIT \(Self.step)
                """, [.integer(last)]
            ) { row in
                (row.integer(0), row.text(1), row.integer(2), row.integer(3) == 1, row.text(4)) as ChangedRow
            }
            for row in rows {
                objects.insert(row.object)
                last = row.position
                guard let change = try change(of: row, connection) else { continue }
                if let first = same.first, same.count == Self.step || !change.isSame(as: first) {
                    try write(same, &commit, connection)
                    same.removeAll(keepingCapacity: true)
                }
                same.append(change)
            }
            guard rows.count == Self.step else { break }
        }
        if !same.isEmpty { try write(same, &commit, connection) }
        guard last > 0 else { return }
        try connection.run("DELETE FROM \(Self.rows)")
        for object in objects { try connection.run("DELETE FROM \"capture.\(object)\"") }
    }

    private typealias ChangedRow = (position: Int64, object: String, number: Int64, isNew: Bool, user: String)

    private func change(of row: ChangedRow, _ connection: SQLiteConnection) throws(DatabaseError) -> RecordChange? {
        guard let object = schema.object(named: row.object) else { return nil }
        let fields = object.storedFields
        let columns = fields.map { "\"\($0.name)\"" }.joined(separator: ", ")
        func values(_ table: String, _ key: String) throws(DatabaseError) -> [SQLValue]? {
            let sql = "SELECT \(columns) FROM \(table) WHERE \(key) = ?1"
            return try connection.list(sql, [.integer(row.number)]) { row in fields.indices.map(row.value) }.first
        }
        let before = try row.isNew ? nil : values("\"capture.\(object.name)\"", "\"Number\"")
        let after = try values("main.\"\(object.name)\"", "rowid")
        return RecordChange.between(before, after, of: object, fields, row: row.number, user: row.user)
    }

    private func write(
        _ changes: [RecordChange], _ commit: inout ChangeCommit?, _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        if commit == nil {
            let number = try connection.number(
                """
                INSERT INTO "org.Counter" VALUES ('commit', 1) ON CONFLICT DO UPDATE SET "Value" = "Value" + 1
                RETURNING "Value"
                """)
            commit = ChangeCommit(
                key: UUID().uuidString.lowercased(), number: number, origin: connection.origin, sequence: 0)
            state.withLock { $0.hasWritten = true }
        }
        commit?.sequence += 1
        if let commit { try sink.write(changes, commit, connection) }
    }

    package func didEnd(_ connection: SQLiteConnection, isCommitted: Bool) {
        let (hasWritten, waits) = state.withLock { state in
            defer { state.hasWritten = false }
            if isCommitted { state.immediate.removeAll() }
            return (state.hasWritten, !state.immediate.isEmpty)
        }
        if hasWritten { isCommitted ? sink.didCommit(self, connection) : sink.didRollBack() }
        guard waits else { return }
        // The events of a transaction that was rolled back get their own transaction.
        let failed = (try? connection.transaction({ () throws(DatabaseError) in }, failure: { $0 })) == nil
        if failed { state.withLock { $0.immediate.removeAll() } }
    }

    private func write(_ event: PublishedEvent, _ connection: SQLiteConnection) throws(DatabaseError) {
        state.withLock { $0.hasWritten = true }
        try sink.write(event, connection)
    }

    /// Publishes an event with the transaction, or in any case.
    fileprivate func publish(_ event: PublishedEvent, _ connection: SQLiteConnection) throws(OrgError) {
        guard event.object.publishing != .immediately else { return state.withLock { $0.immediate.append(event) } }
        try OrgError.wrapping { () throws(DatabaseError) in try write(event, connection) }
    }
}

extension Database {
    /// Whether the current transaction has captured changes.
    package var hasCaptured: Bool {
        let sql = "SELECT 1 FROM \(ChangeCapture.rows) LIMIT 1"
        let found = try? read { (connection) throws(OrgError) in
            connection.observer == nil ? [] : try connection.fetch(sql) { _ in true }
        }
        return found != []
    }
}

extension SObjectSchema {
    /// The fields that have a column.
    var storedFields: [FieldSchema] { fields.filter { $0.usage == nil && !$0.type.isCompound } }
}

extension RecordStore {
    /// Publishes an event of the input's object and returns its UUID.
    func publish(
        _ input: RecordInput, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) -> String {
        guard let capture = connection.observer as? ChangeCapture else {
            throw OrgError("INVALID_TYPE_FOR_OPERATION", "entity type \(object.name) does not support create")
        }
        var input = input
        for field in object.defaulted where !input.has(field.name) {
            input.set(field.name, try FieldParser.parse(field.defaultValue, for: field))
        }
        input.set("CreatedDate", .text(WireTime.datetime(milliseconds: now())))
        input.set("CreatedById", .text(userID))
        var uuid = UUID().uuidString.lowercased()
        if case .text(let chosen)? = input.value("EventUuid") { uuid = chosen }
        let values = input.values.filter { $0.value != .null && $0.field.name != "EventUuid" }
        // The two fields that the org has just set are the first ones of the schema.
        let ordered = Array(values.suffix(2) + values.dropLast(2))
        try capture.publish(PublishedEvent(object: object, uuid: uuid, values: ordered), connection)
        return uuid
    }
}

// SPDX-License-Identifier: Apache-2.0

package import RestSQLite
import Synchronization

/// An index that only saves time, with its table and its SQL.
package typealias LaterIndex = (name: String, table: String, sql: String)

/// The records of a schema in SQLite: tables, constraints, indexes, files and a recycle bin, with queries.
///
/// One connection writes, and several connections read concurrently. A query sees only committed transactions.
///
/// ```swift
/// let store = try Store(.file(path), schema: schema)
/// let records = store.records(by: userID)
/// let id = try records.create(["Name": "Acme"], of: account)
/// let found = try records.query("SELECT Id, Name FROM Account", version: 68)
/// ```
package final class Store: Sendable {
    package let schema: Schema
    package let database: SharedDatabase
    private let bin: RecycleBin
    private let rules: (any RecordRules)?
    private let laterIndexes: [LaterIndex]
    private let now: @Sendable () -> Int64

    /// Opens a database, or creates one with the tables of a schema.
    ///
    /// An existing database gets the new objects, fields and indexes of the schema. All changes are one transaction.
    ///
    /// - Parameters:
    ///   - storage: a file, which only this user can read and write, or a temporary database.
    ///   - schema: the objects.
    ///   - readers: the number of queries that can run concurrently.
    ///   - binCapacity: the number of deleted records of each object that are kept.
    ///   - rules: rules for specific objects in addition to their fields.
    ///   - tables: the SQL of additional tables.
    ///   - prepare: runs on each connection before it reads the file.
    ///   - laterIndexes: the indexes of additional tables that ``makeIndex(besides:)`` creates, and with them those of
    ///     objects that only save time, or `nil` if these are created at once.
    ///   - now: returns the current time in milliseconds since 1970.
    ///   - sink: receives the changes of records, or `nil` if no changes are captured.
    ///   - migration: returns the steps that adapt an existing database to the schema, or `nil` if it must fit.
    ///   - fill: writes the first rows of a new database, before its indexes are created.
    ///   - finish: completes a new or existing database in the same transaction.
    /// - Throws: `DatabaseError` if the file is not a store, has an incompatible schema, or cannot be written.
    package init(
        _ storage: DatabaseStorage, schema: Schema, readers: Int = 4, binCapacity: Int = 5_000,
        rules: (any RecordRules)? = nil, tables: [String] = [], prepare: SQLiteConnection.Preparation? = nil,
        laterIndexes: [LaterIndex]? = nil, now: @escaping @Sendable () -> Int64 = { WireTime.milliseconds },
        sink: (any ChangeSink)? = nil,
        migration: (SQLiteConnection) throws(DatabaseError) -> SchemaMigration? = { _ in nil },
        fill: (SQLiteConnection) throws(DatabaseError) -> Void = { _ in },
        finish: (SQLiteConnection, _ isNew: Bool) throws(DatabaseError) -> Void = { _, _ in }
    ) throws(DatabaseError) {
        let file: PrivateFile? = if case .file(let path) = storage { PrivateFile(path: path) } else { nil }
        file?.make()
        database = try SharedDatabase(storage, readers: readers, prepare: prepare) {
            (connection) throws(DatabaseError) in
            let state = try StoreTables.state(connection)
            guard state != .foreign else { throw DatabaseError(kind: .foreign, message: "") }
            let isNew = state == .empty
            // SQLite's other files get the mode of the database.
            file?.restrict()
            try connection.transaction(
                { () throws(DatabaseError) in
                    if isNew {
                        try StoreTables.create(schema, tables, on: connection)
                        try fill(connection)
                        try StoreTables.seal(connection)
                    } else {
                        try migration(connection)?.apply(on: connection)
                        if let change = try StoredSchema.change(schema, on: connection) {
                            throw DatabaseError(kind: .changed, message: change)
                        }
                        try StoreTables.renew(schema, tables, on: connection)
                    }
                    // Create the indexes last, because this is faster with existing rows.
                    try StoreIndexes(schema).make(on: connection, isLater: laterIndexes != nil)
                    try finish(connection, isNew)
                }, failure: { $0 })
        }
        if let sink {
            let capture = ChangeCapture(schema, sink)
            try database.writer.withLock { (connection) throws(DatabaseError) in try capture.begin(on: connection) }
        }
        self.schema = schema
        self.rules = rules
        self.laterIndexes = laterIndexes ?? []
        self.now = now
        bin = RecycleBin(capacity: binCapacity, schema: schema)
    }

    /// Opens the records of an existing database for reading.
    ///
    /// - Throws: `DatabaseError` if the database is not a store with this schema.
    package init(reading database: SharedDatabase, schema: Schema) throws(DatabaseError) {
        try database.writer.withLock { (connection) throws(DatabaseError) in
            guard try StoreTables.state(connection) == .ready else { throw DatabaseError(kind: .foreign, message: "") }
            guard let change = try StoredSchema.change(schema, on: connection) else { return }
            throw DatabaseError(kind: .changed, message: change)
        }
        (self.database, self.schema, rules, laterIndexes) = (database, schema, nil, [])
        now = { WireTime.milliseconds }
        bin = RecycleBin(capacity: 0, schema: schema)
    }

    /// Removes all records in the caller's transaction, and the rows of other tables besides those with these names.
    ///
    /// Numbers that only rise remain, so that events have new positions.
    package func removeAll(besides kept: Set<String>, on connection: SQLiteConnection) throws(DatabaseError) {
        let kept = kept.union(["org.Field", "org.Counter"])
        let tables = try connection.list(
            "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
        ) { $0.text(0) }
        for table in tables where !kept.contains(table) { try connection.execute("DELETE FROM main.\"\(table)\"") }
    }

    /// Returns the records as a user reads and writes them.
    package func records(by userID: String) -> RecordStore {
        RecordStore(
            database: Database(database, .full), schema: schema, userID: userID, bin: bin, rules: rules, now: now)
    }

    /// Whether an object with many records lacks an index, apart from the objects with these names.
    package func lacksIndex(besides names: Set<String>, on connection: SQLiteConnection) throws(OrgError) -> Bool {
        try OrgError.wrapping { () throws(DatabaseError) in
            try StoreIndexes(schema).missing(besides: names, laterIndexes, on: connection) != nil
        }
    }

    /// Creates one missing index of an object with many records in a transaction.
    ///
    /// - Returns: `false` if no index is missing.
    package func makeIndex(besides names: Set<String>) throws(DatabaseError) -> Bool {
        try database.writer.withLock { (connection) throws(DatabaseError) in
            try connection.repeatable(
                { () throws(DatabaseError) in
                    let index = try StoreIndexes(schema).missing(besides: names, laterIndexes, on: connection)
                    guard let index else { return false }
                    try connection.execute(index)
                    // Reads the statistics of the new index.
                    try connection.execute("ANALYZE sqlite_schema")
                    return true
                }, failure: { $0 })
        }
    }

    /// Writes all data to the database's file and closes the file.
    package func close() { database.close() }
}

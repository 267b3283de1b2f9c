// SPDX-License-Identifier: Apache-2.0

package import RestSQLite

/// The records of a schema in SQLite: tables, constraints, indexes, files and a recycle bin, and queries over them.
///
/// One connection writes, and several read at the same time. A query sees whole transactions only.
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
    private let now: @Sendable () -> Int64

    /// Opens a database, or makes one with the tables of a schema.
    ///
    /// A database that is there gets the objects, fields and indexes that are new in the schema.
    ///
    /// - Parameters:
    ///   - storage: a file, which only this user can read and write, or a temporary one.
    ///   - schema: the objects.
    ///   - readers: the number of queries that can run at the same time.
    ///   - binCapacity: the number of deleted records of each object that are kept.
    ///   - rules: what the records of some objects have beyond what their fields say.
    ///   - tables: the SQL of further tables.
    ///   - now: the present in milliseconds since 1970.
    ///   - fill: writes the first rows of a new database, before it has indexes.
    ///   - finish: completes the database in the same transaction, which is new or not.
    /// - Throws: `DatabaseError` when the file is not a store's, was made for another schema, or cannot be written.
    package init(
        _ storage: DatabaseStorage, schema: Schema, readers: Int = 4, binCapacity: Int = 5_000,
        rules: (any RecordRules)? = nil, tables: [String] = [],
        now: @escaping @Sendable () -> Int64 = { WireTime.milliseconds },
        fill: (SQLiteConnection) throws(DatabaseError) -> Void = { _ in },
        finish: (SQLiteConnection, _ isNew: Bool) throws(DatabaseError) -> Void = { _, _ in }
    ) throws(DatabaseError) {
        let file: PrivateFile? = if case .file(let path) = storage { PrivateFile(path: path) } else { nil }
        file?.make()
        database = try SharedDatabase(storage, readers: readers) { (connection) throws(DatabaseError) in
            let isNew = try Self.isNew(connection, schema)
            try connection.transaction(
                { () throws(DatabaseError) in
                    if isNew {
                        try StoreTables.create(schema, tables, on: connection)
                        try fill(connection)
                        // In the end, when there is something to put in order.
                        try StoreIndexes(schema).make(on: connection)
                        try StoreTables.seal(connection)
                    } else {
                        try StoreTables.renew(schema, tables, on: connection)
                    }
                    try finish(connection, isNew)
                }, failure: { $0 })
        }
        file?.restrict()
        self.schema = schema
        self.rules = rules
        self.now = now
        bin = RecycleBin(capacity: binCapacity, schema: schema)
    }

    private static func isNew(_ connection: SQLiteConnection, _ schema: Schema) throws(DatabaseError) -> Bool {
        switch try StoreTables.state(connection) {
        case .empty: return true
        case .foreign: throw DatabaseError(kind: .foreign, message: "")
        case .ready:
            guard let change = try StoredSchema.change(schema, on: connection) else { return false }
            throw DatabaseError(kind: .changed, message: change)
        }
    }

    /// The records, as a user reads and writes them.
    package func records(by userID: String) -> RecordStore {
        RecordStore(
            database: Database(database, .full), schema: schema, userID: userID, bin: bin, rules: rules, now: now)
    }

    /// Writes everything to the database's file and closes it.
    package func close() { database.close() }
}

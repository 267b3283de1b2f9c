// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSQLite
import RestTransport
import SOQLStore
import Synchronization

/// A local copy of a subset of an org's records, which is queried with SOQL and edited without a network.
///
/// ```swift
/// let store = try await SyncStore.open("crm.sqlite", schema: schema)
/// try await store.pull("SELECT Id, Name, (SELECT LastName FROM Contacts) FROM Account", with: client)
/// for account in try store.query("SELECT Name FROM Account ORDER BY Name") { print(account["Name"]) }
/// try store.edit { try $0.update("Account", id: id, ["Phone": "5"]) }
/// let report = try await store.sync(with: client)
/// ```
/// One process opens a file. Any number of tasks can read and write. A query sees whole transactions only, and never
/// waits for a sync.
public final class SyncStore: Sendable {
    /// The settings of a copy.
    public struct Options: Sendable {
        /// The handling of fields that were changed on both sides.
        public var policy = SyncConflict.Policy.ask
        /// The fields that identify new records, by object, for which the server must create each record once.
        ///
        /// A field is a text of at least 36 characters that the app uses for nothing else. If it is an external id, new
        /// records are sent as upserts. Without such a field, a record whose creation had an unknown outcome is found
        /// by its values before it is sent again.
        public var keyFields: [String: String] = [:]
        /// The number of queries that can run at the same time.
        public var readers = 4

        /// The number of records per page, or `nil` for the server's default.
        package var pageSize: Int?
        /// The maximum number of records of a part that is compared by its ids.
        package var mostCompared = PullPlan.mostCompared
        /// Called before each transaction except an edit, so that a simulation can close the copy there.
        package var willWrite: @Sendable () -> Void = {}

        /// Creates the default settings.
        public init() {}
    }

    /// The path of the file.
    public let path: String
    let options: Options
    let store: Store
    /// The objects with a recycle bin.
    let binned: Set<String>
    /// Reports the number of commits.
    let commits = LatestValueFeed<Int>(keepsLatest: false)
    let isSyncing = Mutex(false)
    /// The id of the user to whom the copy belongs, or an empty string before the first sync.
    let userID: Mutex<String>
    private let lock: Mutex<FileLock?>
    private let commitCount = Mutex(0)

    private init(
        _ path: String, _ options: Options, _ store: Store, _ binned: Set<String>, _ account: String?, _ lock: FileLock
    ) {
        (self.path, self.options, self.store, self.binned) = (path, options, store, binned)
        userID = Mutex(Self.userID(account))
        self.lock = Mutex(lock)
    }

    /// Returns the user's id in the stored owner of a copy.
    static func userID(_ account: String?) -> String {
        let id = account?.cut(byte: "/").map { String($0.after) } ?? ""
        return RecordID.normalized(id) ?? id
    }

    var schema: Schema { store.schema }
    /// The records, as the database of a copy writes and reads them.
    var records: RecordStore { store.records(by: userID.withLock(\.self)) }

    /// Opens or creates a copy in a file that only this user can read.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - schema: the objects, or `nil` for the schema with which the copy was last opened.
    ///   - options: the settings.
    /// - Returns: the copy.
    /// - Throws: ``SyncError/Code/foreign`` if the file is not a copy, does not fit the schema, or is open in another
    ///   process. ``SyncError/Code/schema`` if there is no schema.
    @concurrent
    public static func open(
        _ path: String, schema: SyncSchema? = nil, options: Options = Options()
    ) async throws(SyncError) -> SyncStore {
        let lock = try FileLock.copy(path)
        let used = if let schema { schema } else { try storedSchema(path) }
        do throws(DatabaseError) {
            let store = try Store(
                .file(path), schema: used.schema, readers: options.readers, tables: SyncTables.all,
                finish: { (connection, _) throws(DatabaseError) in
                    try connection.run(
                        "INSERT OR REPLACE INTO \"sync.Value\" VALUES ('schema', ?1)", [.text(used.text)])
                })
            let account = try store.database.writer.withLock { (connection) throws(DatabaseError) in
                try connection.list("SELECT \"Value\" FROM \"sync.Value\" WHERE \"Name\" = 'account'") { $0.text(0) }
            }
            return SyncStore(path, options, store, used.binned, account.first, lock)
        } catch {
            throw SyncError(error)
        }
    }

    private static func storedSchema(_ path: String) throws(SyncError) -> SyncSchema {
        let sql = "SELECT \"Value\" FROM \"sync.Value\" WHERE \"Name\" = 'schema'"
        let text = try? SQLiteConnection(path: path).list(sql) { $0.text(0) }.first
        guard let text else {
            throw SyncError(.schema, "\(path) has no schema; open it with the schema of its objects")
        }
        return try SyncSchema(describe: Array(text.utf8))
    }

    /// Writes all data to the file and closes it, so that later calls throw.
    public func close() {
        commits.finish()
        store.close()
        lock.withLock { $0 = nil }
    }

    /// Runs the body in one transaction, and then notifies the observers.
    func write<Result: Sendable>(
        _ body: (SQLiteConnection) throws(OrgError) -> Result
    ) throws(SyncError) -> Result {
        options.willWrite()
        let result: Result
        do throws(OrgError) {
            result = try records.database.transaction(body)
        } catch {
            throw SyncError(error)
        }
        didCommit()
        return result
    }

    func read<Result: Sendable>(
        _ body: (SQLiteConnection) throws(OrgError) -> Result
    ) throws(SyncError) -> Result {
        do throws(OrgError) { return try records.database.read(body) } catch { throw SyncError(error) }
    }

    /// Removes a new record that the server never sees, and the references to it.
    func forget(_ id: String, of object: SObjectSchema, _ connection: SQLiteConnection) throws(OrgError) {
        let outbox = Outbox(connection: connection)
        for state in PendingChange.State.allCases { try outbox.remove(id, state) }
        try outbox.clear(id)
        try records.remove(id, of: object, connection)
        for reference in schema.references(to: object) {
            let name = reference.field.name
            try connection.change(
                "UPDATE \"\(reference.owner)\" SET \"\(name)\" = NULL WHERE \"\(name)\" = ?1", [.text(id)])
        }
    }

    func didCommit() {
        let count = commitCount.withLock { count in
            count += 1
            return count
        }
        commits.report(count)
    }

    /// Returns an object of the schema.
    func object(_ name: String) throws(SyncError) -> SObjectSchema {
        guard let object = schema.object(named: name) else {
            throw SyncError(.invalid, "the schema lacks the object '\(name.prefix(100))'; add its description")
        }
        return object
    }
}

extension FileLock {
    /// Locks the file of a copy, so that no other process or store writes to it.
    fileprivate static func copy(_ path: String) throws(SyncError) -> FileLock {
        let (directory, file) = path.cut(lastByte: "/") ?? (".", path[...])
        let opened = unsafe open(directory.isEmpty ? "/" : String(directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else {
            throw SyncError(.store, "the directory '\(directory)' cannot be opened; create it first")
        }
        defer { close(opened) }
        let lock: FileLock?
        do throws(FileLock.Failure) { lock = try FileLock("\(file).lock", in: opened) } catch {
            throw SyncError(.store, "\(path).lock cannot be locked (\(error))", underlying: error)
        }
        guard let lock else { throw SyncError(.foreign, "\(path) is open elsewhere; close it there first") }
        return lock
    }
}

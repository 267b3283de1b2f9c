// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestBulk
import RestJSON
import RestSQLite
import RestTransport
package import SOQLStore
package import Synchronization

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
/// waits for a sync. Other processes can open the file for reading at any time.
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
        /// The new names of objects and fields that the schema has under other names than the copy.
        ///
        /// A key is the old name of an object, or `Object.Field` with the old name of a field. The list can grow with
        /// the versions of an app.
        public var renames: [String: String] = [:]
        /// The number of records above which the first read of a part of a subset is a Bulk 2.0 job, or `nil` to read
        /// all parts page by page.
        public var exportLimit: Int? = 10_000
        /// The time in whole seconds after which a sync compares the schema with the org's descriptions again, which
        /// needs one request for each object, or `nil` to never compare them.
        public var describeInterval: Duration? = .seconds(86_400)
        /// The first work of each new connection to the file, such as setting its key.
        /// ```swift
        /// options.prepare = { try $0.setKey(key) }
        /// ```
        public var prepare: (@Sendable (borrowing SyncConnection) throws -> Void)?
        /// The fate of the file when the account of its client is logged out.
        public var atLogout = LogoutAction.keep
        /// The number of queries that can run at the same time.
        public var readers = 4

        /// The number of records per page, or `nil` for the server's default.
        package var pageSize: Int?
        /// The waiting for Bulk jobs.
        package var patience = BulkPatience()
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
    /// The descriptions of the objects as JSON.
    package let descriptions: String
    /// Whether the copy was opened for reading.
    let isReader: Bool
    /// Reports the number of commits.
    let commits = LatestValueFeed<Int>(keepsLatest: false)
    let turn = Mutex(SyncTurn())
    /// Whether change events keep the copy live.
    package let isLive = Mutex(false)
    /// The account of a client whose login does not report it, as the server reported it.
    let reported = Mutex<ReportedAccount?>(nil)
    private let indexing = Mutex<Task<Void, any Error>?>(nil)
    /// The downloads in progress, by record.
    let downloads = Mutex<[String: Task<SyncError?, Never>]>([:])
    /// The id of the user to whom the copy belongs, or an empty string before the first sync.
    let userID: Mutex<String>
    private let lock: Mutex<FileLock?>
    private let commitCount = Mutex(0)

    private init(
        _ path: String, _ options: Options, _ store: Store, _ schema: SyncSchema, _ lock: FileLock?
    ) throws(DatabaseError) {
        (self.path, self.options, self.store) = (path, options, store)
        (binned, descriptions, isReader) = (schema.binned, schema.text, lock == nil)
        let account = try store.database.writer.withLock { (connection) throws(DatabaseError) in
            try connection.list("SELECT \"Value\" FROM \"sync.Value\" WHERE \"Name\" = 'account'") { $0.text(0) }
        }
        userID = Mutex(Self.userID(account.first))
        self.lock = Mutex(lock)
    }

    /// Returns the user's id in the stored owner of a copy.
    static func userID(_ account: String?) -> String {
        let id = account?.cut(byte: "/").map { String($0.after) } ?? ""
        return RecordID.normalized(id) ?? id
    }

    package var schema: Schema { store.schema }
    /// The records, as the database of a copy writes and reads them.
    package var records: RecordStore { store.records(by: userID.withLock(\.self)) }

    /// Opens or creates a copy in a file that only this user can read.
    ///
    /// If the copy has another schema, it is migrated in one transaction: records and pending edits are kept, and edits
    /// that the new schema cannot express become conflicts.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - schema: the objects, or `nil` for the schema with which the copy was last opened.
    ///   - options: the settings.
    /// - Returns: the copy.
    /// - Throws: ``SyncError/Code/foreign`` if the file is not a copy, ``SyncError/Code/notOwn`` if it belongs to
    ///   another user, ``SyncError/Code/inUse`` if it is open elsewhere, ``SyncError/Code/schema`` if there is no
    ///   schema, and ``SyncError/Code/encryption`` if ``Options/prepare`` throws another error or sets a wrong key.
    @concurrent
    public static func open(
        _ path: String, schema: SyncSchema? = nil, options: Options = Options()
    ) async throws(SyncError) -> SyncStore {
        // SQLite would give each connection a database of its own.
        guard path != ":memory:" else { throw SyncError(.store, "a copy is a file; give its path") }
        let exists = try FileLock.checkOwner(of: path)
        let lock = try FileLock.copy(path)
        guard exists || schema != nil else {
            throw SyncError(.schema, "\(path) has no schema; open it with the schema of its objects")
        }
        let setup = ConnectionSetup(options.prepare)
        let used = if let schema { schema } else { try storedSchema(path, setup) }
        do throws(DatabaseError) {
            var steps: SchemaMigration?
            let store = try Store(
                .file(path), schema: used.schema, readers: options.readers, tables: SyncTables.all,
                prepare: setup.preparation, laterIndexes: [SyncTables.memberIndex],
                migration: { (connection) throws(DatabaseError) in
                    steps = try SyncMigration.steps(to: used, options.renames, on: connection)
                    return steps
                },
                finish: { (connection, _) throws(DatabaseError) in
                    if let steps { try SyncMigration(steps, connection).run() }
                    try connection.run(
                        "INSERT OR REPLACE INTO \"sync.Value\" VALUES ('schema', ?1)", [.text(used.text)])
                    try StoreViews.make(used.schema, on: connection)
                })
            let copy = try SyncStore(path, options, store, used, lock)
            copy.makeIndexes()
            return copy
        } catch {
            throw setup.error(for: error)
        }
    }

    /// Creates missing indexes of objects with many records in the background, each in a transaction of its own.
    ///
    /// The first read of an object fills its table without indexes, which is faster. Until the indexes exist, queries
    /// read all records of the object.
    func makeIndexes() {
        guard let isDue = try? lacksIndex, isDue else { return }
        let task = Task.detached(priority: .utility) { [weak self] in
            // Another read can begin in between, and the app can close the copy.
            while let self, let names = try? self.unindexed, try self.store.makeIndex(besides: names) {}
        }
        indexing.withLock { $0 = task }
    }

    /// Waits for the work of ``makeIndexes()``, before a process ends that only syncs.
    package func indexed() async { _ = await indexing.withLock(\.self)?.result }

    /// Whether ``makeIndexes()`` has work.
    package var lacksIndex: Bool {
        get throws(SyncError) {
            let names = try unindexed
            return try read { (connection) throws(OrgError) in
                try store.lacksIndex(besides: names, on: connection)
            }
        }
    }

    /// The tables that get no index yet, because the first read of an object has begun and is not complete.
    private var unindexed: Set<String> {
        get throws(SyncError) {
            let objects = Set(try parts().filter { $0.plan.phase == .reading }.map(\.object.name))
            return objects.isEmpty ? [] : objects.union([SyncTables.memberIndex.table])
        }
    }

    /// Opens or creates a copy for subsets, with the objects that the copy has and those that the subsets need.
    ///
    /// ```swift
    /// let query: SOQL = "SELECT Name, (SELECT LastName FROM Contacts) FROM Account"
    /// let store = try await SyncStore.open("crm.sqlite", for: [query], of: client)
    /// ```
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - subsets: the queries of the subsets, which ``pull(_:with:)`` adds to the copy.
    ///   - client: the client of the org, which describes the objects that the copy lacks.
    ///   - options: the settings.
    /// - Returns: the copy.
    /// - Throws: ``SyncError/Code/subset`` for a query that is not a subset, ``SyncError/Code/request`` if a request
    ///   failed, and the errors of ``open(_:schema:options:)``. A missing file is not created then.
    @concurrent
    public static func open(
        _ path: String, for subsets: [SOQL], of client: RestClient, options: Options = Options()
    ) async throws(SyncError) -> SyncStore {
        let setup = ConnectionSetup(options.prepare)
        let known = try FileLock.checkOwner(of: path) ? try? storedSchema(path, setup) : nil
        let schema = try await SyncSchema.describing(subsets, adding: known, of: client)
        return try await open(path, schema: schema, options: options)
    }

    /// Opens an existing copy for reading, even while another process edits or syncs it.
    ///
    /// Queries see the last transaction of the other process. Edits and syncs throw ``SyncError/Code/readOnly``.
    /// Observers are not notified of the changes of another process.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: the settings, of which only ``Options/readers`` and ``Options/prepare`` are used.
    /// - Returns: the copy.
    /// - Throws: ``SyncError/Code/missing`` if the file does not exist, ``SyncError/Code/notOwn`` if it belongs to
    ///   another user, ``SyncError/Code/foreign`` if it is not a copy, and ``SyncError/Code/store`` if it cannot be
    ///   read.
    @concurrent
    public static func openForReading(
        _ path: String, options: Options = Options()
    ) async throws(SyncError) -> SyncStore {
        guard try FileLock.checkOwner(of: path) else {
            throw SyncError(.missing, "\(path) does not exist; sync a copy first")
        }
        let setup = ConnectionSetup(options.prepare)
        let schema = try storedSchema(path, setup)
        do throws(DatabaseError) {
            let database = try SharedDatabase(
                reading: path, readers: options.readers, prepare: setup.preparation)
            return try SyncStore(path, options, Store(reading: database, schema: schema.schema), schema, nil)
        } catch {
            throw setup.error(for: error)
        }
    }

    private static func storedSchema(_ path: String, _ setup: ConnectionSetup) throws(SyncError) -> SyncSchema {
        let sql = "SELECT \"Value\" FROM \"sync.Value\" WHERE \"Name\" = 'schema'"
        var text: String?
        do throws(DatabaseError) {
            let connection = try SQLiteConnection(
                path: path, Interruption(), isReader: true, prepare: setup.preparation)
            text = try connection.list(sql) { $0.text(0) }.first
        } catch {
            if error.kind == .cannotOpen { throw SyncError(.store, "\(path) cannot be opened", underlying: error) }
            let problem = setup.error(for: error)
            if error.kind != .other, problem.code != .foreign { throw problem }
        }
        guard let text else { throw SyncError(.foreign, "\(path) is not an offline copy; choose another file") }
        return try SyncSchema(describe: Array(text.utf8))
    }

    /// Writes all data to the file and closes it, so that later calls throw.
    public func close() {
        commits.finish()
        store.close()
        lock.withLock { $0 = nil }
    }

    /// Closes the copy and deletes its file.
    ///
    /// - Parameter discardingEdits: whether changes that the org does not have are deleted too.
    /// - Throws: ``SyncError/Code/pending`` if there are such changes and they are not discarded, and
    ///   ``SyncError/Code/readOnly`` if the copy was opened for reading, because another process may use it.
    public func delete(discardingEdits: Bool = false) throws(SyncError) {
        try checkWritable()
        do throws(OrgError) {
            try store.database.close { (connection) throws(OrgError) in
                let count = try connection.fetch("SELECT count(*) FROM \"sync.Outbox\"") { $0.integer(0) }.first ?? 0
                if count > 0, !discardingEdits { throw OrgError(Self.pendingCode, String(count)) }
            }
        } catch {
            guard error.code == Self.pendingCode else { throw SyncError(error) }
            throw SyncError(
                .pending, "\(path) has \(error.message) changes that the org does not have; sync, or discard them")
        }
        PrivateFile(path: path).remove()
        close()
    }

    private static let pendingCode = "PENDING"

    /// Runs the body in one transaction, and then notifies the observers.
    ///
    /// A crash of the system can undo a repeatable transaction, but not a crash of the process.
    func write<Result: Sendable>(
        isRepeatable: Bool = false, _ body: (SQLiteConnection) throws(OrgError) -> Result
    ) throws(SyncError) -> Result {
        try checkWritable()
        options.willWrite()
        let result: Result
        do throws(OrgError) {
            result = try records.database.transaction(isRepeatable: isRepeatable, body)
        } catch {
            throw SyncError(error)
        }
        didCommit()
        return result
    }

    func checkWritable() throws(SyncError) {
        guard !isReader else {
            throw SyncError(.readOnly, "\(path) was opened for reading; open it for writing to change it")
        }
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
    /// Returns whether a file exists, and throws if it belongs to another user.
    fileprivate static func checkOwner(of path: String) throws(SyncError) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            guard errno == EACCES else { return false }
            throw SyncError(.notOwn, "\(path) is in a directory of another user; choose a file of your own")
        }
        guard status.st_uid == geteuid() else {
            throw SyncError(.notOwn, "\(path) belongs to another user; choose a file of your own")
        }
        return true
    }

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
        guard let lock else { throw SyncError(.inUse, "\(path) is open elsewhere; close it there first") }
        return lock
    }
}

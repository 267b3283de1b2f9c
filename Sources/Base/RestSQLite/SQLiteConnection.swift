// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A connection to SQLite with a cache of prepared statements, for one thread at a time.
///
/// `@unchecked Sendable`: the only owner is the `Mutex` of `SharedDatabase` or of `DatabaseReaders`, which lend the
/// connection to one thread at a time. The `Database` that a borrower creates for a transaction exists only during this
/// time. SQLite itself allows a connection to move between threads (`SQLITE_OPEN_NOMUTEX`, "multi-thread" mode). The
/// sentinel's pointer is passed to the two callbacks, which SQLite calls only on the thread that is in a call here.
@safe
package final class SQLiteConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    private let sentinel: QuerySentinel
    private let interruption: Interruption
    private var statements: [String: SQLiteStatement] = [:]
    private var statementSize = 0
    private var depth = 0
    /// The work before the first statement, which reads the schema: a reader that is never lent does not need it.
    private var firstStatement: String?
    /// Takes part in each outermost transaction.
    package var observer: (any TransactionObserver)?
    /// The origin of the current writes, for the observer.
    package var origin = ""
    /// The maximum number and memory of cached statements, beyond which the cache is emptied.
    private static let (cacheCapacity, cacheSize) = (256, 2 << 20)

    /// The first work of a new connection, such as setting the key of an encrypted file.
    package typealias Preparation = @Sendable (SQLiteConnection) throws(DatabaseError) -> Void

    /// Opens or creates a database at a path, or in memory for `:memory:`.
    package convenience init(path: String, prepare: Preparation? = nil) throws(DatabaseError) {
        try self.init(path: path, Interruption(), prepare: prepare)
    }

    /// Opens or creates a database whose queries end with the interruption, or opens an existing database for reading.
    ///
    /// `prepare` runs before the file is read.
    package init(
        path: String, _ interruption: Interruption, isReader: Bool = false, prepare: Preparation? = nil
    ) throws(DatabaseError) {
        sentinel = QuerySentinel(interruption)
        self.interruption = interruption
        var opened: OpaquePointer?
        // A reader also opens the file for writing, because after a crash the first connection repairs it.
        let flags = SQLITE_OPEN_READWRITE | (isReader ? 0 : SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened = unsafe opened else {
            throw DatabaseError(kind: .cannotOpen, message: "out of memory")
        }
        unsafe handle = opened
        guard code == SQLITE_OK else { throw error(code) }
        harden()
        unsafe SQLiteFunctions.register(on: handle)
        if let prepare { try prepare(self) }
        try execute("PRAGMA foreign_keys = OFF")
        if isReader { try execute("PRAGMA query_only = ON") }
        // Sorting uses files without a name for more than a few MiB. They would not be encrypted.
        try execute("PRAGMA temp_store = \(prepare == nil ? "FILE" : "MEMORY")")
        // The first use of a table-valued function declares its table, which the authorizer would deny to a query.
        // There are many readers, so their caches are small, and the system caches the file as well.
        firstStatement = (isReader ? "PRAGMA cache_size = -1024;" : "") + "SELECT 1 FROM json_each('[]')"
    }

    deinit {
        statements.removeAll()
        unsafe sqlite3_close_v2(handle)
    }

    private func harden() {
        unsafe csqlite_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        unsafe csqlite_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        unsafe csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 1_000)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 256 << 20)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 4 << 20)
        unsafe sqlite3_busy_timeout(handle, 5_000)
        let context = unsafe Unmanaged.passUnretained(sentinel).toOpaque()
        unsafe sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context = unsafe context else { return SQLITE_DENY }
                let sentinel = unsafe Unmanaged<QuerySentinel>.fromOpaque(context).takeUnretainedValue()
                let isAllowed = sentinel.allows(action) {
                    unsafe (first.map { unsafe String(cString: $0) }, second.map { unsafe String(cString: $0) })
                }
                return isAllowed ? SQLITE_OK : SQLITE_DENY
            }, context)
        unsafe sqlite3_progress_handler(
            handle, 20_000,
            { context in
                guard let context = unsafe context else { return 1 }
                return unsafe Unmanaged<QuerySentinel>.fromOpaque(context).takeUnretainedValue().isOverdue() ? 1 : 0
            }, context)
    }

    /// Enables a write-ahead log, which readers can use during writes, and checkpoints it as it grows.
    package func keepLog() throws(DatabaseError) {
        try execute("PRAGMA journal_mode = WAL")
        // Shrinks the log after a burst of writes.
        try execute("PRAGMA journal_size_limit = \(16 << 20)")
        try openLog()
        let context = unsafe Unmanaged.passUnretained(interruption).toOpaque()
        _ = unsafe sqlite3_wal_hook(
            handle,
            { context, database, _, pages in
                guard let context = unsafe context else { return SQLITE_OK }
                let interruption = unsafe Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue()
                interruption.note(logPages: Int(pages))
                // As SQLite does by default. This callback replaces SQLite's own.
                guard pages >= 1_000 else { return SQLITE_OK }
                // Overlapping readers would let the log grow without end. So a checkpoint finally waits for readers of
                // the log, and old queries are ended.
                let mode = interruption.isLogFull ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
                _ = unsafe sqlite3_wal_checkpoint_v2(database, nil, mode, nil, nil)
                return SQLITE_OK
            }, context)
    }

    /// Opens the write-ahead log while it has a name, without reading the schema.
    func openLog() throws(DatabaseError) { try execute("PRAGMA schema_version") }

    /// Returns the content of the database's file with everything that was committed.
    package func image() throws(DatabaseError) -> [UInt8] {
        var size: Int64 = 0
        guard let bytes = unsafe sqlite3_serialize(handle, "main", &size, 0) else { throw error(SQLITE_NOMEM) }
        defer { unsafe sqlite3_free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
    }

    /// Runs a statement of the org that returns nothing: schema, pragmas, transactions.
    package func execute(_ sql: String) throws(DatabaseError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// The prepared statement for an SQL string, under the authorizer's deny list if `isQuery`.
    func statement(_ sql: String, isQuery: Bool = false) throws(DatabaseError) -> SQLiteStatement {
        if let first = firstStatement {
            try execute(first)
            firstStatement = nil
        }
        let key = isQuery ? "q:" + sql : sql
        if let known = statements[key] { return known }
        var prepared: OpaquePointer?
        sentinel.isRestricted = isQuery
        defer { sentinel.isRestricted = false }
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            let error = error(code)
            guard isQuery, error.kind == .other else { throw error }
            // The compiler's SQL is valid, so a query that SQLite rejects exceeds one of its limits.
            throw DatabaseError(kind: sentinel.hasDenied ? .denied : .tooComplex, message: error.message)
        }
        let made = unsafe SQLiteStatement(prepared)
        keep(made, as: key)
        return made
    }

    private func keep(_ statement: SQLiteStatement, as key: String) {
        let size = statement.size + 2 * key.utf8.count
        guard size <= Self.cacheSize / 8 else { return }
        if statements.count >= Self.cacheCapacity || statementSize + size > Self.cacheSize {
            statements.removeAll()
            statementSize = 0
        }
        statements[key] = statement
        statementSize += size
    }

    /// Runs a statement of the org to its end and ignores its rows.
    package func run(_ sql: String, _ parameters: [SQLValue] = []) throws(DatabaseError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        guard statement.bind(parameters) else { throw error(SQLITE_RANGE) }
        while try advance(statement) {}
    }

    /// Runs a statement and passes its rows to a closure, one by one.
    ///
    /// With `isQuery`, the statement was compiled from a client's query. It can only read the org's tables, and is
    /// stopped after `limit`.
    package func rows(
        _ sql: String, _ parameters: [SQLValue] = [], isQuery: Bool = false, limit: Duration = .seconds(120),
        each: (RowReader) -> Void
    ) throws(DatabaseError) {
        let statement = try statement(sql, isQuery: isQuery)
        let start = ContinuousClock.now
        sentinel.time = isQuery ? start..<(start + max(limit, .zero)) : nil
        defer {
            sentinel.time = nil
            statement.reset()
        }
        // Checked here as well, because a short statement ends before SQLite asks, and there may be thousands of them.
        if sentinel.hasUsedUp() { throw error(SQLITE_INTERRUPT) }
        guard statement.bind(parameters) else { throw error(SQLITE_RANGE) }
        while try advance(statement) { each(RowReader(statement)) }
    }

    package func list<Row>(
        _ sql: String, _ parameters: [SQLValue] = [], isQuery: Bool = false, _ read: (RowReader) -> Row
    ) throws(DatabaseError) -> [Row] {
        var list: [Row] = []
        try rows(sql, parameters, isQuery: isQuery) { list.append(read($0)) }
        return list
    }

    /// The first column of the first row, or 0 without rows.
    package func number(_ sql: String, _ parameters: [SQLValue] = []) throws(DatabaseError) -> Int64 {
        try list(sql, parameters) { $0.integer(0) }.first ?? 0
    }

    /// Runs the body with a limit for the processor time of all its queries together, or with `nil` for no limit.
    package func limited<Result, Failure: Error>(
        to processorTime: Duration?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        sentinel.processorEnd = processorTime.map { ProcessorTime.ofThread + $0 }
        defer { sentinel.processorEnd = nil }
        return try body()
    }

    /// Runs the body on one state of the data, even if other connections write meanwhile.
    package func snapshot<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result, failure: (DatabaseError) -> Failure
    ) throws(Failure) -> Result {
        do throws(DatabaseError) { try run("BEGIN") } catch { throw failure(error) }
        defer { try? run("COMMIT") }
        return try body()
    }

    /// Steps a bound statement, and returns `false` at its end.
    func advance(_ statement: SQLiteStatement) throws(DatabaseError) -> Bool {
        let code = statement.step()
        guard code == SQLITE_ROW || code == SQLITE_DONE else { throw error(code) }
        return code == SQLITE_ROW
    }

    /// Runs the body in a transaction that a crash of the system can undo, but not without those that follow it.
    ///
    /// It does not wait for the disk. The next durable transaction makes it durable too.
    package func repeatable<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result, failure: (DatabaseError) -> Failure
    ) throws(Failure) -> Result {
        do throws(DatabaseError) { try execute("PRAGMA synchronous = NORMAL") } catch { throw failure(error) }
        defer { try? execute("PRAGMA synchronous = FULL") }
        return try transaction(body, failure: failure)
    }

    /// Runs the body in a transaction, or inside a transaction in a savepoint, and rolls it back after an error.
    package func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result, failure: (DatabaseError) -> Failure
    ) throws(Failure) -> Result {
        guard depth == 0, let observer else { return try plainTransaction(body, failure: failure) }
        let result: Result
        do throws(Failure) {
            result = try plainTransaction(
                { () throws(Failure) -> Result in
                    let result = try body()
                    do throws(DatabaseError) { try observer.willCommit(self) } catch { throw failure(error) }
                    return result
                }, failure: failure)
        } catch {
            observer.didEnd(self, isCommitted: false)
            throw error
        }
        observer.didEnd(self, isCommitted: true)
        return result
    }

    private func plainTransaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result, failure: (DatabaseError) -> Failure
    ) throws(Failure) -> Result {
        let name = "level\(depth)"
        let isOutermost = depth == 0
        do throws(DatabaseError) {
            try run(isOutermost ? "BEGIN IMMEDIATE" : "SAVEPOINT \(name)")
        } catch {
            throw failure(error)
        }
        depth += 1
        defer { depth -= 1 }
        do throws(Failure) {
            let result = try body()
            do throws(DatabaseError) {
                try run(isOutermost ? "COMMIT" : "RELEASE \(name)")
            } catch {
                throw failure(error)
            }
            return result
        } catch {
            try? run(isOutermost ? "ROLLBACK" : "ROLLBACK TO \(name)")
            if !isOutermost { try? run("RELEASE \(name)") }
            throw error
        }
    }

    /// The number of rows that the last statement has changed.
    var changes: Int { Int(unsafe sqlite3_changes(handle)) }

    func error(_ code: CInt) -> DatabaseError {
        guard code != SQLITE_INTERRUPT else {
            return DatabaseError(kind: sentinel.hasOutgrown ? .outgrown : .interrupted, message: "interrupted")
        }
        let kind: DatabaseError.Kind =
            switch unsafe sqlite3_extended_errcode(handle) {
            case SQLITE_NOTADB, SQLITE_CORRUPT: .notADatabase
            case SQLITE_CONSTRAINT | (8 << 8), SQLITE_CONSTRAINT | (6 << 8): .duplicate
            case SQLITE_AUTH: .denied
            case SQLITE_TOOBIG: .tooComplex
            default: [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM].contains(code & 0xFF) ? .cannotOpen : .other
            }
        return DatabaseError(kind: kind, message: unsafe String(cString: sqlite3_errmsg(handle)))
    }
}

/// Takes part in the outermost transactions of a connection, under the connection's lock.
package protocol TransactionObserver: AnyObject, Sendable {
    /// Writes more in the transaction, which is rolled back after an error.
    func willCommit(_ connection: SQLiteConnection) throws(DatabaseError)
    /// Called after the transaction was committed or rolled back.
    func didEnd(_ connection: SQLiteConnection, isCommitted: Bool)
}

// SPDX-License-Identifier: Apache-2.0

import RestSQLite
import Synchronization

/// One request's view of the org's database: where it reads and writes, and how long it may take.
final class Database: Sendable {
    /// How long a request may keep the thread that it runs on.
    enum Patience: Sendable, Hashable {
        /// On a thread of the server: only short work, and no waiting for another request's write.
        case none
        /// On a thread for short work.
        case brief
        /// On a thread for short work, for a request with requests inside. It cannot be repeated once it has written.
        case compound
        /// On a thread for slow work.
        case full

        /// The processor time of one query with all its pages.
        fileprivate var processorTime: Duration? {
            switch self {
            case .none: .milliseconds(5)
            case .brief: .milliseconds(200)
            case .compound: .seconds(1)
            case .full: nil
            }
        }
    }

    /// What has happened in the request so far.
    private struct Progress {
        var hasOutgrown = false
        var hasWritten = false
    }

    private enum Access {
        case shared(SharedDatabase)
        /// Inside a transaction: its own connection, for reading too.
        case lent(LentConnection)
    }

    private let access: Access
    private let patience: Patience
    private let progress = Mutex(Progress())

    /// All queries of a transaction together: others wait for it.
    static let transactionTime = Duration.milliseconds(500)

    /// A view for one request.
    init(_ shared: SharedDatabase, _ patience: Patience) {
        access = .shared(shared)
        self.patience = patience
    }

    /// A view for a transaction, for the time that its connection is lent.
    init(lent connection: SQLiteConnection) {
        access = .lent(LentConnection(connection))
        patience = .full
    }

    /// Whether the request must be repeated with more patience: it took too long, and has changed nothing.
    var mustBeginAnew: Bool { progress.withLock { $0.hasOutgrown && !$0.hasWritten } }

    /// Leaves the threads of the server before long work that is no query.
    func beginLongWork() throws(OrgFault) {
        if patience == .none { throw outgrown() }
    }

    /// Reads one state of the data, which has all earlier writes.
    func read<Result: Sendable>(
        _ body: (SQLiteConnection) throws(OrgFault) -> Result
    ) throws(OrgFault) -> Result {
        switch access {
        case .lent(let lent):
            return try lent.connection.withLock { (connection) throws(OrgFault) -> Result in try body(connection) }
        case .shared(let shared):
            guard let reader = shared.readers.take() else { throw outgrown() }
            defer { shared.readers.giveBack(reader) }
            do throws(OrgFault) {
                return try reader.limited(to: patience.processorTime) { () throws(OrgFault) -> Result in
                    try reader.snapshot(
                        { () throws(OrgFault) -> Result in try body(reader) }, failure: OrgFault.init)
                }
            } catch {
                throw error == .outgrown ? outgrown() : error
            }
        }
    }

    /// Lends the connection that writes; if the patience allows it, waits while another thread has it.
    func write<Result: Sendable>(
        _ body: (SQLiteConnection) throws(OrgFault) -> Result
    ) throws(OrgFault) -> Result {
        switch access {
        case .lent(let lent):
            return try lent.connection.withLock { (connection) throws(OrgFault) -> Result in try body(connection) }
        case .shared(let shared):
            guard patience == .none else {
                return try shared.writer.withLock { (connection) throws(OrgFault) -> Result in
                    try begin(connection, body)
                }
            }
            let result = try shared.writer.withLockIfAvailable { (connection) throws(OrgFault) -> Result in
                try begin(connection, body)
            }
            guard let result else { throw outgrown() }
            return result
        }
    }

    /// Runs a transaction; one that has outgrown this thread, such as a deletion of very many records, changed nothing.
    private func begin<Result>(
        _ connection: SQLiteConnection, _ body: (SQLiteConnection) throws(OrgFault) -> Result
    ) throws(OrgFault) -> Result {
        do throws(OrgFault) {
            let result = try body(connection)
            progress.withLock { $0.hasWritten = true }
            return result
        } catch {
            throw error == .outgrown ? outgrown() : error
        }
    }

    /// Whether a transaction that takes too long here can be ended and repeated with more patience.
    var mayBeginAnew: Bool { [.none, .brief].contains(patience) && !progress.withLock(\.hasWritten) }

    private func outgrown() -> OrgFault {
        progress.withLock { $0.hasOutgrown = true }
        return .outgrown
    }

    /// Runs the body in one transaction with its own view of the database, and rolls back unless it is to be kept.
    func atomically<Result: Sendable>(
        _ body: (Database) -> (Result, isKept: Bool)
    ) throws(OrgFault) -> Result {
        var outcome: Result?
        do throws(OrgFault) {
            try write { (connection) throws(OrgFault) in
                try connection.limited(to: Self.transactionTime) { () throws(OrgFault) in
                    try connection.transaction(
                        { () throws(OrgFault) in
                            let (result, isKept) = body(Database(lent: connection))
                            outcome = result
                            if !isKept { throw .rolledBack }
                        }, failure: OrgFault.init)
                }
            }
        } catch {
            guard let outcome, error == .rolledBack else { throw error }
            return outcome
        }
        guard let outcome else { throw .rolledBack }
        return outcome
    }
}

/// A connection whose lock a caller holds.
private final class LentConnection: Sendable {
    let connection: Mutex<SQLiteConnection>

    init(_ connection: SQLiteConnection) {
        self.connection = Mutex(connection)
    }
}

extension OrgFault {
    /// What a database failure means to a client, without SQLite's own message.
    init(_ error: DatabaseError) {
        self =
            switch error.kind {
            case .duplicate: OrgFault(400, "DUPLICATE_VALUE", "duplicate value found")
            case .interrupted: .queryTimeout
            case .outgrown: .outgrown
            case .tooComplex, .denied: OrgFault(400, "QUERY_TOO_COMPLICATED", "The query is too complicated.")
            default: OrgFault(503, "UNKNOWN_EXCEPTION", "An unexpected error occurred in the org's database.")
            }
    }
}

extension OrgFault {
    /// Runs the body; a failure of the database becomes the client's error.
    static func wrapping<Result>(_ body: () throws(DatabaseError) -> Result) throws(OrgFault) -> Result {
        do throws(DatabaseError) { return try body() } catch { throw OrgFault(error) }
    }
}

extension SQLiteConnection {
    /// Reads all rows of a statement.
    func fetch<Row>(
        _ sql: String, _ values: [SQLValue] = [], isQuery: Bool = false, _ read: (RowReader) -> Row
    ) throws(OrgFault) -> [Row] {
        try OrgFault.wrapping { () throws(DatabaseError) in try list(sql, values, isQuery: isQuery, read) }
    }

    /// Runs a statement to its end.
    func change(_ sql: String, _ values: [SQLValue] = []) throws(OrgFault) {
        try OrgFault.wrapping { () throws(DatabaseError) in try run(sql, values) }
    }
}

extension Database {
    /// Reads all rows of a statement.
    func fetch<Row: Sendable>(
        _ sql: String, _ values: [SQLValue] = [], isQuery: Bool = false, _ read: (RowReader) -> Row
    ) throws(OrgFault) -> [Row] {
        try self.read { (connection) throws(OrgFault) in try connection.fetch(sql, values, isQuery: isQuery, read) }
    }
}

extension LocalOrgError {
    init(_ error: DatabaseError, storage: LocalOrgConfiguration.Storage) {
        let name = if case .file(let path) = storage { "'\(path)'" } else { "the database in memory" }
        self =
            switch error.kind {
            case .notADatabase: LocalOrgError(code: .notADatabase, message: "\(name) is not a database")
            case .foreign:
                LocalOrgError(code: .foreignDatabase, message: "\(name) is a database of another program or version")
            case .cannotOpen:
                LocalOrgError(code: .cannotOpen, message: "\(name) cannot be opened or written: \(error.message)")
            case .duplicate:
                LocalOrgError(
                    code: .changedSchema,
                    message: "\(name) has records with equal values in a field that the schema calls unique; describe "
                        + "the field as not unique")
            default: LocalOrgError(code: .failed, message: "\(name) failed: \(error.message)")
            }
    }
}

extension LocalOrgConfiguration.Storage {
    var database: DatabaseStorage {
        switch self {
        case .memory: .temporary("localorg")
        case .file(let path): .file(path)
        }
    }
}

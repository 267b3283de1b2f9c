// SPDX-License-Identifier: Apache-2.0

package import RestSQLite
import Synchronization

/// A view of a store's database: where it reads and writes, and how long it may take.
package final class Database: Sendable {
    /// How long the work on a view may keep its thread.
    package enum Patience: Sendable, Hashable {
        /// On a thread that has other work: only short work, and no waiting for another write.
        case none
        /// On a thread for short work.
        case brief
        /// On a thread for short work, for several steps. They cannot be repeated once one of them has written.
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

    /// What has happened on the view so far.
    private struct Progress {
        var hasOutgrown = false
        var hasWritten = false
    }

    private enum Access {
        case shared(SharedDatabase)
        /// Inside a transaction: its own connection, for reading too.
        case lent(SQLiteConnection)
    }

    private let access: Access
    private let patience: Patience
    private let progress = Mutex(Progress())

    /// All queries of a transaction together: others wait for it.
    static let transactionTime = Duration.milliseconds(500)

    /// A view for one piece of work.
    package init(_ shared: SharedDatabase, _ patience: Patience) {
        access = .shared(shared)
        self.patience = patience
    }

    /// A view for a transaction, for the time that its connection is lent.
    package init(lent connection: SQLiteConnection) {
        access = .lent(connection)
        patience = .full
    }

    /// Whether the work must be repeated with more patience: it took too long, and has changed nothing.
    package var mustBeginAnew: Bool { progress.withLock { $0.hasOutgrown && !$0.hasWritten } }

    /// Asks for more patience before long work that is no query.
    package func beginLongWork() throws(OrgError) {
        if patience == .none { throw outgrown() }
    }

    /// Reads one state of the data, which has all earlier writes.
    package func read<Result: Sendable>(
        _ body: (SQLiteConnection) throws(OrgError) -> Result
    ) throws(OrgError) -> Result {
        switch access {
        case .lent(let connection): return try body(connection)
        case .shared(let shared):
            guard let reader = shared.readers.take() else {
                guard patience == .full else { throw outgrown() }
                // All readers are lent, so the connection that writes reads as well.
                return try shared.writer.withLock { (connection) throws(OrgError) -> Result in try body(connection) }
            }
            defer { shared.readers.giveBack(reader) }
            do throws(OrgError) {
                return try reader.limited(to: patience.processorTime) { () throws(OrgError) -> Result in
                    try reader.snapshot(
                        { () throws(OrgError) -> Result in try body(reader) }, failure: OrgError.init)
                }
            } catch {
                throw error == .outgrown ? outgrown() : error
            }
        }
    }

    /// Lends the connection that writes; if the patience allows it, waits while another thread has it.
    package func write<Result: Sendable>(
        _ body: (SQLiteConnection) throws(OrgError) -> Result
    ) throws(OrgError) -> Result {
        switch access {
        case .lent(let connection): return try body(connection)
        case .shared(let shared):
            guard patience == .none else {
                return try shared.writer.withLock { (connection) throws(OrgError) -> Result in
                    try begin(connection, body)
                }
            }
            let result = try shared.writer.withLockIfAvailable { (connection) throws(OrgError) -> Result in
                try begin(connection, body)
            }
            guard let result else { throw outgrown() }
            return result
        }
    }

    /// Runs the body in one transaction.
    package func transaction<Result: Sendable>(
        _ body: (SQLiteConnection) throws(OrgError) -> Result
    ) throws(OrgError) -> Result {
        try write { (connection) throws(OrgError) -> Result in
            try connection.transaction(
                { () throws(OrgError) -> Result in try body(connection) }, failure: OrgError.init)
        }
    }

    /// Runs a transaction; one that has outgrown this thread, such as a deletion of very many records, changed nothing.
    private func begin<Result>(
        _ connection: SQLiteConnection, _ body: (SQLiteConnection) throws(OrgError) -> Result
    ) throws(OrgError) -> Result {
        do throws(OrgError) {
            let result = try body(connection)
            progress.withLock { $0.hasWritten = true }
            return result
        } catch {
            throw error == .outgrown ? outgrown() : error
        }
    }

    /// Whether a transaction that takes too long here can be ended and repeated with more patience.
    var mayBeginAnew: Bool { [.none, .brief].contains(patience) && !progress.withLock(\.hasWritten) }

    private func outgrown() -> OrgError {
        progress.withLock { $0.hasOutgrown = true }
        return .outgrown
    }

    /// Runs the body in one transaction with its own view of the database, and rolls back unless it is to be kept.
    package func atomically<Result: Sendable>(
        _ body: (Database) -> (Result, isKept: Bool)
    ) throws(OrgError) -> Result {
        var outcome: Result?
        do throws(OrgError) {
            try write { (connection) throws(OrgError) in
                try connection.limited(to: Self.transactionTime) { () throws(OrgError) in
                    try connection.transaction(
                        { () throws(OrgError) in
                            let (result, isKept) = body(Database(lent: connection))
                            outcome = result
                            if !isKept { throw .rolledBack }
                        }, failure: OrgError.init)
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

extension SQLiteConnection {
    /// Reads all rows of a statement.
    package func fetch<Row>(
        _ sql: String, _ values: [SQLValue] = [], isQuery: Bool = false, _ read: (RowReader) -> Row
    ) throws(OrgError) -> [Row] {
        try OrgError.wrapping { () throws(DatabaseError) in try list(sql, values, isQuery: isQuery, read) }
    }

    /// Runs a statement to its end.
    package func change(_ sql: String, _ values: [SQLValue] = []) throws(OrgError) {
        try OrgError.wrapping { () throws(DatabaseError) in try run(sql, values) }
    }
}

extension Database {
    /// Reads all rows of a statement.
    package func fetch<Row: Sendable>(
        _ sql: String, _ values: [SQLValue] = [], isQuery: Bool = false, _ read: (RowReader) -> Row
    ) throws(OrgError) -> [Row] {
        try self.read { (connection) throws(OrgError) in try connection.fetch(sql, values, isQuery: isQuery, read) }
    }
}

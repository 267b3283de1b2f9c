// SPDX-License-Identifier: Apache-2.0

package import RestSQLite
import Synchronization

/// A view of a store's database, with its connection and its time limit.
package final class Database: Sendable {
    /// The type of thread that the work runs on, which determines its time limit.
    package enum Patience: Sendable, Hashable {
        /// A thread with other work, which allows only short work and does not wait for other writes.
        case none
        /// A thread for short work.
        case brief
        /// A thread for several steps of short work, which cannot be repeated after one of them has written.
        case compound
        /// A thread for slow work.
        case full

        /// The processor time limit of one query with all its pages, or `nil` for no limit.
        fileprivate var processorTime: Duration? {
            switch self {
            case .none: .milliseconds(5)
            case .brief: .milliseconds(200)
            case .compound: .seconds(1)
            case .full: nil
            }
        }
    }

    private struct Progress {
        var hasOutgrown = false
        var hasWritten = false
    }

    private enum Access {
        case shared(SharedDatabase)
        /// A connection inside a transaction, which is also used for reading.
        case lent(SQLiteConnection)
    }

    private let access: Access
    private let patience: Patience
    /// The client and the API of the work, for captured changes.
    private let origin: String
    private let progress = Mutex(Progress())

    /// The processor time limit of all queries of a transaction, because other writes wait for it.
    package static let transactionTime = Duration.milliseconds(500)

    package init(_ shared: SharedDatabase, _ patience: Patience, origin: String = "") {
        access = .shared(shared)
        (self.patience, self.origin) = (patience, origin)
    }

    /// Creates a view for a transaction, valid while its connection is lent.
    package init(lent connection: SQLiteConnection) {
        access = .lent(connection)
        (patience, origin) = (.full, "")
    }

    /// Whether the work must be repeated with more patience, because it took too long and has not written.
    package var mustBeginAnew: Bool { progress.withLock { $0.hasOutgrown && !$0.hasWritten } }

    /// Requests more patience before long work other than a query.
    package func beginLongWork() throws(OrgError) {
        if patience == .none { throw outgrown() }
    }

    /// Runs the body on a snapshot of the data that includes all earlier writes.
    package func read<Result: Sendable>(
        _ body: (SQLiteConnection) throws(OrgError) -> Result
    ) throws(OrgError) -> Result {
        switch access {
        case .lent(let connection): return try body(connection)
        case .shared(let shared):
            guard let reader = shared.readers.take() else {
                guard patience == .full else { throw outgrown() }
                // All readers are lent, so read with the writer.
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

    /// Runs the body on the writer connection, after waiting for other writers if the patience allows it.
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

    /// Runs a transaction, which `isRepeatable` lets a crash of the system undo, in exchange for speed.
    package func transaction<Result: Sendable>(
        isRepeatable: Bool = false, _ body: (SQLiteConnection) throws(OrgError) -> Result
    ) throws(OrgError) -> Result {
        try write { (connection) throws(OrgError) -> Result in
            let work = { () throws(OrgError) -> Result in try body(connection) }
            return isRepeatable
                ? try connection.repeatable(work, failure: OrgError.init)
                : try connection.transaction(work, failure: OrgError.init)
        }
    }

    /// Runs a transaction, which is rolled back and can be repeated if it takes too long for the thread.
    private func begin<Result>(
        _ connection: SQLiteConnection, _ body: (SQLiteConnection) throws(OrgError) -> Result
    ) throws(OrgError) -> Result {
        connection.origin = origin
        do throws(OrgError) {
            let result = try body(connection)
            progress.withLock { $0.hasWritten = true }
            return result
        } catch {
            throw error == .outgrown ? outgrown() : error
        }
    }

    /// Whether a transaction that takes too long can be rolled back and repeated with more patience.
    var mayBeginAnew: Bool { [.none, .brief].contains(patience) && !progress.withLock(\.hasWritten) }

    private func outgrown() -> OrgError {
        progress.withLock { $0.hasOutgrown = true }
        return .outgrown
    }

    /// Runs the body in one transaction with its own view of the database, and commits only if the body asks for it.
    ///
    /// `time` is the processor time limit of all queries together.
    package func atomically<Result: Sendable>(
        within time: Duration? = transactionTime, _ body: (Database) -> (Result, isKept: Bool)
    ) throws(OrgError) -> Result {
        var outcome: Result?
        do throws(OrgError) {
            try write { (connection) throws(OrgError) in
                try connection.limited(to: time) { () throws(OrgError) in
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
    package func fetch<Row>(
        _ sql: String, _ values: [SQLValue] = [], isQuery: Bool = false, _ read: (RowReader) -> Row
    ) throws(OrgError) -> [Row] {
        try OrgError.wrapping { () throws(DatabaseError) in try list(sql, values, isQuery: isQuery, read) }
    }

    package func scan(_ sql: String, _ values: [SQLValue], _ each: (RowReader) -> Void) throws(OrgError) {
        try OrgError.wrapping { () throws(DatabaseError) in try rows(sql, values, each: each) }
    }

    package func change(_ sql: String, _ values: [SQLValue] = []) throws(OrgError) {
        try OrgError.wrapping { () throws(DatabaseError) in try run(sql, values) }
    }
}

extension Database {
    package func fetch<Row: Sendable>(
        _ sql: String, _ values: [SQLValue] = [], isQuery: Bool = false, _ read: (RowReader) -> Row
    ) throws(OrgError) -> [Row] {
        try self.read { (connection) throws(OrgError) in try connection.fetch(sql, values, isQuery: isQuery, read) }
    }
}

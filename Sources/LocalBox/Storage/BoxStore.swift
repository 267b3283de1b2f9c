// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport
import Synchronization

/// The box's database and files, for one request at a time.
final class BoxStore: Sendable {
    let blobs: BlobFolder
    let clock: BoxClock
    let namespace: String
    /// Told after every change.
    let changes = ChangeWatch()
    private let connection: Mutex<SQLiteConnection>

    init(_ connection: SQLiteConnection, blobs: BlobFolder, clock: BoxClock, namespace: String) {
        self.connection = Mutex(connection)
        self.blobs = blobs
        self.clock = clock
        self.namespace = namespace
    }

    /// Runs the body in one transaction; an error of the body or of the database undoes all of it.
    func transaction<Result: Sendable, Problem>(
        _ body: (BoxTables) throws(BoxFailure<Problem>) -> Result
    ) throws(BoxFailure<Problem>) -> Result {
        let (result, latest) = try connection.withLock {
            (connection) throws(BoxFailure<Problem>) -> (Result, Int64) in
            try connection.transaction(
                { () throws(BoxFailure<Problem>) in
                    let tables = BoxTables(connection, clock: clock, namespace: namespace)
                    let result = try body(tables)
                    let latest = tables.latestChange
                    if tables.failure != nil { throw .refused(.broken) }
                    return (result, latest)
                }, failure: { _ in .refused(.broken) })
        }
        changes.note(latest)
        return result
    }

    /// The same for what has no error of its own.
    func transaction<Result: Sendable>(_ body: (BoxTables) -> Result) throws(BoxRefusal) -> Result {
        do throws(BoxFailure<Never>) {
            return try transaction { (tables) throws(BoxFailure<Never>) in body(tables) }
        } catch {
            guard case .refused(let refusal) = error else { throw .broken }
            throw refusal
        }
    }

    /// Closes the database; later requests are refused.
    func close() {
        connection.withLock { connection in
            try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if let empty = try? SQLiteConnection(path: ":memory:") { connection = empty }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The org's database: one connection, lent to one thread at a time.
///
/// One connection is enough for two server threads (SQLite renders a page of 2,000 records in milliseconds) and makes
/// every request see all earlier writes; a pool of readers could not share a database in memory without locking it.
final class Database: Sendable {
    private let connection: Mutex<SQLiteConnection>

    /// Opens a database file, or one in memory.
    init(_ storage: LocalOrgConfiguration.Storage) throws(DatabaseError) {
        let opened =
            switch storage {
            case .memory: try SQLiteConnection(path: ":memory:")
            case .file(let path): try SQLiteConnection(path: path)
            }
        connection = Mutex(opened)
    }

    /// A view for somebody who has been lent the connection already, for the time that it is lent.
    init(lent connection: SQLiteConnection) {
        self.connection = Mutex(connection)
    }

    /// Lends the connection; waits while another thread has it.
    func use<Result: Sendable, Failure: Error>(
        _ body: (SQLiteConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try connection.withLock { (connection) throws(Failure) -> Result in try body(connection) }
    }

    /// Writes everything to the database's own file, so that it can be copied or opened elsewhere.
    ///
    /// The connection itself is closed with the last reference to the org.
    func settle() {
        connection.withLock { connection in
            try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}

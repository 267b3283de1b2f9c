// SPDX-License-Identifier: Apache-2.0

package import Synchronization

/// A database: one connection that writes, and several that read beside it.
///
/// SQLite's write-ahead log lets readers see the last committed state while another connection writes. So a slow query
/// delays neither writes nor other queries. A database in memory cannot be shared that way, because its connections
/// lock each other out; so that one is a temporary file without a name.
package final class SharedDatabase: Sendable {
    package let writer: Mutex<SQLiteConnection>
    package let readers: DatabaseReaders
    private let interruption: Interruption

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - storage: the file, or a temporary one.
    ///   - count: the number of readers.
    ///   - fill: prepares a new database.
    /// - Throws: `DatabaseError` when the file cannot be opened or filled.
    package init(
        _ storage: DatabaseStorage, readers count: Int, fill: (SQLiteConnection) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let file = try DatabaseFile(storage)
        defer { file.forget() }
        let interruption = Interruption()
        let writer = try SQLiteConnection(path: file.path, interruption)
        if file.isTemporary { try Self.relax(writer) }
        // Without the log, which would take all of a new database first: a failure leaves an empty file here too.
        try fill(writer)
        try writer.keepLog()
        var readers: [SQLiteConnection] = []
        for _ in 0..<count {
            let reader = try SQLiteConnection(path: file.path, interruption)
            try reader.execute("PRAGMA query_only = ON")
            // There are many readers, and the system keeps the file in memory as well.
            try reader.execute("PRAGMA cache_size = -1024")
            if file.isTemporary { try reader.execute("PRAGMA mmap_size = \(Self.mappedBytes)") }
            // Opens the log too, which a temporary file has under a name only now.
            try reader.execute("SELECT count(*) FROM sqlite_master")
            readers.append(reader)
        }
        self.interruption = interruption
        self.writer = Mutex(writer)
        self.readers = DatabaseReaders(readers)
    }

    /// How much of a temporary file is mapped.
    ///
    /// A file with a name is not mapped, because truncating it would crash the process.
    private static let mappedBytes = 1 << 30

    /// Turns off safety that a temporary file does not need.
    private static func relax(_ connection: SQLiteConnection) throws(DatabaseError) {
        try connection.execute("PRAGMA journal_mode = MEMORY")
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute("PRAGMA secure_delete = OFF")
    }

    /// Ends every query that runs and every later one.
    package func interrupt() { interruption.end() }

    /// Writes everything to the database's own file, so that it can be copied or opened elsewhere, and closes it.
    ///
    /// A later read finds an empty database.
    package func close() {
        readers.close()
        writer.withLock { connection in
            try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if let empty = try? SQLiteConnection(path: ":memory:") { connection = empty }
        }
    }
}

/// The connections that only read, each lent to one thread at a time.
///
/// There is one for every thread that may need one, so that no thread waits.
package final class DatabaseReaders: Sendable {
    /// The connections that are free; `nil` once they are closed.
    private let idle: Mutex<[SQLiteConnection]?>

    package init(_ connections: [SQLiteConnection]) {
        idle = Mutex(connections)
    }

    /// Lends a connection; `nil` when all are lent or closed.
    package func take() -> SQLiteConnection? { idle.withLock { $0?.popLast() } }

    package func giveBack(_ connection: SQLiteConnection) { idle.withLock { $0?.append(connection) } }

    /// Closes the connections: those that are lent when they are given back.
    package func close() { idle.withLock { $0 = nil } }
}

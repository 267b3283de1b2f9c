// SPDX-License-Identifier: Apache-2.0

package import Synchronization

/// A database with one connection for writing and several for reading.
///
/// With SQLite's write-ahead log, readers see the last committed state while another connection writes. So a slow query
/// delays neither writes nor other queries. The connections of an in-memory database block each other, so a temporary
/// file without a name is used instead.
package final class SharedDatabase: Sendable {
    package let writer: Mutex<SQLiteConnection>
    package let readers: DatabaseReaders
    private let interruption: Interruption
    private let isReader: Bool

    /// Opens a database with `count` readers, after `fill` has filled it, unless it is a copy.
    ///
    /// `prepare` runs first on each connection.
    package init(
        _ storage: DatabaseStorage, readers count: Int, prepare: SQLiteConnection.Preparation? = nil,
        fill: (SQLiteConnection) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let file = try DatabaseFile(storage)
        defer { file.forget() }
        let interruption = Interruption()
        let writer = try SQLiteConnection(path: file.path, interruption, prepare: prepare)
        if file.isTemporary { try Self.relax(writer, isCopy: file.isCopy) }
        // Without the log, which would first contain the whole new database. So an error leaves an empty file here as
        // well.
        if !file.isCopy { try fill(writer) }
        try writer.keepLog()
        var readers: [SQLiteConnection] = []
        for _ in 0..<count {
            let reader = try Self.reader(file.path, interruption, prepare)
            if file.isTemporary { try reader.execute("PRAGMA mmap_size = \(Self.mappedBytes)") }
            try reader.openLog()
            readers.append(reader)
        }
        (self.interruption, isReader) = (interruption, false)
        self.writer = Mutex(writer)
        self.readers = DatabaseReaders(readers)
    }

    /// Opens an existing file for reading, while this or another process may write to it.
    ///
    /// No connection writes, also not the one in place of the writer.
    package init(
        reading path: String, readers count: Int, prepare: SQLiteConnection.Preparation? = nil
    ) throws(DatabaseError) {
        (interruption, isReader) = (Interruption(), true)
        writer = Mutex(try Self.reader(path, interruption, prepare))
        var readers: [SQLiteConnection] = []
        for _ in 0..<count { readers.append(try Self.reader(path, interruption, prepare)) }
        self.readers = DatabaseReaders(readers)
    }

    private static func reader(
        _ path: String, _ interruption: Interruption, _ prepare: SQLiteConnection.Preparation?
    ) throws(DatabaseError) -> SQLiteConnection {
        try SQLiteConnection(path: path, interruption, isReader: true, prepare: prepare)
    }

    /// The number of bytes of a temporary file that are mapped.
    ///
    /// Other files are not mapped, because truncating one would crash the process.
    private static let mappedBytes = 1 << 30

    /// Turns off safety that a temporary file does not require.
    private static func relax(_ connection: SQLiteConnection, isCopy: Bool) throws(DatabaseError) {
        if !isCopy { try connection.execute("PRAGMA journal_mode = MEMORY") }
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute("PRAGMA secure_delete = OFF")
    }

    /// Ends all running and later queries.
    package func interrupt() { interruption.end() }

    /// Closes the database, after writing everything to its own file, so that it can be copied or opened elsewhere.
    ///
    /// Later reads find an empty database.
    package func close() { close { _ in } }

    /// Closes the database like ``close()``, unless `check` throws for the last state of the data.
    package func close<Failure: Error>(after check: (SQLiteConnection) throws(Failure) -> Void) throws(Failure) {
        try writer.withLock { connection throws(Failure) in
            try check(connection)
            readers.close()
            // A reader would wait for the writer of another process.
            if !isReader { try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
            if let empty = try? SQLiteConnection(path: ":memory:") { connection = empty }
        }
    }
}

/// The read-only connections, one for each thread that may require one, so that no thread waits.
package final class DatabaseReaders: Sendable {
    /// The free connections, or `nil` after closing.
    private let idle: Mutex<[SQLiteConnection]?>

    package init(_ connections: [SQLiteConnection]) {
        idle = Mutex(connections)
    }

    /// Lends a connection, or returns `nil` if all are lent or closed.
    package func take() -> SQLiteConnection? { idle.withLock { $0?.popLast() } }

    package func giveBack(_ connection: SQLiteConnection) { idle.withLock { $0?.append(connection) } }

    /// Closes the free connections at once, and the lent connections when they are returned.
    package func close() { idle.withLock { $0 = nil } }
}

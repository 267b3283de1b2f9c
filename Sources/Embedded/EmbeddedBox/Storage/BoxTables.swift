// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// The numbers of a box, which are kept in memory beside the database.
struct BoxFacts: Sendable, Hashable {
    /// Cursors of earlier ones are reset.
    var epoch: Int64 = 0
    /// The latest revision.
    var rev: Int64 = 0
    /// The latest change.
    var change: Int64 = 0
    /// The bytes of all files.
    var used: Int64 = 0
}

/// The tables of a box inside of one transaction.
///
/// The first failure of the database is kept; after it nothing is read or written, and the transaction is undone.
final class BoxTables {
    let clock: BoxClock
    let namespace: String
    let folder: PieceFolder
    let limits: BoxLimits
    var facts: BoxFacts
    /// The files of pieces that nothing names any more, once the transaction is done.
    var discarded: [Int64] = []
    /// A folder that was there when it was looked for last, in lower case.
    var knownFolder: String?
    private let connection: SQLiteConnection
    private(set) var failure: DatabaseError?

    init(_ connection: SQLiteConnection, _ store: BoxStore, _ facts: BoxFacts) {
        self.connection = connection
        (clock, namespace, folder, limits) = (store.clock, store.namespace, store.folder, store.limits)
        self.facts = facts
    }

    func run(_ sql: String, _ parameters: [SQLValue] = []) {
        guard failure == nil else { return }
        do throws(DatabaseError) { try connection.run(sql, parameters) } catch { failure = error }
    }

    func rows<Row>(_ sql: String, _ parameters: [SQLValue], read: (RowReader) -> Row) -> [Row] {
        guard failure == nil else { return [] }
        var rows: [Row] = []
        do throws(DatabaseError) {
            try connection.rows(sql, parameters) { rows.append(read($0)) }
        } catch {
            failure = error
        }
        return rows
    }

    /// The first column of the first row; 0 without one.
    func number(_ sql: String, _ parameters: [SQLValue] = []) -> Int64 {
        rows(sql, parameters) { $0.integer(0) }.first ?? 0
    }
}

/// The tables as SQL.
enum BoxSchema {
    /// Marks a file as a box's (`PRAGMA application_id`): "RBOX".
    private static let applicationID: Int64 = 0x5242_4F58
    private static let version: Int64 = 3

    /// Makes the tables of a new database, and refuses another program's.
    static func prepare(_ connection: SQLiteConnection) throws(DatabaseError) {
        let found = try (number(connection, "PRAGMA application_id"), number(connection, "PRAGMA user_version"))
        if found == (applicationID, version) { return }
        guard found == (0, 0), try number(connection, "SELECT count(*) FROM sqlite_master") == 0 else {
            throw DatabaseError(kind: .foreign, message: "")
        }
        for table in tables { try connection.execute(table) }
        try connection.execute("PRAGMA application_id = \(applicationID)")
        try connection.execute("PRAGMA user_version = \(version)")
    }

    static func number(_ connection: SQLiteConnection, _ sql: String) throws(DatabaseError) -> Int64 {
        var result: Int64 = 0
        try connection.rows(sql) { result = $0.integer(0) }
        return result
    }

    private static let tables = [
        """
        CREATE TABLE entries (
            path TEXT PRIMARY KEY, parent TEXT NOT NULL, display TEXT NOT NULL, id TEXT NOT NULL UNIQUE, rev TEXT,
            blob INTEGER, size INTEGER, hash TEXT, client_modified INTEGER, server_modified INTEGER) WITHOUT ROWID
        """,
        "CREATE INDEX entries_parent ON entries (parent, path)",
        // Every revision that a file has had, the present one too.
        """
        CREATE TABLE revisions (
            number INTEGER PRIMARY KEY, path TEXT NOT NULL, display TEXT NOT NULL, id TEXT NOT NULL,
            rev TEXT NOT NULL, blob INTEGER NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL,
            client_modified INTEGER NOT NULL, server_modified INTEGER NOT NULL)
        """,
        "CREATE INDEX revisions_path ON revisions (path)",
        "CREATE INDEX revisions_id ON revisions (id)",
        "CREATE INDEX revisions_blob ON revisions (blob)",
        // The latest change of every path that there was: what cursors go by.
        """
        CREATE TABLE changes (
            number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, parent TEXT NOT NULL, display TEXT NOT NULL,
            deleted INTEGER)
        """,
        // The numbers of `BoxFacts`, in one row.
        """
        CREATE TABLE facts (
            id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, rev INTEGER NOT NULL, change INTEGER NOT NULL,
            used INTEGER NOT NULL)
        """,
        "INSERT INTO facts VALUES (1, 0, 0, 0, 0)",
        """
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY, blob INTEGER NOT NULL, size INTEGER NOT NULL, closed INTEGER NOT NULL,
            concurrent INTEGER NOT NULL, expiry INTEGER NOT NULL) WITHOUT ROWID
        """,
        // What the bytes of files and sessions are made up of.
        """
        CREATE TABLE pieces (
            blob INTEGER NOT NULL, start INTEGER NOT NULL, file INTEGER NOT NULL, offset INTEGER NOT NULL,
            count INTEGER NOT NULL, digests TEXT NOT NULL, PRIMARY KEY (blob, start)) WITHOUT ROWID
        """,
        """
        CREATE TABLE links (
            url TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, password TEXT, expires INTEGER) WITHOUT ROWID
        """,
    ]
}

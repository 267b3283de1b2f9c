// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DropboxAPI
import LocalServer
import RestSQLite
import Synchronization

/// The counters of an account.
struct BoxFacts: Sendable, Hashable {
    /// The epoch, which resets the cursors of earlier epochs.
    var epoch: Int64 = 0
    var rev: Int64 = 0
    var change: Int64 = 0
    /// The total size of all files, in bytes.
    var used: Int64 = 0
}

/// The tables of an account in one transaction.
///
/// It keeps the first error of the database. After an error, nothing is read or written, and the transaction is undone.
final class BoxTables {
    let clock: ServerClock
    let namespace: String
    let folder: PieceFolder
    let limits: LocalBoxConfiguration
    var facts = BoxFacts()
    /// The files that are unused after the transaction.
    var discarded: [Int64] = []
    private let connection: SQLiteConnection
    private(set) var failure: DatabaseError?

    init(_ connection: SQLiteConnection, _ store: BoxStore) {
        self.connection = connection
        (clock, limits) = (store.ground.clock, store.ground.limits)
        (namespace, folder) = (store.namespace, store.folder)
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

    /// Returns the first column of the first row, or 0.
    func number(_ sql: String, _ parameters: [SQLValue] = []) -> Int64 {
        rows(sql, parameters) { $0.integer(0) }.first ?? 0
    }
}

/// The tables in SQL.
enum BoxSchema {
    /// The value of `PRAGMA application_id`: "RBOX".
    private static let applicationID: Int64 = 0x5242_4F58
    private static let version: Int64 = 4

    /// Creates the tables of a new database, and rejects the database of another program.
    static func prepare(_ connection: SQLiteConnection) throws(DatabaseError) {
        let found = try (connection.number("PRAGMA application_id"), connection.number("PRAGMA user_version"))
        if found == (applicationID, version) { return }
        guard found == (0, 0), try connection.number("SELECT count(*) FROM sqlite_master") == 0 else {
            throw DatabaseError(kind: .foreign, message: "")
        }
        for table in tables { try connection.execute(table) }
        try connection.execute("PRAGMA application_id = \(applicationID)")
        try connection.execute("PRAGMA user_version = \(version)")
    }

    private static let tables = [
        """
        CREATE TABLE entries (
            path TEXT PRIMARY KEY, parent TEXT NOT NULL, display TEXT NOT NULL, id TEXT NOT NULL UNIQUE, rev TEXT,
            blob INTEGER, size INTEGER, hash TEXT, client_modified INTEGER, server_modified INTEGER) WITHOUT ROWID
        """,
        "CREATE INDEX entries_parent ON entries (parent, path)",
        // All revisions of all files, including the current ones.
        """
        CREATE TABLE revisions (
            number INTEGER PRIMARY KEY, path TEXT NOT NULL, display TEXT NOT NULL, id TEXT NOT NULL,
            rev TEXT NOT NULL, blob INTEGER NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL,
            client_modified INTEGER NOT NULL, server_modified INTEGER NOT NULL)
        """,
        "CREATE INDEX revisions_path ON revisions (path)",
        "CREATE INDEX revisions_id ON revisions (id)",
        "CREATE INDEX revisions_blob ON revisions (blob)",
        // The latest change of every path, for cursors.
        """
        CREATE TABLE changes (
            number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, parent TEXT NOT NULL, display TEXT NOT NULL,
            deleted INTEGER)
        """,
        // The counters of `BoxFacts`, in one row.
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
        // The pieces of files and sessions.
        """
        CREATE TABLE pieces (
            blob INTEGER NOT NULL, start INTEGER NOT NULL, file INTEGER NOT NULL, offset INTEGER NOT NULL,
            count INTEGER NOT NULL, digests TEXT NOT NULL, PRIMARY KEY (blob, start)) WITHOUT ROWID
        """,
        "CREATE INDEX pieces_file ON pieces (file)",
        """
        CREATE TABLE links (
            url TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, password TEXT, expires INTEGER) WITHOUT ROWID
        """,
    ]
}

extension BoxTables {
    /// Returns the entry that an argument refers to, except the root.
    ///
    /// - Parameters:
    ///   - text: the argument.
    ///   - wrap: converts the error of a path into the route's error.
    /// - Returns: the entry.
    /// - Throws: the route's error if the argument is malformed or refers to nothing.
    func lookUp<Problem: Error>(_ text: String, _ wrap: (Files.LookupError) -> Problem) throws -> Entry {
        guard let reference = PathReference(text, namespace: namespace) else {
            throw wrap(.malformedPath(text))
        }
        let found: Entry? =
            switch reference {
            case .root: nil
            case .path(let path): entry(at: path.lower)
            case .id(let id): entry(id: id)
            case .revision(let rev): revision(rev)
            }
        guard let found else { throw wrap(.notFound) }
        return found
    }

    func lookUpFile<Problem: Error>(
        _ text: String, _ wrap: (Files.LookupError) -> Problem
    ) throws -> (Files.FileMetadata, Content) {
        let entry = try lookUp(text, wrap)
        guard let content = entry.content else { throw wrap(.notFile) }
        return (entry.file(content), bytes(of: content))
    }

    /// Returns the path in lower case of the folder that an argument refers to, or an empty string for the root.
    func lookUpFolder<Problem: Error>(_ text: String, _ wrap: (Files.LookupError) -> Problem) throws -> String {
        if case .root = PathReference(text, namespace: namespace) { return "" }
        let entry = try lookUp(text, wrap)
        guard entry.isFolder else { throw wrap(.notFolder) }
        return entry.path.lower
    }

    /// Returns the path that an argument asks to write, or the path of the entry with its ID.
    func target(_ text: String) throws -> BoxPath {
        switch PathReference(text, namespace: namespace) {
        case .path(let path): return path
        case .id(let id):
            if let entry = entry(id: id) { return entry.path }
            throw Files.WriteError.malformedPath(text)
        case .root, .revision, nil: throw Files.WriteError.malformedPath(text)
        }
    }

    /// Returns the path of a new entry, with another name if the path is taken and renaming is allowed.
    func freePath(_ path: BoxPath, autorename: Bool) throws -> BoxPath {
        try checkAncestors(of: path)
        return try free(path, beside: entry(at: path.lower), autorename: autorename)
    }

    /// Returns the path, or another name in its folder if it is taken and renaming is allowed.
    func free(_ path: BoxPath, beside other: Entry?, autorename: Bool) throws -> BoxPath {
        guard let other else { return path }
        guard autorename else { throw Files.WriteError.conflict(other.isFolder ? .folder : .file) }
        var number = 1
        while entry(at: path.renamed(number).lower) != nil { number += 1 }
        return path.renamed(number)
    }

    /// Rejects a path below a file.
    func checkAncestors(of path: BoxPath) throws {
        guard !hasFolder(path.parent) else { return }
        for folder in path.ancestors where entry(at: folder.lower)?.isFolder == false {
            throw Files.WriteError.conflict(.fileAncestor)
        }
    }
}

extension BoxTables {
    func noteChange(of path: BoxPath, deletedAt: Int64?) {
        facts.change += 1
        run(
            "INSERT OR REPLACE INTO changes (number, path, parent, display, deleted) VALUES (?, ?, ?, ?, ?)",
            [
                .integer(facts.change), .text(path.lower), .text(path.parent), .text(path.display),
                deletedAt.map { .integer($0) } ?? .null,
            ])
    }

    /// Returns the changes in a folder after a number, in order.
    func changes(
        in folder: String, isRecursive: Bool, behind number: Int64, limit: Int
    ) -> [(number: Int64, path: String, display: String)] {
        let place = isRecursive ? "path >= ?1 || '/' AND path < ?1 || '0'" : "parent = ?1"
        return rows(
            """
            SELECT number, path, display FROM changes
            WHERE (\(place) OR path = ?1 AND deleted IS NOT NULL) AND number > ?2 ORDER BY number LIMIT ?3
            """, [.text(folder), .integer(number), .integer(Int64(limit))]
        ) { ($0.integer(0), $0.text(1), $0.text(2)) }
    }

    /// Returns the original path and the time of its deletion if the path was deleted.
    func deletion(at path: String) -> (path: BoxPath, seconds: Int64)? {
        rows("SELECT display, deleted FROM changes WHERE path = ? AND deleted IS NOT NULL", [.text(path)]) { row in
            BoxPath(row.text(0)).map { ($0, row.integer(1)) }
        }.first ?? nil
    }

    /// Returns the deleted paths of a folder that do not exist again.
    func deletions(in folder: String, isRecursive: Bool) -> [BoxPath] {
        let place = isRecursive ? "path >= ?1 || '/' AND path < ?1 || '0'" : "parent = ?1"
        return rows(
            "SELECT display FROM changes WHERE \(place) AND deleted IS NOT NULL ORDER BY path", [.text(folder)]
        ) { BoxPath($0.text(0)) }.compactMap(\.self)
    }
}

/// Notifies long polls of the next change.
final class ChangeWatch: Sendable {
    private struct State {
        var latest: Int64 = 0
        var waiting: [UInt64: @Sendable (Bool) -> Void] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())
    /// A queue and not a task, because tests may block every thread of the task pool.
    private let timer = DispatchQueue(label: "LocalBox.waits")

    func note(_ number: Int64) {
        let woken = state.withLock { state -> [@Sendable (Bool) -> Void] in
            guard number > state.latest else { return [] }
            state.latest = number
            defer { state.waiting.removeAll() }
            return Array(state.waiting.values)
        }
        for wake in woken { wake(true) }
    }

    /// Calls the function once: with `true` at the next change, or with `false` after the time.
    func wait(behind number: Int64, for time: Duration, _ wake: @escaping @Sendable (Bool) -> Void) {
        let ticket = state.withLock { state -> UInt64? in
            guard state.latest <= number else { return nil }
            state.next += 1
            state.waiting[state.next] = wake
            return state.next
        }
        guard let ticket else { return wake(true) }
        timer.asyncAfter(deadline: .now() + (time / .seconds(1))) { [weak self] in
            self?.state.withLock { $0.waiting.removeValue(forKey: ticket) }?(false)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestSQLite
import RestTransport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The database and files of one namespace, for one request at a time.
final class BoxStore: Sendable {
    let ground: BoxGround
    let folder: PieceFolder
    let namespace: String
    /// Notified after every change.
    let changes = ChangeWatch()
    private let connection: Mutex<SQLiteConnection>

    init(_ connection: SQLiteConnection, _ ground: BoxGround, folder: PieceFolder, namespace: String) {
        self.connection = Mutex(connection)
        (self.ground, self.folder, self.namespace) = (ground, folder, namespace)
    }

    /// Runs the body in one transaction, which any error undoes.
    func transaction<Result: Sendable>(_ body: (BoxTables) throws -> Result) throws -> Result {
        let (result, latest, discarded) = try connection.withLock { connection in
            let tables = BoxTables(connection, self)
            let result = try connection.transaction(
                { () throws(any Error) in
                    let before = tables.readFacts()
                    let result = try body(tables)
                    if tables.facts != before { tables.writeFacts() }
                    if tables.failure != nil { throw BoxRejection.broken }
                    return result
                }, failure: { _ in BoxRejection.broken })
            return (result, tables.facts.change, tables.discarded)
        }
        for file in discarded { folder.remove(file) }
        changes.note(latest)
        return result
    }

    /// Closes the database, so later requests are rejected.
    func close() {
        connection.withLock { connection in
            try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if let empty = try? SQLiteConnection(path: ":memory:") { connection = empty }
        }
    }
}

extension BoxTables {
    fileprivate func readFacts() -> BoxFacts {
        let found = rows("SELECT epoch, rev, change, used FROM facts", []) { row in
            BoxFacts(epoch: row.integer(0), rev: row.integer(1), change: row.integer(2), used: row.integer(3))
        }
        facts = found.first ?? BoxFacts()
        return facts
    }

    fileprivate func writeFacts() {
        run(
            "UPDATE facts SET epoch = ?, rev = ?, change = ?, used = ?",
            [.integer(facts.epoch), .integer(facts.rev), .integer(facts.change), .integer(facts.used)])
    }
}

/// The namespaces: one for each user, and one for a team.
///
/// Each namespace has its own database and directory, so a request for one cannot reach another.
struct BoxStores: Sendable {
    let ground: BoxGround
    private let stores: [String: BoxStore]
    /// An empty store for requests without a user.
    let nobody: BoxStore

    /// Opens the namespaces, the first one at the top of the server's directory.
    init(_ ground: BoxGround, namespaces: [String]) throws(StartError) {
        self.ground = ground
        var stores: [String: BoxStore] = [:]
        for (number, namespace) in namespaces.enumerated() {
            let folder = number == 0 ? ground.root : "\(ground.root)/namespace-\(number)"
            stores[namespace] = try BoxStore.open(ground, in: folder, namespace: namespace)
        }
        self.stores = stores
        nobody = try BoxStore.empty(ground)
    }

    subscript(namespace: String) -> BoxStore? { stores[namespace] }

    var all: some Collection<BoxStore> { stores.values }

    func forgetCursors() {
        for store in stores.values { _ = try? store.transaction { $0.facts.epoch += 1 } }
    }

    /// Closes the databases and removes a temporary directory.
    func close() {
        for store in stores.values { store.close() }
        ground.temporary?.remove()
    }
}

/// A temporary directory that is removed when the last reference to it goes.
final class TemporaryRoot: Sendable {
    private let path: String

    init(path: String) { self.path = path }

    deinit { remove() }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// The common settings of all stores.
struct BoxGround: Sendable {
    let root: String
    let temporary: TemporaryRoot?
    let clock: ServerClock
    let limits: LocalBoxConfiguration
    let contention = WriteContention()

    init(_ configuration: LocalBoxConfiguration) {
        switch configuration.storage {
        case .temporary:
            root = FileManager.default.temporaryDirectory.path + "/localbox-" + RandomText.make(22)
            temporary = TemporaryRoot(path: root)
        case .folder(let path): (root, temporary) = (path, nil)
        }
        clock = ServerClock(configuration.clock)
        limits = configuration
    }
}

extension BoxStore {
    /// Opens the directory of a namespace, or creates it.
    static func open(_ ground: BoxGround, in root: String, namespace: String) throws(StartError) -> BoxStore {
        let folder = PieceFolder(root: root)
        guard folder.prepare() else {
            throw StartError(.cannotOpen, "'\(root)' cannot be created or written; choose another directory")
        }
        do throws(DatabaseError) {
            let connection = try connect(ground, root)
            let known = try names(connection)
            folder.sweep(known: known.files, after: known.last)
            let store = BoxStore(connection, ground, folder: folder, namespace: namespace)
            _ = try? store.transaction { $0.removeExpiredSessions() }
            return store
        } catch {
            guard [.foreign, .notADatabase].contains(error.kind) else {
                throw StartError(.cannotOpen, "'\(root)' cannot be opened: \(error.message)")
            }
            throw StartError(
                .foreignDatabase, "'\(root)/box.db' is not a database of a box; choose another directory")
        }
    }

    /// Returns a store that stays empty.
    static func empty(_ ground: BoxGround) throws(StartError) -> BoxStore {
        do throws(DatabaseError) {
            let connection = try SQLiteConnection(path: ":memory:")
            try BoxSchema.prepare(connection)
            return BoxStore(
                connection, ground, folder: PieceFolder(root: ground.root + "/nobody"), namespace: "0")
        } catch {
            throw StartError(.failed, error.message)
        }
    }

    private static func connect(_ ground: BoxGround, _ root: String) throws(DatabaseError) -> SQLiteConnection {
        let file = PrivateFile(path: root + "/box.db")
        file.make()
        let connection = try SQLiteConnection(path: root + "/box.db")
        // No other process uses the directory, so no process has to see changes. Acknowledged changes survive the
        // process, but the last ones may be lost if the machine fails. Nothing of a temporary account is kept.
        let pragmas =
            ground.temporary != nil
            ? ["journal_mode = MEMORY", "synchronous = OFF"]
            : ["journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 8000"]
        for pragma in ["locking_mode = EXCLUSIVE", "cache_size = -65536"] + pragmas {
            try connection.execute("PRAGMA " + pragma)
        }
        try BoxSchema.prepare(connection)
        file.restrict()
        return connection
    }

    /// Returns the files in use and the highest number of a blob.
    private static func names(
        _ connection: SQLiteConnection
    ) throws(DatabaseError) -> (files: Set<Int64>, last: Int64) {
        var files: Set<Int64> = []
        try connection.rows("SELECT DISTINCT file FROM pieces") { files.insert($0.integer(0)) }
        let last = try ["pieces", "revisions", "sessions"].map { (table: String) throws(DatabaseError) in
            try connection.number("SELECT coalesce(max(blob), 0) FROM \(table)")
        }
        return (files, last.max() ?? 0)
    }
}

extension Date {
    init(seconds: Int64) { self.init(timeIntervalSince1970: Double(seconds)) }

    /// Whole seconds since 1970, clamped to the years of a timestamp.
    var wholeSeconds: Int64 { Int64(min(max(timeIntervalSince1970, -62_135_596_800), 253_402_300_799)) }
}

/// The entries of coming batches that fail as if others wrote to the folder at the same time.
typealias WriteContention = Countdown<String, Void>

extension WriteContention {
    func takes(_ path: String) -> Bool { take(for: path.lowercased()) != nil }
}

// SPDX-License-Identifier: Apache-2.0

import LocalServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A temporary directory that is removed when the last reference to it goes.
final class TemporaryRoot: Sendable {
    private let path: String

    init(path: String) { self.path = path }

    deinit { remove() }

    func remove() { PieceFolder(root: path).removeAll() }
}

/// What all stores of a box have in common.
struct BoxGround: Sendable {
    /// The folder of the box.
    let root: String
    /// Removes the directory if the test server is not stopped.
    let temporary: TemporaryRoot?
    let clock: BoxClock
    let limits: BoxLimits
    let contention = WriteContention()

    init(_ configuration: LocalBoxConfiguration) {
        switch configuration.storage {
        case .temporary:
            root = FileManager.default.temporaryDirectory.path + "/localbox-" + RandomText.make(22)
            temporary = TemporaryRoot(path: root)
        case .folder(let path): (root, temporary) = (path, nil)
        }
        clock = BoxClock(configuration.clock)
        limits = BoxLimits(
            quota: configuration.quota, body: configuration.uploadLimit, file: configuration.fileLimit,
            revisions: configuration.revisionLimit.map { max(1, $0) })
    }
}

extension BoxStore {
    /// Opens the folder of a namespace, and makes a new one.
    static func open(_ ground: BoxGround, in root: String, namespace: String) throws(LocalBoxError) -> BoxStore {
        let folder = PieceFolder(root: root)
        guard folder.prepare() else {
            throw LocalBoxError(code: .cannotOpen, message: "'\(root)' cannot be made or written")
        }
        do throws(DatabaseError) {
            let connection = try connect(ground, root)
            let facts = try facts(connection)
            let known = try names(connection)
            folder.sweep(known: known.files, behind: known.last)
            let store = BoxStore(
                connection, facts, folder: folder, clock: ground.clock, namespace: namespace, limits: ground.limits,
                contention: ground.contention)
            _ = try? store.transaction { $0.removeExpiredSessions() }
            return store
        } catch {
            let code: LocalBoxError.Code =
                [.foreign, .notADatabase].contains(error.kind) ? .foreignDatabase : .cannotOpen
            throw LocalBoxError(
                code: code,
                message: code == .foreignDatabase
                    ? "'\(root)/box.db' is not a box's database" : "'\(root)' cannot be opened: \(error.message)")
        }
    }

    /// A store without files, in which nothing is ever written.
    static func empty(_ ground: BoxGround) throws(LocalBoxError) -> BoxStore {
        do throws(DatabaseError) {
            let connection = try SQLiteConnection(path: ":memory:")
            try BoxSchema.prepare(connection)
            return BoxStore(
                connection, BoxFacts(), folder: PieceFolder(root: ground.root + "/nobody"), clock: ground.clock,
                namespace: "0", limits: ground.limits, contention: ground.contention)
        } catch {
            throw LocalBoxError(code: .failed, message: error.message)
        }
    }

    private static func connect(_ ground: BoxGround, _ root: String) throws(DatabaseError) -> SQLiteConnection {
        let file = PrivateFile(path: root + "/box.db")
        file.make()
        let connection = try SQLiteConnection(path: root + "/box.db")
        // No other process opens the folder meanwhile, and none has to be told of changes. What was answered outlives
        // the process; that of the last moments may be lost with the machine. A temporary box outlives nothing.
        let pragmas =
            ground.temporary != nil
            ? ["locking_mode = EXCLUSIVE", "journal_mode = MEMORY", "synchronous = OFF", "cache_size = -65536"]
            : [
                "locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 8000",
                "cache_size = -65536",
            ]
        for pragma in pragmas { try connection.execute("PRAGMA " + pragma) }
        try BoxSchema.prepare(connection)
        file.restrict()
        return connection
    }

    private static func facts(_ connection: SQLiteConnection) throws(DatabaseError) -> BoxFacts {
        var facts = BoxFacts()
        try connection.rows("SELECT epoch, rev, change, used FROM facts") { row in
            facts = BoxFacts(
                epoch: row.integer(0), rev: row.integer(1), change: row.integer(2), used: row.integer(3))
        }
        return facts
    }

    /// The files that are named, how often, and the highest number of a blob.
    private static func names(
        _ connection: SQLiteConnection
    ) throws(DatabaseError) -> (files: [Int64: Int], last: Int64) {
        var files: [Int64: Int] = [:]
        try connection.rows("SELECT file FROM pieces") { files[$0.integer(0), default: 0] += 1 }
        let last = try ["pieces", "revisions", "sessions"].map { (table: String) throws(DatabaseError) in
            try BoxSchema.number(connection, "SELECT coalesce(max(blob), 0) FROM \(table)")
        }
        return (files, last.max() ?? 0)
    }
}

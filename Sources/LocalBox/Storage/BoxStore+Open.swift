// SPDX-License-Identifier: Apache-2.0

import LocalServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What all stores of a box have in common.
struct BoxGround: Sendable {
    /// The folder of the box.
    let root: String
    let isTemporary: Bool
    let clock: BoxClock
    let limits: BoxLimits
    let contention = WriteContention()

    init(_ configuration: LocalBoxConfiguration) {
        switch configuration.storage {
        case .temporary:
            root = FileManager.default.temporaryDirectory.path + "/localbox-" + RandomText.make(22)
            isTemporary = true
        case .folder(let path): (root, isTemporary) = (path, false)
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
            folder.sweep(known: known.pieces, behind: known.last)
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
        // A temporary database has no name, and is written to the disk only beyond its cache.
        guard !ground.isTemporary else {
            let connection = try SQLiteConnection(path: "")
            for pragma in ["journal_mode = MEMORY", "synchronous = OFF", "cache_size = -65536"] {
                try connection.execute("PRAGMA " + pragma)
            }
            try BoxSchema.prepare(connection)
            return connection
        }
        let file = PrivateFile(path: root + "/box.db")
        file.make()
        let connection = try SQLiteConnection(path: root + "/box.db")
        // No other process opens the folder meanwhile, and none has to be told of changes.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try connection.execute("PRAGMA journal_mode = WAL")
        // What was answered outlives the process; that of the last moments may be lost with the machine.
        try connection.execute("PRAGMA synchronous = NORMAL")
        try connection.execute("PRAGMA wal_autocheckpoint = 8000")
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

    /// The pieces that are named, and the highest number of a blob.
    private static func names(
        _ connection: SQLiteConnection
    ) throws(DatabaseError) -> (pieces: Set<Int64>, last: Int64) {
        var pieces: Set<Int64> = []
        try connection.rows("SELECT file FROM pieces") { pieces.insert($0.integer(0)) }
        let last = try ["pieces", "revisions", "sessions"].map { (table: String) throws(DatabaseError) in
            try BoxSchema.number(connection, "SELECT coalesce(max(blob), 0) FROM \(table)")
        }
        return (pieces, last.max() ?? 0)
    }
}

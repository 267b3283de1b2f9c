// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSQLite
import Synchronization
import Testing

@Suite("SQLite connections")
struct SQLiteConnectionTests {
    @Test(
        "the authorizer permits a query only to read the org's tables",
        arguments: [
            "DROP TABLE Account", "DELETE FROM Account", "UPDATE Account SET Name = 'x'",
            "INSERT INTO Account VALUES ('x')",
            "CREATE TABLE t (x)", "PRAGMA user_version", "ATTACH ':memory:' AS other", "SELECT * FROM sqlite_master",
            "SELECT load_extension('x')", "SELECT randomblob(10)", "SELECT zeroblob(10)", "SELECT sqlite_version()",
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c", "VACUUM", "BEGIN",
        ])
    func denied(sql: String) throws {
        let connection = try SQLiteConnection(path: ":memory:")
        try connection.execute("CREATE TABLE Account (Name TEXT)")
        try connection.run("INSERT INTO Account VALUES (?1)", [.text("kept")])
        let error = #expect(throws: DatabaseError.self) { try connection.rows(sql, isQuery: true) { _ in } }
        #expect(error?.kind == .denied)
        var names: [String] = []
        try connection.rows("SELECT Name FROM Account", isQuery: true) { names.append($0.text(0)) }
        #expect(names == ["kept"])
    }

    @Test("values are read as they were bound")
    func values() throws {
        let connection = try SQLiteConnection(path: ":memory:")
        let values: [SQLValue] = [.null, .integer(.min), .real(0.1), .text(""), .text("a\0b'é😀")]
        var read: [SQLValue] = []
        try connection.rows("SELECT ?1, ?2, ?3, ?4, ?5", values, isQuery: true) { row in
            read = (0..<row.columnCount).map { row.value($0) }
        }
        #expect(read == values)
    }

    @Test("a query that exceeds its time limit is interrupted, and a statement of the store is not")
    func timeLimit() throws {
        let connection = try SQLiteConnection(path: ":memory:")
        let list = "[" + String(repeating: "0,", count: 3_000) + "0]"
        let sql = "SELECT count(*) FROM json_each(?1) a, json_each(?1) b"
        let error = #expect(throws: DatabaseError.self) {
            try connection.rows(sql, [.text(list)], isQuery: true, limit: .zero) { _ in }
        }
        #expect(error?.kind == .interrupted)
        var count: Int64 = 0
        try connection.rows("SELECT count(*) FROM json_each(?1) a", [.text(list)], isQuery: true) {
            count = $0.integer(0)
        }
        #expect(count == 3_001)
    }

    /// A query with enough rows for minutes.
    private static let endless = "SELECT 1 FROM json_each(?1) a, json_each(?1) b, json_each(?1) c"
    private static let list = SQLValue.text("[" + String(repeating: "0,", count: 3_000) + "0]")

    @Test("a query that prevents the reset of a long log is ended, and the log is reset")
    func fullLog() async throws {
        try await withTemporaryDirectory { folder in
            let interruption = Interruption()
            let writer = try SQLiteConnection(path: folder + "/x.db", interruption)
            try writer.keepLog()
            try writer.run("CREATE TABLE t (x)")
            let reader = try SQLiteConnection(path: folder + "/x.db", interruption)
            let group = DispatchGroup()
            var isWriting = false
            #expect {
                try reader.snapshot(
                    { () throws(DatabaseError) in
                        try reader.rows("SELECT count(*) FROM t") { _ in }
                        try reader.rows(Self.endless, [Self.list], isQuery: true, limit: .seconds(300)) { _ in
                            guard !isWriting else { return }
                            isWriting = true
                            DispatchQueue(label: "writer").async(group: group) {
                                for _ in 0..<70 { try? writer.run("INSERT INTO t VALUES (zeroblob(1000000))") }
                            }
                        }
                    }, failure: { $0 })
            } throws: { error in
                (error as? DatabaseError)?.kind == .interrupted
            }
            group.wait()
            for _ in 0..<2 { try writer.run("INSERT INTO t VALUES (1)") }
            #expect(!interruption.isLogFull)
        }
    }

    @Test("a query ends at its processor time limit or with its org, and a statement of the store does not")
    func ends() throws {
        let interruption = Interruption()
        let connection = try SQLiteConnection(path: ":memory:", interruption)
        func kind() -> DatabaseError.Kind? {
            do {
                try connection.rows(Self.endless, [Self.list], isQuery: true, limit: .seconds(300)) { _ in }
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(connection.limited(to: .milliseconds(1)) { kind() } == .outgrown)
        interruption.end()
        #expect(kind() == .interrupted)
        var count: Int64 = 0
        try connection.limited(to: .zero) {
            let sql = "SELECT count(*) FROM json_each(?1) a, json_each(?1) b WHERE b.key < 100"
            try connection.rows(sql, [Self.list]) { count = $0.integer(0) }
        }
        #expect(count == 300_100)
    }

    @Test("a snapshot sees one state of the data during later writes")
    func snapshots() async throws {
        try await withTemporaryDirectory { folder in
            let writer = try SQLiteConnection(path: folder + "/x.db")
            try writer.keepLog()
            try writer.run("CREATE TABLE t (x)")
            let reader = try SQLiteConnection(path: folder + "/x.db")
            func count() throws(DatabaseError) -> Int64 {
                var count: Int64 = -1
                try reader.rows("SELECT count(*) FROM t") { count = $0.integer(0) }
                return count
            }
            try reader.snapshot(
                { () throws(DatabaseError) in
                    #expect(try count() == 0)
                    try writer.run("INSERT INTO t VALUES (1)")
                    #expect(try count() == 0)
                }, failure: { $0 })
            #expect(try count() == 1)
        }
    }

    @Test("a temporary file belongs only to its user, and has no name after it was opened")
    func temporaryFile() throws {
        let file = try DatabaseFile(.temporary("store"))
        #expect(file.isTemporary)
        let folder = URL(filePath: file.path).deletingLastPathComponent().path
        let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let connection = try SQLiteConnection(path: file.path)
        try connection.keepLog()
        file.forget()
        #expect(!FileManager.default.fileExists(atPath: folder))
        try connection.execute("CREATE TABLE t (x)")
        try connection.run("INSERT INTO t VALUES (1)")
    }
}

@Suite("The write-ahead log")
struct LogTests {
    /// Readers that overlap, so that at every time at least one snapshot is open.
    private final class Relay: Sendable {
        private let begun = Atomic(0)
        private let isOver = Atomic(false)
        private let group = DispatchGroup()

        init(_ database: SharedDatabase, _ count: Int) {
            for _ in 0..<count { DispatchQueue(label: "reader").async(group: group) { self.read(database) } }
            while begun.load(ordering: .acquiring) < count { usleep(100) }
        }

        private func read(_ database: SharedDatabase) {
            guard let reader = database.readers.take() else { return }
            defer { database.readers.giveBack(reader) }
            while !isOver.load(ordering: .acquiring) {
                try? reader.snapshot(
                    { () throws(DatabaseError) in
                        try reader.rows("SELECT count(*) FROM Note") { _ in }
                        let turn = begun.add(1, ordering: .acquiringAndReleasing).newValue
                        while begun.load(ordering: .acquiring) == turn, !isOver.load(ordering: .acquiring) {
                            usleep(100)
                        }
                    }, failure: { $0 })
            }
        }

        func stop() {
            isOver.store(true, ordering: .releasing)
            group.wait()
        }
    }

    @Test("the log is reset in spite of overlapping readers, so that it stays small")
    func bounded() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder + "/log.db"
            let database = try SharedDatabase(.file(path), readers: 3) { (connection) throws(DatabaseError) in
                try connection.execute("CREATE TABLE Note (Text TEXT)")
            }
            let readers = Relay(database, 3)
            var most = 0
            try database.writer.withLock { (connection) throws(DatabaseError) in
                try connection.execute("PRAGMA synchronous = OFF")
                for _ in 0..<900 {
                    try connection.run("INSERT INTO Note VALUES (hex(randomblob(50000)))")
                    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
                    most = max(most, (attributes?[.size] as? Int) ?? 0)
                }
            }
            readers.stop()
            database.close()
            // 90 MB were written, and the log is reset after 64 MiB.
            #expect(most > 0 && most < 72 << 20)
        }
    }
}

func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}

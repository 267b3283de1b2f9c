// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import Testing

@Suite("SQLite under a query")
struct SQLiteConnectionTests {
    @Test(
        "the authorizer denies a query everything but reading the org's tables (B64)",
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
        #expect {
            try connection.rows(sql, isQuery: true) { _ in }
        } throws: { error in
            (error as? DatabaseError)?.kind == .denied
        }
        var names: [String] = []
        try connection.rows("SELECT Name FROM Account", isQuery: true) { names.append($0.text(0)) }
        #expect(names == ["kept"])
    }

    @Test("values come back as they were bound")
    func values() throws {
        let connection = try SQLiteConnection(path: ":memory:")
        let values: [SQLValue] = [.null, .integer(.min), .real(0.1), .text(""), .text("a\0b'é😀")]
        var read: [SQLValue] = []
        try connection.rows("SELECT ?1, ?2, ?3, ?4, ?5", values, isQuery: true) { row in
            read = (0..<row.columnCount).map { row.value($0) }
        }
        #expect(read == values)
    }

    @Test("a statement that runs too long is interrupted; one of our own is not")
    func timeLimit() throws {
        let connection = try SQLiteConnection(path: ":memory:")
        let list = "[" + String(repeating: "0,", count: 3_000) + "0]"
        let sql = "SELECT count(*) FROM json_each(?1) a, json_each(?1) b"
        #expect {
            try connection.rows(sql, [.text(list)], isQuery: true, limit: .zero) { _ in }
        } throws: { error in
            (error as? DatabaseError)?.kind == .interrupted
        }
        var count: Int64 = 0
        try connection.rows("SELECT count(*) FROM json_each(?1) a", [.text(list)], isQuery: true) {
            count = $0.integer(0)
        }
        #expect(count == 3_001)
    }
}

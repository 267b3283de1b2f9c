// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestSQLite

/// Files and uploads as numbered contents, in pieces in the org's database.
///
/// A content never changes. So a part of one can be read without the rest, and however long it takes.
struct ContentStore: Sendable {
    var database: Database

    /// How long a piece is; its row is numbered by the content and its place in it.
    static let piece = 256 << 10
    private static let mostPieces: Int64 = 1 << 20

    /// Removes what an earlier run did not finish.
    static func sweep(_ connection: SQLiteConnection) throws(DatabaseError) {
        let sql = "SELECT \"Number\" FROM \"org.Content\" WHERE \"IsWhole\" = 0"
        for number in try connection.list(sql, [], { $0.integer(0) }) { try remove(number, connection) }
    }

    /// Keeps a long upload, a few pieces at a time, so that others can write in between.
    ///
    /// The body names it and makes it whole; if that fails, nothing stays of it.
    func keep<Result>(
        _ spool: Spool, _ body: (Int64) throws(OrgFault) -> Result
    ) throws(OrgFault) -> Result {
        let size = spool.count
        let number = try write { (connection) throws(DatabaseError) in try Self.begin(size, connection) }
        do throws(OrgFault) {
            try append(spool, to: number)
            return try body(number)
        } catch {
            try write { (connection) throws(DatabaseError) in try Self.remove(number, connection) }
            throw error
        }
    }

    private func append(_ spool: Spool, to number: Int64) throws(OrgFault) {
        let step = 16 * Self.piece
        for position in stride(from: 0, to: spool.count, by: step) {
            guard let bytes = spool.bytes(from: position, count: step) else { throw .storage }
            try write { (connection) throws(DatabaseError) in
                try Self.append(bytes, to: number, at: position, connection)
            }
        }
    }

    private func write<Result: Sendable>(
        _ body: (SQLiteConnection) throws(DatabaseError) -> Result
    ) throws(OrgFault) -> Result {
        try database.write { (connection) throws(OrgFault) -> Result in
            try OrgFault.wrapping { () throws(DatabaseError) in
                try connection.transaction(
                    { () throws(DatabaseError) -> Result in try body(connection) }, failure: { $0 })
            }
        }
    }

    /// Keeps bytes, inside of the caller's transaction.
    static func add(_ bytes: [UInt8], _ connection: SQLiteConnection) throws(DatabaseError) -> Int64 {
        let number = try begin(bytes.count, connection)
        try append(bytes, to: number, at: 0, connection)
        try makeWhole(number, connection)
        return number
    }

    private static func begin(_ size: Int, _ connection: SQLiteConnection) throws(DatabaseError) -> Int64 {
        try connection.run(
            "INSERT INTO \"org.Content\" (\"Size\", \"IsWhole\") VALUES (?1, 0)", [.integer(Int64(size))])
        return try connection.number("SELECT last_insert_rowid()")
    }

    private static func append(
        _ bytes: [UInt8], to number: Int64, at position: Int, _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let row = number * mostPieces + Int64((position + start) / piece)
            try connection.run(
                "INSERT INTO \"org.Piece\" VALUES (?1, ?2)",
                [.integer(row), .bytes(Array(bytes[start..<min(start + piece, bytes.count)]))])
        }
    }

    /// Something names the content now.
    static func makeWhole(_ number: Int64, _ connection: SQLiteConnection) throws(DatabaseError) {
        try connection.run("UPDATE \"org.Content\" SET \"IsWhole\" = 1 WHERE \"Number\" = ?1", [.integer(number)])
    }

    /// Removes a content that nothing names any more.
    static func remove(_ number: Int64, _ connection: SQLiteConnection) throws(DatabaseError) {
        try connection.run(
            "DELETE FROM \"org.Piece\" WHERE \"Number\" BETWEEN ?1 AND ?2",
            [.integer(number * mostPieces), .integer(number * mostPieces + mostPieces - 1)])
        try connection.run("DELETE FROM \"org.Content\" WHERE \"Number\" = ?1", [.integer(number)])
    }

    /// Some bytes of a content, fewer at its end; only the pieces that have them are read.
    static func bytes(
        of number: Int64, _ range: Range<Int>, _ connection: SQLiteConnection
    ) throws(DatabaseError) -> [UInt8] {
        guard !range.isEmpty else { return [] }
        let first = range.lowerBound / piece
        let bytes = try connection.list(
            "SELECT \"Data\" FROM \"org.Piece\" WHERE \"Number\" BETWEEN ?1 AND ?2 ORDER BY \"Number\"",
            [
                .integer(number * mostPieces + Int64(first)),
                .integer(number * mostPieces + Int64((range.upperBound - 1) / piece)),
            ]
        ) { $0.bytes(0) }.joined()
        return Array(bytes.dropFirst(range.lowerBound - first * piece).prefix(range.count))
    }
}

extension OrgFault {
    static let storage = OrgFault(400, "STORAGE_LIMIT_EXCEEDED", "storage limit exceeded")
}

/// The contents of a record's file.
struct Blob: Sendable {
    let content: Int64
    let size: Int

    /// A body may have no more.
    static let mostBytes = 50 << 20

    /// The file of a record; `nil` when it has none.
    static func find(
        _ record: String, _ field: String, _ connection: SQLiteConnection
    ) throws(DatabaseError) -> Blob? {
        try connection.list(
            """
            SELECT "Number", "Size" FROM "org.File" JOIN "org.Content" ON "Number" = "Content"
            WHERE "Record" = ?1 AND "Field" = ?2
            """, [.text(record), .text(field)]
        ) { Blob(content: $0.integer(0), size: Int(clamping: $0.integer(1))) }.last
    }

    /// Keeps the file of a record that has none.
    static func keep(
        _ bytes: [UInt8], _ record: String, _ field: String, _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        let content = try ContentStore.add(bytes, connection)
        try connection.run(
            "INSERT INTO \"org.File\" VALUES (?1, ?2, ?3)", [.text(record), .text(field), .integer(content)])
    }

    /// Removes the files of a record that is gone for good.
    static func remove(of record: String, _ connection: SQLiteConnection) throws(DatabaseError) {
        let sql = "SELECT \"Content\" FROM \"org.File\" WHERE \"Record\" = ?1"
        for content in try connection.list(sql, [.text(record)], { $0.integer(0) }) {
            try ContentStore.remove(content, connection)
        }
        try connection.run("DELETE FROM \"org.File\" WHERE \"Record\" = ?1", [.text(record)])
    }
}

// SPDX-License-Identifier: Apache-2.0

package import RestSQLite

/// The contents of files and uploads, stored as numbered sequences of chunks in the database.
///
/// A content never changes, so a part of it can be read without the rest and at any speed.
package struct ContentStore: Sendable {
    let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// The size of a chunk in bytes, whose row number consists of the content's number and the chunk's index.
    package static let chunk = 256 << 10
    private static let mostChunks: Int64 = 1 << 20

    private static let removal = [
        """
        DELETE FROM "org.Piece" WHERE "Number" BETWEEN ?1 * \(mostChunks) AND ?1 * \(mostChunks) + \(mostChunks - 1)
        """,
        "DELETE FROM \"org.Content\" WHERE \"Number\" = ?1",
    ]

    /// Removes contents that an earlier run did not complete.
    static func sweep(_ connection: SQLiteConnection) throws(DatabaseError) {
        let sql = "SELECT \"Number\" FROM \"org.Content\" WHERE \"IsWhole\" = 0"
        for number in try connection.list(sql, [], { $0.integer(0) }) {
            for sql in removal { try connection.run(sql, [.integer(number)]) }
        }
    }

    /// Stores a large upload in several transactions, so that other writes can happen in between.
    ///
    /// The body refers to the content and makes it whole. If the body throws, the content is removed.
    ///
    /// - Parameters:
    ///   - size: the size of the upload in bytes.
    ///   - source: returns `count` bytes from a position, or `nil` if they cannot be read.
    ///   - body: receives the number of the content.
    /// - Returns: the result of the body.
    /// - Throws: the body's error, or ``OrgError/storage`` if the source cannot be read.
    package func keep<Result>(
        _ size: Int, from source: (_ position: Int, _ count: Int) -> [UInt8]?,
        _ body: (Int64) throws(OrgError) -> Result
    ) throws(OrgError) -> Result {
        let number = try database.transaction { (connection) throws(OrgError) in try Self.begin(size, connection) }
        do throws(OrgError) {
            try append(size, from: source, to: number)
            return try body(number)
        } catch {
            try database.transaction { (connection) throws(OrgError) in try Self.remove(number, connection) }
            throw error
        }
    }

    private func append(
        _ size: Int, from source: (_ position: Int, _ count: Int) -> [UInt8]?, to number: Int64
    ) throws(OrgError) {
        let step = 16 * Self.chunk
        for position in stride(from: 0, to: size, by: step) {
            guard let bytes = source(position, step) else { throw .storage }
            try database.transaction { (connection) throws(OrgError) in
                try Self.append(bytes, to: number, at: position, connection)
            }
        }
    }

    /// Stores bytes in the caller's transaction and returns the number of the content.
    static func add(_ bytes: [UInt8], _ connection: SQLiteConnection) throws(OrgError) -> Int64 {
        let number = try begin(bytes.count, connection)
        try append(bytes, to: number, at: 0, connection)
        try makeWhole(number, connection)
        return number
    }

    package static func begin(_ size: Int, _ connection: SQLiteConnection) throws(OrgError) -> Int64 {
        try connection.change(
            "INSERT INTO \"org.Content\" (\"Size\", \"IsWhole\") VALUES (?1, 0)", [.integer(Int64(size))])
        return try connection.fetch("SELECT last_insert_rowid()") { $0.integer(0) }[0]
    }

    /// Adds bytes at a position that is a multiple of the chunk size.
    package static func append(
        _ bytes: [UInt8], to number: Int64, at position: Int, _ connection: SQLiteConnection
    ) throws(OrgError) {
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            let row = number * mostChunks + Int64((position + start) / chunk)
            try connection.change(
                "INSERT INTO \"org.Piece\" VALUES (?1, ?2)",
                [.integer(row), .bytes(Array(bytes[start..<min(start + chunk, bytes.count)]))])
        }
    }

    /// Marks a content as whole, because something refers to it now.
    package static func makeWhole(_ number: Int64, _ connection: SQLiteConnection) throws(OrgError) {
        try connection.change("UPDATE \"org.Content\" SET \"IsWhole\" = 1 WHERE \"Number\" = ?1", [.integer(number)])
    }

    /// Removes a content that nothing refers to.
    package static func remove(_ number: Int64, _ connection: SQLiteConnection) throws(OrgError) {
        for sql in removal { try connection.change(sql, [.integer(number)]) }
    }

    /// Returns a range of a content's bytes, or fewer bytes at its end, by reading only the chunks in the range.
    package static func bytes(
        of number: Int64, _ range: Range<Int>, _ connection: SQLiteConnection
    ) throws(OrgError) -> [UInt8] {
        guard !range.isEmpty else { return [] }
        let first = range.lowerBound / chunk
        var bytes: [UInt8] = []
        let pieces = try connection.fetch(
            "SELECT \"Data\" FROM \"org.Piece\" WHERE \"Number\" BETWEEN ?1 AND ?2 ORDER BY \"Number\"",
            [
                .integer(number * mostChunks + Int64(first)),
                .integer(number * mostChunks + Int64((range.upperBound - 1) / chunk)),
            ]
        ) { $0.bytes(0) }
        for piece in pieces { bytes += piece }
        return Array(bytes.dropFirst(range.lowerBound - first * chunk).prefix(range.count))
    }
}

package struct Blob: Sendable {
    package let content: Int64
    package let size: Int

    /// The maximum size of a file in bytes.
    package static let mostBytes = 50 << 20

    /// Returns the file of a record, or `nil` if there is none.
    package static func find(
        _ record: String, _ field: String, _ connection: SQLiteConnection
    ) throws(OrgError) -> Blob? {
        try connection.fetch(
            """
            SELECT "Number", "Size" FROM "org.File" JOIN "org.Content" ON "Number" = "Content"
            WHERE "Record" = ?1 AND "Field" = ?2
            """, [.text(record), .text(field)]
        ) { Blob(content: $0.integer(0), size: Int(clamping: $0.integer(1))) }.last
    }

    package static func keep(
        _ bytes: [UInt8], _ record: String, _ field: String, _ connection: SQLiteConnection
    ) throws(OrgError) {
        let content = try ContentStore.add(bytes, connection)
        try connection.change(
            "INSERT INTO \"org.File\" VALUES (?1, ?2, ?3)", [.text(record), .text(field), .integer(content)])
    }

    /// Removes the files of a permanently deleted record.
    static func remove(of record: String, _ connection: SQLiteConnection) throws(OrgError) {
        let sql = "SELECT \"Content\" FROM \"org.File\" WHERE \"Record\" = ?1"
        for content in try connection.fetch(sql, [.text(record)], { $0.integer(0) }) {
            try ContentStore.remove(content, connection)
        }
        try connection.change("DELETE FROM \"org.File\" WHERE \"Record\" = ?1", [.text(record)])
    }
}

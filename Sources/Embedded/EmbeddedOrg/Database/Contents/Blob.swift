// SPDX-License-Identifier: Apache-2.0

import LocalServer

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
        var blob: Blob?
        try connection.rows(
            """
            SELECT "Number", "Size" FROM "org.File" JOIN "org.Content" ON "Number" = "Content"
            WHERE "Record" = ?1 AND "Field" = ?2
            """, [.text(record), .text(field)]
        ) { blob = Blob(content: $0.integer(0), size: Int(clamping: $0.integer(1))) }
        return blob
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
        var contents: [Int64] = []
        try connection.rows("SELECT \"Content\" FROM \"org.File\" WHERE \"Record\" = ?1", [.text(record)]) {
            contents.append($0.integer(0))
        }
        for content in contents { try ContentStore.remove(content, connection) }
        try connection.run("DELETE FROM \"org.File\" WHERE \"Record\" = ?1", [.text(record)])
    }
}

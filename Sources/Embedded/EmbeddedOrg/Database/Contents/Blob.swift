// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

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

    /// Takes over what an earlier version of the org kept in base 64.
    static func convert(_ connection: SQLiteConnection) throws(DatabaseError) {
        var places: [(record: String, field: String)] = []
        guard try !connection.isMissing("org.Blob") else { return }
        try connection.rows("SELECT \"Record\", \"Field\" FROM \"org.Blob\"") {
            places.append(($0.text(0), $0.text(1)))
        }
        for (record, field) in places {
            var bytes: [UInt8] = []
            try connection.rows(
                "SELECT \"Data\" FROM \"org.Blob\" WHERE \"Record\" = ?1 AND \"Field\" = ?2",
                [.text(record), .text(field)]
            ) { bytes = Base64.decode($0.text(0)) ?? [] }
            try keep(bytes, record, field, connection)
        }
        try connection.execute("DROP TABLE \"org.Blob\"")
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

extension SQLiteConnection {
    /// Whether there is no table of that name.
    fileprivate func isMissing(_ table: String) throws(DatabaseError) -> Bool {
        var isMissing = true
        try rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1", [.text(table)]) { _ in
            isMissing = false
        }
        return isMissing
    }
}

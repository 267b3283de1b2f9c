// SPDX-License-Identifier: Apache-2.0

import LocalServer

/// Tells whether anything was written to a database, from a connection of its own.
package struct StoredState {
    private let connection: SQLiteConnection

    /// Opens the database.
    ///
    /// - Throws: when it cannot be opened.
    package init(file: String) throws {
        connection = try SQLiteConnection(path: file)
    }

    /// Another number after every transaction of others that has written (`PRAGMA data_version`).
    package var version: Int64 {
        var version: Int64 = -1
        try? connection.rows("PRAGMA data_version") { version = $0.integer(0) }
        return version
    }

    /// What all rows of all tables but one come to, or `nil` when they cannot be read.
    package func digest(without table: String) -> Int? {
        try? connection.snapshot({ () throws(DatabaseError) in try read(without: table) }, failure: { $0 })
    }

    private func read(without table: String) throws(DatabaseError) -> Int {
        var names: [String] = []
        try connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> ?1 ORDER BY name", [.text(table)]
        ) { names.append($0.text(0)) }
        var hasher = Hasher()
        for name in names {
            hasher.combine(name)
            try connection.rows("SELECT * FROM \"\(name)\"") { row in
                for column in 0..<row.columnCount {
                    hasher.combine(row.kind(column))
                    hasher.combine(row.bytes(column))
                }
            }
        }
        return hasher.finalize()
    }
}

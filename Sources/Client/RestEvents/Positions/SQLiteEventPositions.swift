// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSQLite
import Synchronization

/// Stores the positions of named subscriptions in a table of a SQLite database.
///
/// The table is `restsdk_event_positions`, with the columns `subscription`, `channel` and `replay_id` (the string form
/// of ``ReplayID``). The database may have other tables.
public final class SQLiteEventPositions: EventPositionStore {
    /// The path of the database.
    public let path: String
    private let connection: Mutex<SQLiteConnection>

    /// Opens or creates the database and its table.
    ///
    /// - Throws: ``EventError/Code/store`` if the database cannot be opened.
    public init(path: String) throws(EventError) {
        self.path = path
        do throws(DatabaseError) {
            PrivateFile(path: path).make()
            let opened = try SQLiteConnection(path: path)
            try opened.keepLog()
            try opened.execute("PRAGMA synchronous = NORMAL")
            try opened.execute(
                """
                CREATE TABLE IF NOT EXISTS restsdk_event_positions (
                    subscription TEXT NOT NULL, channel TEXT NOT NULL, replay_id TEXT NOT NULL,
                    PRIMARY KEY (subscription, channel)) WITHOUT ROWID
                """)
            connection = Mutex(opened)
        } catch {
            throw EventError(.store, "\(path): \(error.message)", underlying: error)
        }
    }

    /// Locks the name with a file next to the database.
    public func lock(_ name: String) throws(EventError) -> EventLock {
        let (directory, file) = path.cut(lastByte: "/") ?? (".", path[...])
        return try EventLock(file: "\(file)-\(name).lock", in: directory.isEmpty ? "/" : String(directory))
    }

    /// Reads the positions of the table.
    public func positions(of name: String) throws(EventError) -> [EventPosition] {
        let rows = try perform { connection throws(DatabaseError) in
            try connection.list(
                "SELECT channel, replay_id FROM restsdk_event_positions WHERE subscription = ?", [.text(name)]
            ) { ($0.text(0), $0.text(1)) }
        }
        return try rows.map { (channel, text) throws(EventError) in
            guard let id = ReplayID(text) else {
                throw EventError(.store, "\(path) has an invalid position; delete its row to start without it")
            }
            return EventPosition(channel: channel, replayID: id)
        }
    }

    /// Writes a row of the table.
    public func save(_ position: EventPosition, of name: String) throws(EventError) {
        try perform { connection throws(DatabaseError) in
            try connection.run(
                """
                INSERT INTO restsdk_event_positions (subscription, channel, replay_id) VALUES (?, ?, ?)
                ON CONFLICT (subscription, channel) DO UPDATE SET replay_id = excluded.replay_id
                """, [.text(name), .text(position.channel), .text(position.replayID.description)])
        }
    }

    private func perform<Value: Sendable>(
        _ body: (SQLiteConnection) throws(DatabaseError) -> Value
    ) throws(EventError) -> Value {
        do throws(DatabaseError) {
            return try connection.withLock { connection throws(DatabaseError) in try body(connection) }
        } catch {
            throw EventError(.store, "\(path): \(error.message)", underlying: error)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestEvents

/// The positions of feeds, in the same database and the same transactions as their tables.
struct Positions: EventTransactionStore {
    /// The path of the database, next to which a file locks each feed.
    let file: String

    /// Locks a feed, so that no other process follows the same object in the same file.
    func lock(_ name: String) throws -> EventLock {
        let url = URL(filePath: file)
        return try EventLock(
            file: "\(url.lastPathComponent)-\(name).lock", in: url.deletingLastPathComponent().path)
    }

    /// Creates the table of positions if it does not exist.
    func prepare(_ database: Database) throws {
        try database.run(
            "CREATE TABLE IF NOT EXISTS feed_positions (feed TEXT, channel TEXT, id TEXT, PRIMARY KEY (feed, channel))")
    }

    func positions(of name: String, in database: Database) throws -> [EventPosition] {
        try database.rows("SELECT channel, id FROM feed_positions WHERE feed = ?", [.text(name)]).compactMap { row in
            guard case .text(let channel) = row[0], case .text(let text) = row[1], let id = ReplayID(text) else {
                return nil
            }
            return EventPosition(channel: channel, replayID: id)
        }
    }

    func advance(to position: EventPosition, of name: String, in database: Database) throws {
        try database.run(
            "INSERT OR REPLACE INTO feed_positions VALUES (?, ?, ?)",
            for: [[.text(name), .text(position.channel), .text(position.replayID.description)]])
    }

    /// Removes the positions of a feed, which then reads all records again.
    func forget(_ name: String, in database: Database) throws {
        try database.run("DELETE FROM feed_positions WHERE feed = ?", for: [[.text(name)]])
    }
}

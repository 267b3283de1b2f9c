// SPDX-License-Identifier: Apache-2.0

import LocalServer
import Synchronization

/// The deleted records that `queryAll` still finds: the last ones of each object.
///
/// Without a limit, an org that creates and deletes would grow without end.
final class RecycleBin: Sendable {
    private let capacity: Int
    /// The deletions of each object since its bin was emptied to its capacity.
    private let deletions = Mutex<[String: Int]>([:])

    /// A bin is checked after so many deletions, so it holds at most that many beyond its capacity.
    static let interval = 100

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// Notes the deletion of a record, inside its transaction.
    func add(_ object: String, _ connection: SQLiteConnection) throws(DatabaseError) {
        let isDue = deletions.withLock { deletions in
            deletions[object, default: Self.interval - 1] += 1
            guard deletions[object, default: 0] >= Self.interval else { return false }
            deletions[object] = 0
            return true
        }
        if isDue { try empty(object, connection) }
    }

    /// Removes what is beyond the capacity, the oldest first; the row with the largest number stays, so that no number
    /// is used twice.
    private func empty(_ object: String, _ connection: SQLiteConnection) throws(DatabaseError) {
        var count: Int64 = 0
        try connection.rows("SELECT count(*) FROM \"\(object)\" WHERE \"IsDeleted\" = 1") { count = $0.integer(0) }
        let surplus = count - Int64(clamping: capacity)
        guard surplus > 0 else { return }
        try connection.run(
            """
            DELETE FROM "\(object)" WHERE rowid < (SELECT max(rowid) FROM "\(object)") AND rowid IN
            (SELECT rowid FROM "\(object)" WHERE "IsDeleted" = 1 ORDER BY "SystemModstamp" LIMIT ?1)
            """, [.integer(surplus)])
    }
}

// SPDX-License-Identifier: Apache-2.0

import LocalServer
import SOQLSyntax

/// The records that users have looked at last, as queries with FOR VIEW and FOR REFERENCE tell.
struct RecentRecords {
    let database: Database

    /// How many are kept for each user, as on the platform.
    static let capacity = 200

    /// Puts records in front of those that the user has looked at before.
    func note(_ seen: [String], _ usage: SOQLUsage, by user: String) throws(OrgFault) {
        guard !seen.isEmpty else { return }
        try database.write { (connection) throws(OrgFault) in
            try connection.transaction(
                { () throws(OrgFault) in
                    do throws(DatabaseError) {
                        try keep(seen.prefix(Self.capacity), usage, .text(user), connection)
                    } catch {
                        throw OrgFault(error)
                    }
                }, failure: OrgFault.init)
        }
    }

    private func keep(
        _ seen: ArraySlice<String>, _ usage: SOQLUsage, _ user: SQLValue, _ connection: SQLiteConnection
    ) throws(DatabaseError) {
        let now = SQLValue.text(WireTime.now)
        let viewed = usage == .view ? now : .null
        for id in seen.reversed() {
            try connection.run(
                """
                REPLACE INTO "org.Usage" ("User", "Record", "Viewed", "Referenced") VALUES (?1, ?2, coalesce(?3,
                (SELECT "Viewed" FROM "org.Usage" WHERE "User" = ?1 AND "Record" = ?2)), ?4)
                """, [user, .text(id), viewed, now])
        }
        try connection.run(
            """
            DELETE FROM "org.Usage" WHERE "User" = ?1 AND rowid <= (
            SELECT rowid FROM "org.Usage" WHERE "User" = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2)
            """, [user, .integer(Int64(Self.capacity))])
    }

    /// The column with the time of what a user did with a record; both ids are the org's own.
    static func time(of usage: RecordUsage, _ record: String, by user: String) -> String {
        let column = usage == .viewed ? "Viewed" : "Referenced"
        return "(SELECT \"\(column)\" FROM \"org.Usage\" WHERE \"User\" = '\(user)' AND \"Record\" = '\(record)')"
    }

    /// The ids that a user has looked at, the latest first.
    func ids(of user: String) throws(OrgFault) -> [String] {
        try database.read { (connection) throws(OrgFault) -> [String] in
            var ids: [String] = []
            do throws(DatabaseError) {
                try connection.rows(
                    "SELECT \"Record\" FROM \"org.Usage\" WHERE \"User\" = ?1 ORDER BY rowid DESC", [.text(user)]
                ) { ids.append($0.text(0)) }
            } catch {
                throw OrgFault(error)
            }
            return ids
        }
    }
}

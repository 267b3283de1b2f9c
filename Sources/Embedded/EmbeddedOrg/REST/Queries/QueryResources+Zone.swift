// SPDX-License-Identifier: Apache-2.0

import LocalServer

extension QueryResources {
    /// The time zone of a user: the one of the user's record, else the org's.
    func zone(of user: String) throws(OrgFault) -> ZoneRules {
        try database.read { (connection) throws(OrgFault) in try connection.zone(of: user) }
    }
}

extension SQLiteConnection {
    /// The time zone of a user: the one of the user's record, else the org's.
    func zone(of user: String) throws(OrgFault) -> ZoneRules {
        var zone: ZoneRules?
        let sql = """
            SELECT "TimeZoneSidKey" FROM "User" WHERE "Id" = ?1
            UNION ALL SELECT "TimeZoneSidKey" FROM "Organization"
            """
        do throws(DatabaseError) {
            // A record can have any text there.
            try rows(sql, [.text(user)]) { zone = zone ?? ($0.isNull(0) ? nil : ZoneRules.named($0.text(0))) }
        } catch {
            throw OrgFault(error)
        }
        return zone ?? .utc
    }
}

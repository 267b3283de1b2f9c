// SPDX-License-Identifier: Apache-2.0

import LocalServer
import Synchronization

/// The time zone that an org is started with.
enum OrgTimeZone {
    static func check(_ name: String?) throws(LocalOrgError) {
        guard let name, ZoneRules.named(name) == nil else { return }
        throw LocalOrgError(
            code: .unknownTimeZone,
            message: "there is no time zone '\(name)' in /usr/share/zoneinfo; write it like 'America/New_York', and "
                + "install the system's package tzdata if the folder is not there")
    }

    /// Gives the zone to the org, and to the users who have the org's old one.
    static func set(_ name: String?, in database: SharedDatabase) throws(LocalOrgError) {
        guard let name else { return }
        do throws(DatabaseError) {
            try database.writer.withLock { (connection) throws(DatabaseError) in
                try connection.transaction(
                    { () throws(DatabaseError) in
                        try connection.run(
                            """
                            UPDATE "User" SET "TimeZoneSidKey" = ?1
                            WHERE "TimeZoneSidKey" IN (SELECT "TimeZoneSidKey" FROM "Organization")
                            """, [.text(name)])
                        try connection.run("UPDATE \"Organization\" SET \"TimeZoneSidKey\" = ?1", [.text(name)])
                    }, failure: { $0 })
            }
        } catch {
            throw LocalOrgError(code: .failed, message: "the org's time zone cannot be written: \(error.message)")
        }
    }
}

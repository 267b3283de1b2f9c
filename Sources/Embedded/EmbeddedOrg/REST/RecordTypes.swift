// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// The record types of all objects, as describes tell them.
struct RecordTypes: Sendable {
    private struct Info: Sendable {
        let id: String
        let name: String
        let developerName: String
        let isActive: Bool
    }

    private var infos: [String: [Info]] = [:]
    /// When one of them was changed last, in seconds since 1970.
    private(set) var modified: Int64 = 0

    /// How many there are.
    var count: Int { infos.values.reduce(0) { $0 + $1.count } }

    /// The record type of records that have none; it has no record.
    private static let master = Info(
        id: RecordID.masterRecordType, name: "Master", developerName: "Master", isActive: true)

    init(_ database: Database) throws(OrgFault) {
        var (infos, latest): ([String: [Info]], String) = ([:], "")
        try database.read { (connection) throws(OrgFault) in
            try OrgFault.wrapping { () throws(DatabaseError) in
                try connection.rows(
                    """
                    SELECT "SobjectType", "Id", "Name", "DeveloperName", "IsActive", "SystemModstamp" FROM "RecordType"
                    WHERE "IsDeleted" = 0 ORDER BY rowid
                    """
                ) { row in
                    let info = Info(
                        id: row.text(1), name: row.text(2), developerName: row.text(3), isActive: row.integer(4) == 1)
                    infos[row.text(0).lowercased(), default: []].append(info)
                    latest = max(latest, row.text(5))
                }
            }
        }
        self.infos = infos
        modified = JSONTimestamp(latest)?.seconds ?? 0
    }

    /// Writes `recordTypeInfos`; every record may have the master's, which is the default.
    func write(of object: SObjectSchema, _ version: APIVersion, _ writer: inout JSONWriter) {
        writer.key("recordTypeInfos")
        writer.beginArray()
        for info in (infos[object.name.lowercased()] ?? []) + [Self.master] {
            let isMaster = info.id == Self.master.id
            writer.beginObject()
            writer.member("active", info.isActive)
            writer.member("available", info.isActive)
            writer.member("defaultRecordTypeMapping", isMaster)
            writer.member("developerName", info.developerName)
            writer.member("master", isMaster)
            writer.member("name", info.name)
            writer.member("recordTypeId", info.id)
            writer.key("urls")
            writer.object([("layout", "\(version.path)/sobjects/\(object.name)/describe/layouts/\(Self.master.id)")])
            writer.endObject()
        }
        writer.endArray()
    }
}

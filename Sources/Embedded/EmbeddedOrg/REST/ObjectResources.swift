// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import RestTransport
import SOQLStore

/// `/sobjects/T/updated` and `/sobjects/T/deleted`: the changes within a time window.
struct ChangeWindows {
    let store: RecordStore

    /// The maximum age of a window's start in days, as on Salesforce, for deletions and updates.
    private static let (daysOfDeletions, daysOfUpdates): (Int64, Int64) = (15, 30)
    private static let mostRecords = 600_000

    func respond(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgError) -> ServerResponse {
        try call.allow("GET")
        let isDeleted = call.rest[2] == "deleted"
        let start = try time("start", call)
        let end = try time("end", call)
        guard start < end else { throw .replicationDate("startDate must be before endDate") }
        let days = isDeleted ? Self.daysOfDeletions : Self.daysOfUpdates
        let earliest = WireTime.datetime(milliseconds: (WireTime.milliseconds / 1_000 - days * 86_400) * 1_000)
        guard start >= earliest else { throw .replicationDate("startDate cannot be more than \(days) days ago") }
        let found = try rows(of: object, isDeleted: isDeleted, from: start, to: end)
        let latest = JSONValue(min(end, WireTime.now))
        guard isDeleted else {
            return .json(value: [
                "ids": JSONValue(JSONArray(found.map { JSONValue($0.id) })), "latestDateCovered": latest,
            ])
        }
        let records = found.map { ["deletedDate": JSONValue($0.time), "id": JSONValue($0.id)] as JSONValue }
        return .json(value: [
            "deletedRecords": JSONValue(JSONArray(records)), "earliestDateAvailable": JSONValue(earliest),
            "latestDateCovered": latest,
        ])
    }

    /// Returns a time from the URL without fractions of a second, because the times of records have none.
    private func time(_ name: String, _ call: RESTRouter.Call) throws(OrgError) -> String {
        guard let text = call.path.parameter(name) else {
            throw OrgError("MISSING_ARGUMENT", "The parameter \(name) is missing")
        }
        // A plus that was not encoded arrives as a space.
        let repaired = text.split(byte: " ", omittingEmptySubsequences: false).joined(separator: "+")
        guard let time = WireTime.normalizedDatetime(repaired)?.dropLast(".000+0000".utf8.count) else {
            throw .replicationDate("\(name)Date is not a date and time: \(text.prefix(60))")
        }
        return time + ".000+0000"
    }

    private func rows(
        of object: SObjectSchema, isDeleted: Bool, from start: String, to end: String
    ) throws(OrgError) -> [(id: String, time: String)] {
        let rows = try store.database.fetch(
            """
            SELECT "Id", "SystemModstamp" FROM "\(object.name)" WHERE "IsDeleted" = ?1
            AND "SystemModstamp" >= ?2 AND "SystemModstamp" <= ?3 ORDER BY "SystemModstamp", rowid LIMIT ?4
            """,
            [.integer(isDeleted ? 1 : 0), .text(start), .text(end), .integer(Int64(Self.mostRecords + 1))],
            isQuery: true
        ) { (id: $0.text(0), time: $0.text(1)) }
        guard rows.count <= Self.mostRecords else {
            throw OrgError(
                "EXCEEDED_ID_LIMIT", "The window has more than \(Self.mostRecords) records; ask for a shorter one")
        }
        return rows
    }
}

extension OrgError {
    fileprivate static func replicationDate(_ message: String) -> OrgError {
        OrgError("INVALID_REPLICATION_DATE", message)
    }
}

/// `/limits/recordCount`: the number of records of each object.
struct RecordCount {
    let store: RecordStore

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("GET")
        let names = call.path.parameter("sObjects")?.split(byte: ",").map(String.init)
        var counts: [JSONValue] = []
        for object in store.schema.objects {
            // Unknown names are ignored, as on Salesforce. The org's own objects are not counted.
            guard !object.abilities.isEmpty, object.publishing == nil else { continue }
            guard names?.contains(where: { $0.lowercased() == object.name.lowercased() }) ?? true else { continue }
            let count = try store.database.fetch("SELECT count(*) FROM \"\(object.name)\" WHERE \"IsDeleted\" = 0") {
                $0.integer(0)
            }
            counts.append(["count": JSONValue(count[0]), "name": JSONValue(object.name)])
        }
        return .json(value: ["sObjects": JSONValue(JSONArray(counts))])
    }
}

/// `/sobjects/User/ID/password`: whether a password has expired, a new password, or a generated one.
struct PasswordResource {
    let store: RecordStore
    let users: UserLogin

    func respond(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgError) -> ServerResponse {
        try call.allow("GET", "POST", "DELETE")
        let name = try object.field(named: "Username").flatMap { (field) throws(OrgError) in
            try store.text(field, call.rest[2], of: object)
        }
        let id = RecordID.normalized(call.rest[2]) ?? ""
        switch call.method {
        case "GET": return .json(value: ["isExpired": false])
        case "DELETE":
            let password = RandomText.make(12)
            users.change(password, of: id, username: name ?? id)
            return .json(value: ["NewPassword": JSONValue(password)])
        default:
            guard let password = try RecordInput.members(call.request.body)["NewPassword"]?.string else {
                throw OrgError("MISSING_ARGUMENT", "NewPassword is missing")
            }
            guard (8...16_000).contains(password.utf8.count) else {
                throw OrgError("INVALID_NEW_PASSWORD", "Your password must be at least 8 characters long.")
            }
            users.change(password, of: id, username: name ?? id)
            return .empty(204)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport
import Synchronization

/// The records that users have looked at last, as queries with FOR VIEW and FOR REFERENCE tell.
///
/// They are kept in memory, and forgotten when the org stops.
final class RecentRecords: Sendable {
    /// How many are kept for each user, as on the platform.
    static let capacity = 200

    /// The ids of each user, the latest first.
    private let ids = Mutex<[String: [String]]>([:])

    /// Puts records in front of those that the user has looked at before.
    func note(_ seen: [String], by user: String) {
        guard !seen.isEmpty else { return }
        let latest = seen.prefix(Self.capacity)
        let known = Set(latest)
        ids.withLock { ids in
            let earlier = (ids[user] ?? []).filter { !known.contains($0) }
            ids[user] = Array((latest + earlier).prefix(Self.capacity))
        }
    }

    /// The ids that a user has looked at, the latest first.
    func records(of user: String) -> [String] { ids.withLock { $0[user] ?? [] } }
}

extension RecordResources {
    /// `/recent`: the records that the user has looked at last, of all objects.
    func recent(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET")
        let text = call.path.parameter("limit")
        let limit = text.map { Int(outside: $0, in: .count) } ?? RecentRecords.capacity
        guard let limit, (1...RecentRecords.capacity).contains(limit) else {
            throw OrgFault(400, "INVALID_QUERY_SCOPE", "limit is a number from 1 to \(RecentRecords.capacity)")
        }
        return .json(200, recentItems(call, limit: limit) { _ in true })
    }

    /// A JSON array of the records looked at last, each with its id and name; deleted ones are left out.
    func recentItems(
        _ call: RESTRouter.Call, limit: Int, _ isWanted: (SObjectSchema) -> Bool
    ) -> [UInt8] {
        var items: [[UInt8]] = []
        for id in recents.records(of: call.userID) where items.count < limit {
            guard let object = store.schema.objects.first(where: { id.hasPrefix($0.keyPrefix) }), isWanted(object)
            else { continue }
            let fields = object.fields.filter { $0.name == "Id" || $0.isNameField }
            guard let item = try? store.read(id, fields, of: object, version: call.version) else { continue }
            items.append(item)
        }
        return Array("[".utf8) + items.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
    }
}

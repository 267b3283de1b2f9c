// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestTransport

extension RecordResources {
    /// `/recent`: the records that the user has looked at last, of all objects.
    func recent(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET")
        let text = call.path.parameter("limit")
        let limit = text.map { Int(outside: $0, in: .count) } ?? RecentRecords.capacity
        guard let limit, (1...RecentRecords.capacity).contains(limit) else {
            throw OrgFault(400, "INVALID_QUERY_SCOPE", "limit is a number from 1 to \(RecentRecords.capacity)")
        }
        return .json(200, try recentItems(call, limit: limit) { _ in true })
    }

    /// A JSON array of the records looked at last, each with its id and name; deleted ones are left out.
    func recentItems(
        _ call: RESTRouter.Call, limit: Int, _ isWanted: (SObjectSchema) -> Bool
    ) throws(OrgFault) -> [UInt8] {
        var items: [[UInt8]] = []
        for id in try RecentRecords(database: store.database).ids(of: call.userID) where items.count < limit {
            guard let object = store.schema.objects.first(where: { id.hasBytes(prefix: $0.keyPrefix) }),
                isWanted(object)
            else { continue }
            let fields = object.fields.filter { $0.name == "Id" || $0.isNameField }
            guard let item = try? store.read(id, fields, of: object, version: call.version) else { continue }
            items.append(item)
        }
        return Array("[".utf8) + items.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
    }
}

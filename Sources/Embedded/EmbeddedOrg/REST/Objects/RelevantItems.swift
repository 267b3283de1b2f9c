// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText

/// `/sobjects/relevantItems`: the records that matter most to a user, which are those looked at last, by object.
struct RelevantItems {
    let records: RecordResources

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET")
        let names = call.path.parameter("sobjects")?.split(byte: ",").map(String.init)
        let known = call.path.parameter("lastUpdatedId")
        let ids = try RecentRecords(database: records.store.database).ids(of: call.userID)
        var groups: [JSONValue] = []
        for object in try objects(names) {
            let own = ids.filter { $0.hasBytes(prefix: object.keyPrefix) }
            guard let first = own.first, call.path.parameter("\(object.name).lastUpdatedId") != first else { continue }
            groups.append([
                "apiName": JSONValue(object.name), "key": JSONValue(object.keyPrefix),
                "label": JSONValue(object.labelPlural), "lastUpdatedId": JSONValue(first),
                "qualifiedApiName": JSONValue(object.name),
                "recordIds": JSONValue(JSONArray(own.map { JSONValue($0) })),
            ])
        }
        // The client gives the id back to be told only what is new.
        let latest = ids.first ?? ""
        var response = ServerResponse.json(value: JSONValue(JSONArray(known == latest ? [] : groups)))
        response.fields += [
            ("lastUpdatedId", latest), ("newResultSetSinceLastQuery", known == latest ? "false" : "true"),
        ]
        return response
    }

    private func objects(_ names: [String]?) throws(OrgFault) -> [SObjectSchema] {
        let schema = records.store.schema
        guard let names else { return schema.objects }
        var objects: [SObjectSchema] = []
        for name in names.prefix(100) {
            guard let object = schema.object(named: name) else { throw .unknownObject(name) }
            objects.append(object)
        }
        return objects
    }
}

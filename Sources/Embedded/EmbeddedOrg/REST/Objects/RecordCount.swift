// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText

/// `/limits/recordCount`: how many records objects have.
struct RecordCount {
    let store: RecordStore

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET")
        let names = call.path.parameter("sObjects")?.split(byte: ",").map(String.init)
        var counts: [JSONValue] = []
        for object in store.schema.objects {
            // Names that are no object's are passed over, as on the platform.
            // What the org knows of itself is no data.
            guard !object.abilities.isEmpty else { continue }
            guard names?.contains(where: { $0.lowercased() == object.name.lowercased() }) ?? true else { continue }
            counts.append(["count": JSONValue(try count(object)), "name": JSONValue(object.name)])
        }
        return .json(value: ["sObjects": JSONValue(JSONArray(counts))])
    }

    private func count(_ object: SObjectSchema) throws(OrgFault) -> Int {
        try store.database.read { (connection) throws(OrgFault) -> Int in
            var count = 0
            do throws(DatabaseError) {
                try connection.rows("SELECT count(*) FROM \"\(object.name)\" WHERE \"IsDeleted\" = 0") {
                    count = Int(clamping: $0.integer(0))
                }
            } catch {
                throw OrgFault(error)
            }
            return count
        }
    }
}

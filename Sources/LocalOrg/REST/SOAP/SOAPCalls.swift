// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// The calls of a SOAP session.
struct SOAPCalls {
    let tokens: TokenService
    let store: RecordStore
    let version: APIVersion

    private static let names = [
        "logout", "getUserInfo", "describeGlobal", "describeSObject", "describeSObjects", "delete", "undelete",
        "emptyRecycleBin",
    ]
    /// The calls as a message names them.
    static var list: String { (["login"] + names).joined(separator: ", ") }
    /// The objects of one describeSObjects, as on the platform.
    private static let mostObjects = 100
    /// The records of one call, as on the platform.
    private static let mostRecords = 200

    func knows(_ call: XMLElement) -> Bool { Self.names.contains(call.name) }

    /// The answer to a call, without the envelope.
    func answer(_ call: XMLElement, _ session: String) throws(OAuthRefusal) -> String {
        switch call.name {
        case "getUserInfo": return result(of: call, [SOAPUser(identity: tokens.identity).elements])
        case "describeGlobal":
            return result(of: call, [content(DescribeResources(schema: store.schema).global(version))])
        case "describeSObject", "describeSObjects":
            let names = call.texts("sObjectType")
            guard (1...Self.mostObjects).contains(names.count) else {
                throw OAuthRefusal("INVALID_TYPE", "describeSObjects takes the names of 1 to 100 objects")
            }
            var results: [String] = []
            for name in names { results.append(try describe(name)) }
            return result(of: call, results)
        case "delete", "undelete", "emptyRecycleBin":
            let ids = call.texts("ids")
            guard ids.count <= Self.mostRecords else {
                throw OAuthRefusal(
                    "EXCEEDED_ID_LIMIT", "record limit reached. cannot submit more than 200 records into this call")
            }
            return result(of: call, ids.map { write($0, call.name) })
        default:
            _ = tokens.revoke(session)
            return result(of: call, [])
        }
    }

    /// What came of one record: its id, or what is wrong with it.
    private func write(_ id: String, _ operation: String) -> String {
        do throws(OrgFault) {
            guard let object = store.schema.objects.first(where: { id.hasPrefix($0.keyPrefix) }) else {
                throw .malformedID(id)
            }
            switch operation {
            case "delete": try store.delete(id, of: object)
            case "undelete": try store.undelete(id, of: object)
            default: try store.purge(id, of: object)
            }
            return XMLText.content(of: ["id": JSONValue(RecordID.normalized(id) ?? id), "success": true])
        } catch {
            let fault: JSONValue = ["message": JSONValue(error.message), "statusCode": JSONValue(error.code)]
            return XMLText.content(of: ["errors": fault, "id": JSONValue(id), "success": false])
        }
    }

    private func result(of call: XMLElement, _ results: [String]) -> String {
        "<\(call.name)Response>" + results.map { "<result>\($0)</result>" }.joined() + "</\(call.name)Response>"
    }

    private func describe(_ name: String) throws(OAuthRefusal) -> String {
        guard let object = store.schema.object(named: name) else {
            throw OAuthRefusal("INVALID_TYPE", "sObject type '\(name.prefix(100))' is not supported.")
        }
        let types = try? RecordTypes(store.database)
        return content(DescribeResources(schema: store.schema).describe(object, version, types))
    }

    /// A description as the REST API has it, in the order of names that the WSDL has.
    private func content(_ json: [UInt8]) -> String {
        XMLText.content(of: Self.sorted((try? JSONValue(parsing: json)) ?? .null).object ?? [:])
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        if let values = value.array { return JSONValue(JSONArray(values.map(sorted))) }
        guard let members = value.object else { return value }
        return JSONValue(
            JSONObject(
                members: members.filter { $0.key != "urls" }.sorted { $0.key < $1.key }
                    .map { (key: $0.key, value: sorted($0.value)) }))
    }
}

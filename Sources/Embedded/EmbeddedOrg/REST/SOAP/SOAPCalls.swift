// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestXML

/// The calls of a SOAP session.
struct SOAPCalls {
    let tokens: TokenService
    let users: UserLogin
    let store: RecordStore
    let version: APIVersion

    private static let names = [
        "logout", "getUserInfo", "describeGlobal", "describeSObject", "describeSObjects", "undelete", "emptyRecycleBin",
        "merge",
    ]
    /// The calls as a message names them.
    static var list: String { (["login"] + names).joined(separator: ", ") }
    /// The objects of one describeSObjects, and the records of one undelete or the merges of one merge, as on the
    /// platform.
    private static let (mostObjects, mostRecords) = (100, 200)

    static func knows(_ call: XMLElement) -> Bool { names.contains(call.name) }

    /// The answer to a call, without the envelope.
    func answer(_ call: XMLElement, _ session: String, of user: String) throws(OAuthRefusal) -> String {
        switch call.name {
        case "getUserInfo":
            let user = SOAPUser(identity: tokens.identity, id: user, name: users.username(of: user))
            return result(of: call, [user.elements])
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
        case "undelete", "emptyRecycleBin":
            let ids = call.texts("ids")
            guard ids.count <= Self.mostRecords else {
                throw OAuthRefusal("EXCEEDED_ID_LIMIT", "\(call.name) takes 200 ids at most")
            }
            return result(of: call, ids.map { outcome(of: call.name, $0) })
        case "merge":
            guard (1...Self.mostRecords).contains(call.children.count) else {
                throw OAuthRefusal("EXCEEDED_ID_LIMIT", "merge takes 1 to 200 requests")
            }
            return result(of: call, call.children.map { SOAPMerge(store: store).result(of: $0) })
        default:
            _ = tokens.revoke(session)
            return result(of: call, [])
        }
    }

    private func result(of call: XMLElement, _ results: [String]) -> String {
        "<\(call.name)Response>" + results.map { "<result>\($0)</result>" }.joined() + "</\(call.name)Response>"
    }

    /// What came of one record.
    private func outcome(of name: String, _ id: String) -> String {
        do throws(OrgFault) {
            guard let known = RecordID.normalized(id) else { throw .malformedID(id) }
            let object = store.schema.objects.first { known.hasBytes(prefix: $0.keyPrefix) }
            guard let object else { throw .malformedID(id) }
            if name == "undelete" {
                try store.undelete(known, of: object)
            } else {
                try store.purge(known, of: object)
            }
            return XMLText.element("id", known) + XMLText.element("success", "true")
        } catch {
            return error.soapErrors + XMLText.element("id", id) + XMLText.element("success", "false")
        }
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

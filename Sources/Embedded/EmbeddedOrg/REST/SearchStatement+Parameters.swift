// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

extension SearchStatement {
    /// Reads `/parameterizedSearch`: a plain text and parameters, in the address or as JSON.
    init(_ call: RESTRouter.Call) throws(OrgFault) {
        let root = JSONValue(
            call.method == "POST" ? try RecordInput.members(call.request.body) : try Self.object(of: call))
        for name in root.object?.keys ?? [] where !Self.known.contains(name) {
            throw .malformedSearch("the embedded org does not know the parameter '\(name.prefix(40))'")
        }
        guard let text = root["q"]?.string else { throw .malformedSearch("the parameter q is missing") }
        expression = try SearchExpressionParser.plain(text)
        if let name = root["in"] {
            guard let scope = name.string.flatMap({ Scope(rawValue: $0.uppercased()) }) else {
                throw .malformedSearch("in must be ALL, NAME, EMAIL or PHONE")
            }
            self.scope = scope
        }
        let most = try Self.limit("defaultLimit", in: root)
        for object in root["sobjects"]?.array ?? [] {
            try add(try Self.target(object, fields: root["fields"]?.array, limit: most))
        }
        if let limit = try Self.limit("overallLimit", in: root) { self.limit = limit }
    }

    private static func limit(_ name: String, in object: JSONValue) throws(OrgFault) -> Int? {
        guard let value = object[name] else { return nil }
        guard let number = value.int.flatMap({ Int(outside: $0, in: .count) }), (1...mostRecords).contains(number)
        else { throw .malformedSearch("\(name) must be a number from 1 to \(mostRecords)") }
        return number
    }

    /// The org has no dictionary, so correcting the spelling changes nothing.
    private static let known: Set<String> = [
        "q", "in", "fields", "sobjects", "defaultLimit", "overallLimit", "spellCorrection",
    ]

    private static let knownOfObjects: Set<String> = ["name", "fields", "where", "orderBy", "limit"]

    private static func target(
        _ object: JSONValue, fields: JSONArray?, limit: Int?
    ) throws(OrgFault) -> Target {
        for name in object.object?.keys ?? [] where !knownOfObjects.contains(name) {
            throw .malformedSearch("the embedded org does not know the member '\(name.prefix(40))' of sobjects")
        }
        guard let name = object["name"]?.string,
            name.unicodeScalars.allSatisfy({ SearchText.isWordLetter($0) || $0 == "_" })
        else {
            throw .malformedSearch("every object of sobjects must have a name")
        }
        var target = Target(object: name)
        let fields = (object["fields"]?.array ?? fields)?.compactMap(\.string) ?? []
        if !fields.isEmpty { target.fields = fields.joined(separator: ",") }
        var clauses: [String] = []
        if let condition = object["where"]?.string { clauses.append("WHERE \(condition)") }
        if let order = object["orderBy"]?.string { clauses.append("ORDER BY \(order)") }
        if let limit = try self.limit("limit", in: object) ?? limit { clauses.append("LIMIT \(limit)") }
        target.clauses = clauses.joined(separator: " ")
        return target
    }

    /// The parameters of an address as the object that a body would be: `sobject=Account&Account.fields=Id,Name`.
    private static func object(of call: RESTRouter.Call) throws(OrgFault) -> JSONObject {
        func list(_ text: String) -> JSONValue {
            JSONValue(JSONArray(text.split(byte: ",").map { JSONValue(String($0)) }))
        }
        var root: JSONObject = [:]
        var objects: [JSONObject] = []
        // Each name is compared with those before it, so their number is limited.
        guard call.path.query.count <= 100 else { throw .malformedSearch("a search has at most 100 parameters") }
        for (name, value) in call.path.query {
            let parts = name.split(byte: ".", maxSplits: 1).map(String.init)
            let owner = objects.firstIndex { $0["name"]?.string == parts.first }
            switch (parts.count > 1 ? parts[1] : name, owner) {
            case ("sobject", nil) where parts.count == 1, ("sobject", .some) where parts.count == 1:
                objects.append(["name": JSONValue(value)])
            case ("fields", .some(let owner)) where parts.count > 1: objects[owner]["fields"] = list(value)
            case ("where", .some(let owner)) where parts.count > 1: objects[owner]["where"] = JSONValue(value)
            case ("limit", .some(let owner)) where parts.count > 1:
                objects[owner]["limit"] = Int(outside: value, in: .count).map { JSONValue($0) } ?? .null
            case ("fields", nil) where parts.count == 1: root["fields"] = list(value)
            case ("defaultLimit", nil), ("overallLimit", nil):
                root[name] = Int(outside: value, in: .count).map { JSONValue($0) } ?? JSONValue(value)
            default: root[name] = JSONValue(value)
            }
        }
        if !objects.isEmpty { root["sobjects"] = JSONValue(JSONArray(objects.map { JSONValue($0) })) }
        return root
    }
}

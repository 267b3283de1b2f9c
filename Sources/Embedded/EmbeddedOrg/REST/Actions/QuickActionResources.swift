// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText

/// `/quickActions` and `/sobjects/T/quickActions`: one action for each object, which makes a record.
struct QuickActionResources {
    let store: RecordStore

    private static let objects = ["Account", "Contact", "Lead", "Opportunity", "Case", "Task", "Event"]

    private func all(_ object: SObjectSchema?) -> [(name: String, object: SObjectSchema)] {
        let makers = Self.objects.compactMap { store.schema.object(named: $0) }
        guard let object else { return makers.map { ("New\($0.name)", $0) } }
        // Below an object: what can be made as a child of its records.
        let children = Set(object.childRelationships.map(\.childObject))
        return makers.filter { children.contains($0.name) }.map { ("\(object.name).New\($0.name)", $0) }
    }

    func answer(_ call: RESTRouter.Call, _ object: SObjectSchema? = nil) throws(OrgFault) -> ServerResponse {
        let base =
            object.map { "\(call.version.path)/sobjects/\($0.name)/quickActions" }
            ?? "\(call.version.path)/quickActions"
        let rest = Array(call.rest.dropFirst(object == nil ? 1 : 3))
        let actions = all(object)
        guard let name = rest.first else {
            try call.allow("GET")
            return .json(value: JSONValue(JSONArray(actions.map { summary($0, base) })))
        }
        let wanted = actions.first { $0.name == name || $0.name.hasBytes(suffix: "." + name) }
        guard let action = wanted else {
            throw OrgFault(404, "NOT_FOUND", "There is no quick action named '\(name.prefix(100))'")
        }
        switch (rest.count, rest.count > 1 ? rest[1] : "") {
        case (1, _):
            try call.allow("GET", "POST")
            return call.method == "GET"
                ? .json(value: description(action, object, base)) : try make(action.object, object, call)
        case (2, "describe"):
            try call.allow("GET")
            return .json(value: description(action, object, base))
        case (2...3, "defaultValues"):
            try call.allow("GET")
            return .json(value: try defaults(of: action.object, object, rest.count > 2 ? rest[2] : nil))
        default: throw .notFound
        }
    }

    /// The values that a new record begins with: those of its fields, and the record that it shall belong to.
    private func defaults(
        of object: SObjectSchema, _ parent: SObjectSchema?, _ context: String?
    ) throws(OrgFault) -> JSONValue {
        var members: JSONObject = ["attributes": ["type": JSONValue(object.name)]]
        for field in object.fields where field.isCreateable {
            let usual = field.picklistValues.first { $0.isDefault && $0.isActive }
            let value = usual.map { JSONValue($0.value) } ?? field.defaultValue
            if !value.isNull { members[field.name] = value }
        }
        guard let context else { return JSONValue(members) }
        guard let parent else { throw OrgFault(400, "INVALID_INPUT", "A global quick action has no context record") }
        // Refuses an id that is no record's.
        _ = try store.facts(context, of: parent)
        if let field = field(of: object, to: parent) {
            members[field] = JSONValue(RecordID.normalized(context) ?? context)
        }
        return JSONValue(members)
    }

    private func summary(_ action: (name: String, object: SObjectSchema), _ base: String) -> JSONValue {
        let path = "\(base)/\(action.name)"
        return [
            "actionEnumOrId": JSONValue(action.name), "label": JSONValue("New \(action.object.label)"),
            "name": JSONValue(action.name), "type": "Create",
            "urls": [
                "defaultValues": JSONValue(path + "/defaultValues"), "describe": JSONValue(path + "/describe"),
                "quickAction": JSONValue(path),
            ],
        ]
    }

    private func description(
        _ action: (name: String, object: SObjectSchema), _ parent: SObjectSchema?, _ base: String
    ) -> JSONValue {
        var members = summary(action, base).object ?? [:]
        members["contextSobjectType"] = parent.map { JSONValue($0.name) } ?? .null
        members["targetSobjectType"] = JSONValue(action.object.name)
        members["targetParentField"] =
            parent.flatMap { self.field(of: action.object, to: $0) }.map { JSONValue($0) } ?? .null
        members["targetRecordTypeId"] = nil
        members["layout"] = nil
        return JSONValue(members)
    }

    private func field(of child: SObjectSchema, to parent: SObjectSchema) -> String? {
        parent.childRelationships.first { $0.childObject == child.name }?.field
    }

    private func make(
        _ object: SObjectSchema, _ parent: SObjectSchema?, _ call: RESTRouter.Call
    ) throws(OrgFault) -> ServerResponse {
        let root = try RecordInput.members(call.request.body)
        guard var record = root["record"]?.object else { throw .invalidInput("record must be an object.") }
        let context = root["contextId"]?.string ?? root["parentId"]?.string
        if let parent, let context, let field = field(of: object, to: parent), record[field] == nil {
            record[field] = JSONValue(context)
        }
        let id = try store.create(record, of: object)
        return .json(
            201,
            value: [
                "contextId": context.map { JSONValue($0) } ?? .null, "created": true, "errors": [], "feedItemIds": nil,
                "id": JSONValue(id), "success": true,
            ])
    }
}

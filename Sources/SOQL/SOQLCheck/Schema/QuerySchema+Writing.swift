// SPDX-License-Identifier: Apache-2.0

package import RestJSON

extension QuerySchema {
    /// The schema as a file: the same objects give the same bytes, and a change of one field changes its lines alone.
    ///
    /// It has the members of a describe, so that whatever reads a list of those reads it. What is as it mostly is is
    /// left out.
    package var json: [UInt8] {
        let root: JSONValue = [
            "sobjects": JSONValue(JSONArray(objects.map(\.json))), "version": JSONValue(QuerySchema.version),
        ]
        return root.bytes(pretty: true, sortedKeys: true) + [UInt8(ascii: "\n")]
    }
}

extension QuerySchema.Object {
    /// The object alone, in the same shape as in a file of several.
    package var json: JSONValue {
        var members = Members()
        members.add("name", JSONValue(name))
        members.add("label", label, unless: name)
        members.add("queryable", isQueryable, unless: true)
        members.add("fields", JSONValue(JSONArray(fields.map(\.json))))
        let children = childRelationships.map { child -> JSONValue in
            [
                "childSObject": JSONValue(child.childObject), "field": JSONValue(child.field),
                "relationshipName": JSONValue(child.name),
            ]
        }
        members.add("childRelationships", children)
        return members.value
    }
}

extension QuerySchema.Field {
    fileprivate var json: JSONValue {
        var members = Members()
        members.add("name", JSONValue(name))
        members.add("type", JSONValue(type))
        members.add("label", label, unless: name)
        members.add("inlineHelpText", help ?? "", unless: "")
        members.add("relationshipName", relationshipName ?? "", unless: "")
        for (name, value) in [("length", length), ("precision", precision), ("scale", scale)] where value != 0 {
            members.add(name, JSONValue(value))
        }
        for (name, value) in [
            ("nillable", isNillable), ("createable", isCreateable), ("updateable", isUpdateable),
            ("filterable", isFilterable), ("sortable", isSortable), ("groupable", isGroupable),
        ] {
            members.add(name, value, unless: true)
        }
        members.add("aggregatable", isAggregatable, unless: isFilterable)
        for (name, value) in [
            ("defaultedOnCreate", isDefaultedOnCreate), ("nameField", isNameField), ("unique", isUnique),
            ("externalId", isExternalID), ("calculated", isCalculated), ("autoNumber", isAutoNumber),
            ("restrictedPicklist", isRestricted),
        ] {
            members.add(name, value, unless: false)
        }
        members.add("picklistValues", picklistValues.map(\.json))
        members.add("referenceTo", referenceTo.map { JSONValue($0) })
        return members.value
    }
}

extension QuerySchema.PicklistValue {
    fileprivate var json: JSONValue {
        var members = Members()
        members.add("value", JSONValue(value))
        members.add("label", label, unless: value)
        members.add("active", isActive, unless: true)
        members.add("defaultValue", isDefault, unless: false)
        return members.value
    }
}

/// The members of a JSON object, without those that say the usual.
private struct Members {
    private var members: [(key: String, value: JSONValue)] = []

    var value: JSONValue { JSONValue(JSONObject(members: members)) }

    mutating func add(_ name: String, _ value: JSONValue) { members.append((name, value)) }

    mutating func add(_ name: String, _ text: String, unless usual: String) {
        if text != usual { members.append((name, JSONValue(text))) }
    }

    mutating func add(_ name: String, _ flag: Bool, unless usual: Bool) {
        if flag != usual { members.append((name, JSONValue(flag))) }
    }

    mutating func add(_ name: String, _ list: [JSONValue]) {
        if !list.isEmpty { members.append((name, JSONValue(JSONArray(list)))) }
    }
}

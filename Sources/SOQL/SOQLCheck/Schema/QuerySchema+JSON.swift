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
        members.add("label", JSONValue(label), unless: JSONValue(name))
        members.add("queryable", JSONValue(isQueryable), unless: true)
        members.add("fields", JSONValue(JSONArray(fields.map(\.json))))
        let children = childRelationships.map { child -> JSONValue in
            [
                "childSObject": JSONValue(child.childObject), "field": JSONValue(child.field),
                "relationshipName": JSONValue(child.name),
            ]
        }
        members.add("childRelationships", JSONValue(JSONArray(children)), unless: [])
        return members.value
    }
}

extension QuerySchema.Field {
    fileprivate var json: JSONValue {
        var members = Members()
        members.add("name", JSONValue(name))
        members.add("type", JSONValue(type))
        members.add("label", JSONValue(label), unless: JSONValue(name))
        members.add("inlineHelpText", JSONValue(help ?? ""), unless: "")
        members.add("relationshipName", JSONValue(relationshipName ?? ""), unless: "")
        for (name, value) in [("length", length), ("precision", precision), ("scale", scale)] {
            members.add(name, JSONValue(value), unless: 0)
        }
        for (name, value) in [
            ("nillable", isNillable), ("createable", isCreateable), ("updateable", isUpdateable),
            ("filterable", isFilterable), ("sortable", isSortable), ("groupable", isGroupable),
        ] {
            members.add(name, JSONValue(value), unless: true)
        }
        members.add("aggregatable", JSONValue(isAggregatable), unless: JSONValue(isFilterable))
        for (name, value) in [
            ("defaultedOnCreate", isDefaultedOnCreate), ("nameField", isNameField), ("unique", isUnique),
            ("externalId", isExternalID), ("calculated", isCalculated), ("autoNumber", isAutoNumber),
            ("restrictedPicklist", isRestricted),
        ] {
            members.add(name, JSONValue(value), unless: false)
        }
        members.add("picklistValues", JSONValue(JSONArray(picklistValues.map(\.json))), unless: [])
        members.add("referenceTo", JSONValue(JSONArray(referenceTo.map { JSONValue($0) })), unless: [])
        return members.value
    }
}

extension QuerySchema.PicklistValue {
    fileprivate var json: JSONValue {
        var members = Members()
        members.add("value", JSONValue(value))
        members.add("label", JSONValue(label), unless: JSONValue(value))
        members.add("active", JSONValue(isActive), unless: true)
        members.add("defaultValue", JSONValue(isDefault), unless: false)
        return members.value
    }
}

/// The members of a JSON object, without those that say the usual.
private struct Members {
    private var members: [(key: String, value: JSONValue)] = []

    var value: JSONValue { JSONValue(JSONObject(members: members)) }

    mutating func add(_ name: String, _ value: JSONValue, unless usual: JSONValue? = nil) {
        if value != usual { members.append((name, value)) }
    }
}

/// A value of a schema's JSON, and where it is.
struct SchemaNode {
    let value: JSONValue
    let path: String

    func error(_ message: String) -> SchemaError { SchemaError(message: message, place: path) }

    /// A member that is there and not null.
    private func present(_ name: String) -> JSONValue? {
        guard let value = value[name], !value.isNull else { return .none }
        return value
    }

    func text(_ name: String) throws(SchemaError) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw error("'\(name)' must be a text") }
        return text
    }

    func required(_ name: String) throws(SchemaError) -> String {
        guard let text = try text(name), !text.isEmpty else { throw error("'\(name)' is missing") }
        return text
    }

    /// A name that stands in queries.
    func identifier(_ name: String) throws(SchemaError) -> String {
        let text = try required(name)
        let letters = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
        }
        guard letters, text.utf8.count <= 255, !(0x30...0x39).contains(text.utf8.first ?? 0) else {
            throw error("'\(text.prefix(100))' is no name: use a letter, then letters, digits and '_'")
        }
        return text
    }

    func flag(_ name: String, else other: Bool) throws(SchemaError) -> Bool {
        guard let value = present(name) else { return other }
        guard let flag = value.bool else { throw error("'\(name)' must be true or false") }
        return flag
    }

    /// A number from 0 to ten millions; 0 where there is none.
    func size(_ name: String) throws(SchemaError) -> Int {
        guard let value = present(name) else { return 0 }
        // bounded: by the range
        guard let size = value.int, (0...10_000_000).contains(size) else {
            throw error("'\(name)' must be a whole number from 0 to 10000000")
        }
        return size
    }

    func list(_ name: String) throws(SchemaError) -> [SchemaNode]? {
        guard let value = present(name) else { return nil }
        guard let list = value.array else { throw error("'\(name)' must be a list") }
        return list.enumerated().map { SchemaNode(value: $1, path: "\(path).\(name)[\($0)]") }
    }

    /// The texts of a list.
    func texts(_ name: String) throws(SchemaError) -> [String] {
        var texts: [String] = []
        for node in try list(name) ?? [] {
            guard let text = node.value.string else { throw node.error("it must be a text") }
            texts.append(text)
        }
        return texts
    }
}

/// Why a text is not a schema, and where.
package struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in one line.
    package let message: String
    /// The place in the JSON (`$.sobjects[0].fields[2]`), or the line and column where the text is none.
    package let place: String
    /// Where in the text the reading ended, counted from 1; the beginning where only the place in the JSON is known.
    package let line: Int, column: Int

    package init(message: String, place: String, line: Int = 1, column: Int = 1) {
        (self.message, self.place, self.line, self.column) = (message, place, line, column)
    }

    /// The message and its place in one line.
    package var description: String { "\(message) (at \(place))" }
}

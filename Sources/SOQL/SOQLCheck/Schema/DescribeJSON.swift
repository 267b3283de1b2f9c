// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON

/// The error for an invalid schema, with its position.
package struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    package let message: String
    /// The JSON path (`$.sobjects[0].fields[2]`), or the line and column if the text is not JSON.
    package let place: String
    /// The position in the text, counted from 1, which is the beginning if only the JSON path is known.
    package let line: Int, column: Int

    package init(message: String, place: String, line: Int = 1, column: Int = 1) {
        (self.message, self.place, self.line, self.column) = (message, place, line, column)
    }

    /// The message with its position, in one line.
    package var description: String { "\(message) (at \(place))" }
}

/// A JSON value of a describe, with its path.
package struct DescribeNode: Sendable {
    package let value: JSONValue
    /// The JSON path, such as `$.sobjects[0].fields[2]`.
    package let path: String
    /// The object or field that the value describes, such as `Invoice__c.Total__c`.
    package let subject: String

    package init(_ value: JSONValue, path: String, subject: String = "") {
        (self.value, self.path, self.subject) = (value, path, subject)
    }

    /// Returns a copy of the node as the description of an object, or of a field of the current object.
    package func named(_ name: String) -> DescribeNode {
        DescribeNode(value, path: path, subject: subject.isEmpty ? name : "\(subject).\(name)")
    }

    /// Returns an error for a member, or for the value itself.
    package func error(_ message: String, at member: String? = nil) -> SchemaError {
        SchemaError(
            message: subject.isEmpty ? message : "\(subject): \(message)",
            place: member.map { "\(path).\($0)" } ?? path)
    }

    package static let noFields = "it has no 'fields'; use the describe of the object itself, not the list of objects"

    /// Returns a member that exists and is not null.
    package func present(_ name: String) -> JSONValue? {
        guard let value = value[name], !value.isNull else { return .none }
        return value
    }

    package func text(_ name: String) throws(SchemaError) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw error("'\(name)' must be a string", at: name) }
        return text
    }

    package func required(_ name: String) throws(SchemaError) -> String {
        guard let text = try text(name), !text.isEmpty else { throw error("it has no '\(name)'", at: name) }
        return text
    }

    /// Returns a member that is a valid API name.
    package func identifier(_ name: String) throws(SchemaError) -> String {
        let text = try required(name)
        guard text.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }), text.utf8.count <= 255,
            text.utf8.first.map(ASCII.isDigit) == false
        else {
            throw error(
                "'\(text.prefix(100))' is not a valid name; use a letter, then letters, digits and '_'", at: name)
        }
        return text
    }

    package func flag(_ name: String, else other: Bool = false) throws(SchemaError) -> Bool {
        guard let value = present(name) else { return other }
        guard let flag = value.bool else { throw error("'\(name)' must be true or false", at: name) }
        return flag
    }

    /// Returns a number from 0 to 10,000,000, or 0 if the member is missing.
    func size(_ name: String) throws(SchemaError) -> Int {
        guard let value = present(name) else { return 0 }
        // bounded: by the range
        guard let size = value.int, (0...10_000_000).contains(size) else {
            throw error("'\(name)' must be a whole number from 0 to 10000000", at: name)
        }
        return size
    }

    /// Returns the decoded elements of a list, or an empty list if the member is missing.
    package func list<Element>(
        _ name: String, _ read: (DescribeNode) throws(SchemaError) -> Element
    ) throws(SchemaError) -> [Element] {
        guard let value = present(name) else { return [] }
        guard let list = value.array else { throw error("'\(name)' must be a list", at: name) }
        var elements: [Element] = []
        for (position, value) in list.enumerated() {
            elements.append(try read(DescribeNode(value, path: "\(path).\(name)[\(position)]", subject: subject)))
        }
        return elements
    }
}

// MARK: - Reading

// Members that a describe omits have their usual values: everything is allowed, and all other flags are false.

extension ObjectDescription {
    package init(_ node: DescribeNode) throws(SchemaError) {
        guard let json = node.value.object else { throw node.error("an object's describe must be a JSON object") }
        let summary = try Summary(node)
        let node = node.named(summary.name)
        guard node.present("fields") != nil else { throw node.error(DescribeNode.noFields) }
        var names: Set<String> = []
        let fields = try node.list("fields") { (item) throws(SchemaError) in
            let field = try Field(item)
            guard names.insert(field.name.lowercased()).inserted else {
                throw item.error("\(field.name) is described twice; keep one of them")
            }
            return field
        }
        self.init(
            summary, fields: fields, childRelationships: try node.list("childRelationships", ChildRelationship.init),
            recordTypes: try node.list("recordTypeInfos", RecordType.init), json: json)
    }
}

extension ObjectDescription.Summary {
    /// Reads an entry of the list of all objects.
    package init(_ node: DescribeNode) throws(SchemaError) {
        name = try node.identifier("name")
        label = try node.text("label") ?? name
        labelPlural = try node.text("labelPlural") ?? name
        keyPrefix = try node.text("keyPrefix")
        isCustom = try node.flag("custom", else: name.hasBytes(suffix: "__c"))
        isCreateable = try node.flag("createable", else: true)
        isUpdateable = try node.flag("updateable", else: true)
        isDeletable = try node.flag("deletable", else: true)
        isUndeletable = try node.flag("undeletable", else: true)
        isQueryable = try node.flag("queryable", else: true)
        isSearchable = try node.flag("searchable", else: true)
        isRetrieveable = try node.flag("retrieveable", else: true)
    }
}

extension ObjectDescription.ChildRelationship {
    package init(_ node: DescribeNode) throws(SchemaError) {
        self.init(
            name: try node.text("relationshipName"), object: try node.required("childSObject"),
            field: try node.required("field"), isCascadeDelete: try node.flag("cascadeDelete"),
            isRestrictedDelete: try node.flag("restrictedDelete"))
    }
}

extension ObjectDescription.RecordType {
    fileprivate init(_ node: DescribeNode) throws(SchemaError) {
        id = try node.required("recordTypeId")
        name = try node.text("name") ?? ""
        developerName = try node.text("developerName") ?? name
        isActive = try node.flag("active", else: true)
        isAvailable = try node.flag("available")
        isDefault = try node.flag("defaultRecordTypeMapping")
        isMaster = try node.flag("master")
    }
}

extension ObjectDescription.Field {
    package init(_ node: DescribeNode) throws(SchemaError) {
        guard node.value.object != nil else { throw node.error("a field must be a JSON object") }
        let name = try node.identifier("name")
        let node = node.named(name)
        self.init(name, label: try node.text("label"), kind: Kind(rawValue: try node.required("type")))
        help = try node.text("inlineHelpText")
        (length, precision, scale) = (try node.size("length"), try node.size("precision"), try node.size("scale"))
        isNillable = try node.flag("nillable", else: true)
        isCreateable = try node.flag("createable", else: true)
        isUpdateable = try node.flag("updateable", else: true)
        isDefaultedOnCreate = try node.flag("defaultedOnCreate")
        isFilterable = try node.flag("filterable", else: true)
        isSortable = try node.flag("sortable", else: true)
        isGroupable = try node.flag("groupable", else: true)
        // Some servers omit this member. Fields that cannot be filtered cannot be counted either.
        isAggregatable = try node.flag("aggregatable", else: isFilterable)
        isNameField = try node.flag("nameField")
        isUnique = try node.flag("unique")
        isExternalID = try node.flag("externalId")
        isCustom = try node.flag("custom", else: isCustom)
        isCalculated = try node.flag("calculated")
        isAutoNumber = try node.flag("autoNumber")
        isRestrictedPicklist = try node.flag("restrictedPicklist")
        picklistValues = try node.list("picklistValues", ObjectDescription.PicklistValue.init)
        controllerName = try node.text("controllerName")
        referenceTo = try node.list("referenceTo") { (item) throws(SchemaError) in
            guard let text = item.value.string else { throw item.error("'referenceTo' must contain names of objects") }
            return text
        }
        relationshipName = try node.text("relationshipName")
        defaultValue = node.value["defaultValue"] ?? .null
    }
}

extension ObjectDescription.PicklistValue {
    fileprivate init(_ node: DescribeNode) throws(SchemaError) {
        guard let value = try node.text("value") else { throw node.error("a picklist value has no 'value'") }
        let bits = try node.text("validFor")
        guard let validFor = bits.map(Base64.decode) ?? [] else {
            throw node.error("'validFor' is not base64", at: "validFor")
        }
        self.init(
            value, label: try node.text("label"), isActive: try node.flag("active", else: true),
            isDefault: try node.flag("defaultValue"), validFor: validFor)
    }
}

// MARK: - Writing

extension ObjectDescription {
    /// The members of a describe, without the members that have their usual values.
    package var compact: JSONValue {
        var members = DescribeMembers(isComplete: false)
        members.add("name", JSONValue(name))
        members.add("label", JSONValue(summary.label), unless: JSONValue(name))
        members.add("queryable", JSONValue(summary.isQueryable), unless: true)
        members.add("fields", JSONValue(JSONArray(fields.map { $0.members(isComplete: false).value })))
        let children = namedChildren.map { $0.relationship.members(isComplete: false).value }
        members.add("childRelationships", JSONValue(JSONArray(children)), unless: [])
        return members.value
    }
}

extension ObjectDescription.Field {
    package func members(isComplete: Bool) -> DescribeMembers {
        var members = DescribeMembers(isComplete: isComplete)
        members.add("name", JSONValue(name))
        members.add("type", JSONValue(kind.rawValue))
        members.add("label", JSONValue(label), unless: JSONValue(name))
        members.add("inlineHelpText", help.map { JSONValue($0) } ?? .null, unless: .null)
        members.add("relationshipName", relationshipName.map { JSONValue($0) } ?? .null, unless: .null)
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
            ("restrictedPicklist", isRestrictedPicklist),
        ] {
            members.add(name, JSONValue(value), unless: false)
        }
        let values = picklistValues.map { $0.members(isComplete: isComplete).value }
        members.add("picklistValues", JSONValue(JSONArray(values)), unless: [])
        members.add("referenceTo", JSONValue(JSONArray(referenceTo.map { JSONValue($0) })), unless: [])
        guard isComplete else { return members }
        members.add("custom", JSONValue(isCustom))
        members.add("defaultValue", defaultValue)
        return members
    }
}

extension ObjectDescription.PicklistValue {
    fileprivate func members(isComplete: Bool) -> DescribeMembers {
        var members = DescribeMembers(isComplete: isComplete)
        members.add("value", JSONValue(value))
        members.add("label", JSONValue(label), unless: JSONValue(value))
        members.add("active", JSONValue(isActive), unless: true)
        members.add("defaultValue", JSONValue(isDefault), unless: false)
        return members
    }
}

extension ObjectDescription.ChildRelationship {
    package func members(isComplete: Bool) -> DescribeMembers {
        var members = DescribeMembers(isComplete: isComplete)
        members.add("childSObject", JSONValue(object))
        members.add("field", JSONValue(field))
        members.add("relationshipName", name.map { JSONValue($0) } ?? .null)
        return members
    }
}

/// The members of a JSON object, without members that have their usual values unless it is complete.
package struct DescribeMembers {
    private let isComplete: Bool
    private var members: [(key: String, value: JSONValue)] = []

    init(isComplete: Bool) { self.isComplete = isComplete }

    package var value: JSONValue { JSONValue(JSONObject(members: members)) }

    package mutating func add(_ name: String, _ value: JSONValue, unless usual: JSONValue? = nil) {
        if isComplete || value != usual { members.append((name, value)) }
    }
}

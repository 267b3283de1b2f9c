// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLCheck

/// Reads the description of a field.
enum FieldReader {
    /// The field; `nil` for one of the platform's own that the org has no use for.
    static func read(_ node: DescribeNode, of object: String) throws(SchemaError) -> FieldSchema? {
        guard node.value.object != nil else { throw node.error("a field must be a JSON object") }
        guard let name = try node.identifier("name") else { throw node.error("a field has no 'name'") }
        var node = node
        node.subject = "\(object).\(name)"
        let isOwn = !name.hasBytes(suffix: "__c")
        guard let type = try type(node, isOwn: isOwn, name) else { return nil }
        let isReference = type == .reference
        let isCalculated = try node.flag("calculated")
        let isAutoNumber = try node.flag("autoNumber")
        let isWritable = !isCalculated && !isAutoNumber && !type.isCompound && RecordUsage(rawValue: name) == nil
        let relationship = try node.identifier("relationshipName")
        var field = FieldSchema(
            name: name, label: try node.text("label") ?? name, type: type,
            length: try node.size("length").flatMap { $0 == 0 ? nil : $0 } ?? defaultLength(type),
            isNillable: try node.flag("nillable", else: type != .boolean) || isCalculated,
            isCreateable: try node.flag("createable", else: true) && isWritable,
            isUpdateable: try node.flag("updateable", else: true) && isWritable,
            isExternalId: try node.flag("externalId"), isUnique: try node.flag("unique"),
            isNameField: try node.flag("nameField"), picklistValues: try choices(node),
            referenceTo: isReference ? try targets(node, isOwn: isOwn) : [],
            relationshipName: isReference ? relationship : nil)
        field.isRestricted = try node.flag("restrictedPicklist")
        field.precision = [.double, .currency, .percent].contains(type) ? try node.size("precision") ?? 0 : 0
        field.scale = try node.size("scale") ?? 0
        field.deletion = try deletion(node) ?? .clear
        field.isDefaultedOnCreate = try node.flag("defaultedOnCreate")
        field.isCalculated = isCalculated
        field.isAutoNumber = isAutoNumber
        field.defaultValue = isWritable ? try defaultValue(node, field, isOwn: isOwn) : .null
        return field
    }

    /// What the deletion of a parent does, as a field or a child relationship says it.
    static func deletion(_ node: DescribeNode) throws(SchemaError) -> DeletionRule? {
        if try node.flag("cascadeDelete") { return .cascade }
        return try node.flag("restrictedDelete") ? .restrict : nil
    }

    /// The types of fields that only the platform itself makes.
    private static let foreign: Set<String> = [
        "anyType", "complexvalue", "json", "DataCategoryGroupReference", "datacategorygroupreference",
    ]

    private static func type(_ node: DescribeNode, isOwn: Bool, _ field: String) throws(SchemaError) -> FieldType? {
        guard let name = try node.text("type") else { throw node.error("the field has no 'type'") }
        if isOwn, foreign.contains(name) { return nil }
        // Only one field is a record's own id; another one names any record.
        if name == "id", field.lowercased() != "id" { return .reference }
        guard let type = FieldType(rawValue: name) else {
            throw node.error(
                "an embedded org has no fields of the type '\(name.prefix(40))'; leave the field out", at: "type")
        }
        return type
    }

    private static func defaultLength(_ type: FieldType) -> Int {
        switch type {
        case .id, .reference: 18
        case .string, .picklist, .url, .combobox: 255
        case .multipicklist: 4_099
        case .textarea: 32_768
        case .email: 80
        case .phone: 40
        case .encryptedstring: 175
        case .boolean, .int, .double, .currency, .percent, .date, .datetime, .time, .base64, .location, .address: 0
        }
    }

    private static func choices(_ node: DescribeNode) throws(SchemaError) -> [PicklistValue] {
        var choices: [PicklistValue] = []
        for item in try node.list("picklistValues") ?? [] {
            guard let value = try item.text("value") else { throw item.error("a picklist value has no 'value'") }
            choices.append(
                PicklistValue(
                    value, label: try item.text("label"), isActive: try item.flag("active", else: true),
                    isDefault: try item.flag("defaultValue")))
        }
        return choices
    }

    private static func targets(_ node: DescribeNode, isOwn: Bool) throws(SchemaError) -> [String] {
        var targets: [String] = []
        for item in try node.list("referenceTo") ?? [] {
            guard let target = item.value.string else { throw item.error("'referenceTo' takes names of objects") }
            targets.append(target)
        }
        guard isOwn || !targets.isEmpty else {
            throw node.error("a reference needs the objects that it may point to in 'referenceTo'", at: "referenceTo")
        }
        return targets
    }

    /// A value of the field's type; of a picklist the choice that is the default.
    private static func defaultValue(
        _ node: DescribeNode, _ field: FieldSchema, isOwn: Bool
    ) throws(SchemaError) -> JSONValue {
        let chosen = field.picklistValues.first(where: \.isDefault).map { JSONValue($0.value) }
        let value = node.present("defaultValue") ?? chosen ?? .null
        let isOfType =
            switch (field.type, value.kind) {
            case (_, .null), (.boolean, .bool): true
            // bounded: only whether it is one is asked
            case (.int, .number): value.int.map { Int32(exactly: $0) != nil } ?? false
            case (.double, .number), (.currency, .number), (.percent, .number): true
            case (.string, .string), (.picklist, .string), (.multipicklist, .string), (.textarea, .string),
                (.email, .string), (.phone, .string), (.url, .string), (.combobox, .string):
                true
            default: false
            }
        guard isOfType else {
            if isOwn { return .null }
            throw node.error("the default is no value of the type '\(field.type.rawValue)'", at: "defaultValue")
        }
        return field.type == .boolean && value.bool == false ? .null : value
    }
}

/// A value of a description, and where it is.
struct DescribeNode {
    let value: JSONValue
    /// Its place in the JSON (`$.sobjects[0].fields[2]`).
    let path: String
    /// The object or the field that it belongs to (`Invoice__c.Total__c`).
    var subject = ""

    /// Why the description cannot be used, and what to do.
    func error(_ message: String, at member: String? = nil) -> SchemaError {
        let place = member.map { "\(path).\($0)" } ?? path
        return SchemaError(
            message: "the schema cannot be used: \(subject.isEmpty ? "" : subject + ": ")\(message) (at \(place))",
            place: place)
    }

    /// A member that is there and not null.
    func present(_ name: String) -> JSONValue? {
        guard let value = value[name], !value.isNull else { return .none }
        return value
    }

    func text(_ name: String) throws(SchemaError) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw error("'\(name)' must be a text", at: name) }
        return text
    }

    func flag(_ name: String, else other: Bool = false) throws(SchemaError) -> Bool {
        guard let value = present(name) else { return other }
        guard let flag = value.bool else { throw error("'\(name)' must be true or false", at: name) }
        return flag
    }

    /// A number from 0 to ten millions.
    func size(_ name: String) throws(SchemaError) -> Int? {
        guard let value = present(name) else { return nil }
        // bounded: by the range
        guard let size = value.int, (0...10_000_000).contains(size) else {
            throw error("'\(name)' must be a whole number from 0 to 10000000", at: name)
        }
        return size
    }

    func list(_ name: String) throws(SchemaError) -> [DescribeNode]? {
        guard let value = present(name) else { return nil }
        guard let list = value.array else { throw error("'\(name)' must be a list", at: name) }
        return list.enumerated().map {
            DescribeNode(value: $1, path: "\(path).\(name)[\($0)]", subject: subject)
        }
    }

    /// The name of an object, a field or a relationship; SQL and paths take it as it is.
    func identifier(_ name: String) throws(SchemaError) -> String? {
        guard let text = try text(name) else { return nil }
        guard Self.isIdentifier(text) else {
            throw error(
                "'\(text.prefix(100))' is no name: use a letter, then letters, digits and '_', 80 at most", at: name)
        }
        return text
    }

    private static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, ASCII.isAlphanumeric(first), !ASCII.isDigit(first), text.utf8.count <= 80
        else { return false }
        // SQLite keeps these names for itself.
        let reserved =
            ["rowid", "oid", "_rowid_"].contains(text.lowercased()) || text.lowercased().hasBytes(prefix: "sqlite_")
        return !reserved && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }
}

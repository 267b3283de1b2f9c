// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLCheck

enum FieldReader {
    /// Returns the field, or `nil` for a standard field whose type the org does not support.
    static func read(_ given: DescribeNode) throws(SchemaError) -> FieldSchema? {
        var field = try ObjectDescription.Field(given)
        let node = given.named(field.name)
        try node.checkTable(field.name, "name")
        let isOwn = !field.name.hasBytes(suffix: "__c")
        guard let type = try type(field, node, isOwn: isOwn) else { return nil }
        let isWritable =
            !field.isCalculated && !field.isAutoNumber && !type.isCompound && RecordUsage(rawValue: field.name) == nil
        if field.length == 0 { field.length = defaultLength(type) }
        if node.present("nillable") == nil { field.isNillable = type != .boolean }
        field.isNillable = field.isNillable || field.isCalculated
        field.isCreateable = field.isCreateable && isWritable
        field.isUpdateable = field.isUpdateable && isWritable
        if ![.double, .currency, .percent].contains(type) { field.precision = 0 }
        if type == .reference {
            guard isOwn || !field.referenceTo.isEmpty else {
                throw node.error(
                    "a reference needs the objects that it can point to in 'referenceTo'", at: "referenceTo")
            }
            if let name = field.relationshipName { try node.checkTable(name, "relationshipName") }
        } else {
            (field.referenceTo, field.relationshipName) = ([], nil)
        }
        field.defaultValue = isWritable ? try defaultValue(node, field, type, isOwn: isOwn) : .null
        var schema = FieldSchema(field, type: type)
        if try node.flag("restrictedDelete") { schema.deletion = .restrict }
        if try node.flag("cascadeDelete") { schema.deletion = .cascade }
        return schema
    }

    /// The types of fields that only Salesforce can create.
    private static let foreign: Set<String> = [
        "anyType", "complexvalue", "json", "DataCategoryGroupReference", "datacategorygroupreference",
    ]

    private static func type(
        _ field: ObjectDescription.Field, _ node: DescribeNode, isOwn: Bool
    ) throws(SchemaError) -> FieldType? {
        let name = field.kind.rawValue
        if isOwn, foreign.contains(name) { return nil }
        // Only one field is a record's own id. Another field of this type refers to any record.
        if name == "id", field.name.lowercased() != "id" { return .reference }
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

    /// Returns the default value in the field's type, which for a picklist is its default choice.
    private static func defaultValue(
        _ node: DescribeNode, _ field: ObjectDescription.Field, _ type: FieldType, isOwn: Bool
    ) throws(SchemaError) -> JSONValue {
        let chosen = field.picklistValues.first(where: \.isDefault).map { JSONValue($0.value) }
        let value = field.defaultValue.isNull ? chosen ?? .null : field.defaultValue
        let isOfType =
            switch (type, value.kind) {
            case (_, .null), (.boolean, .bool): true
            // bounded: only whether the number is an integer matters
            case (.int, .number): value.int.map { Int32(exactly: $0) != nil } ?? false
            case (.double, .number), (.currency, .number), (.percent, .number): true
            case (.string, .string), (.picklist, .string), (.multipicklist, .string), (.textarea, .string),
                (.email, .string), (.phone, .string), (.url, .string), (.combobox, .string):
                true
            default: false
            }
        guard isOfType else {
            if isOwn { return .null }
            throw node.error("the default is not a value of the type '\(type.rawValue)'", at: "defaultValue")
        }
        return type == .boolean && value.bool == false ? .null : value
    }
}

extension DescribeNode {
    /// Checks that a name can be used as it is in SQL and paths.
    func checkTable(_ name: String, _ member: String) throws(SchemaError) {
        guard let first = name.utf8.first, ASCII.isAlphanumeric(first), !ASCII.isDigit(first), name.utf8.count <= 80,
            name.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }),
            // SQLite reserves these names.
            !["rowid", "oid", "_rowid_"].contains(name.lowercased()), !name.lowercased().hasBytes(prefix: "sqlite_")
        else {
            throw error(
                "'\(name.prefix(100))' is not a valid name; use a letter, then letters, digits and '_', at most 80",
                at: member)
        }
    }
}

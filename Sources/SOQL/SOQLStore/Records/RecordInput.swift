// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
package import RestSQLite

/// The fields of a create, update or upsert, checked against the schema.
package struct RecordInput {
    /// The values to write, with each column once.
    private(set) var values: [(field: FieldSchema, value: SQLValue)] = []
    /// The parents identified by an external id: `"Account": {"ExternalId__c": "a"}`.
    private(set) var lookups: [(field: FieldSchema, members: JSONObject)] = []
    package let object: SObjectSchema

    private static let limits = JSONDocument.Limits(maximumDepth: 64)

    /// Checks the members of a record, where `key` is an upsert's external id field, which is only allowed in the path.
    init(
        _ members: JSONObject, of object: SObjectSchema, isCreate: Bool, key: FieldSchema? = nil,
        rules: (any RecordRules)? = nil
    ) throws(OrgError) {
        self.object = object
        var seen: Set<String> = []
        for (name, value) in members where name != "attributes" {
            guard let field = object.field(named: name) ?? object.referenceField(ofRelationship: name) else {
                throw .unknownColumn(name, of: object.name)
            }
            guard seen.insert(field.name).inserted else { throw .parser("Duplicate field: \(field.name)") }
            guard field.name != key?.name else {
                throw OrgError(
                    "INVALID_FIELD", "The \(field.name) field should not be specified in the sobject data.")
            }
            guard isCreate ? field.isCreateable : field.isUpdateable else { throw Self.readOnly(field, isCreate) }
            guard object.field(named: name) == nil else {
                values.append((field, try FieldParser.parse(value, for: field)))
                continue
            }
            guard let members = value.object else {
                throw .parser("An object with an external id expected at \(name.prefix(100))")
            }
            lookups.append((field, members))
        }
        try checkRequired(isCreate: isCreate, isCreate ? rules?.defaults(of: object.name) ?? [:] : [:])
    }

    /// Creates the input for a write by the store's rules.
    package init(_ values: [(name: String, value: SQLValue)], of object: SObjectSchema) {
        self.object = object
        for (name, value) in values { set(name, value) }
    }

    package static func members(_ body: [UInt8]) throws(OrgError) -> JSONObject {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: body, limits: limits).root
        } catch {
            throw .parser("\(error.expected) expected at [line:\(error.line), column:\(error.column)]")
        }
        guard let members = root.object else { throw .parser("an object expected at [line:1, column:1]") }
        return members
    }

    private static func readOnly(_ field: FieldSchema, _ isCreate: Bool) -> OrgError {
        OrgError(
            "INVALID_FIELD_FOR_INSERT_UPDATE",
            "Unable to create/update fields: \(field.name). Please check the security settings of this field and verify that "
                + "it is read/write for your profile or permission set.", fields: [field.name])
    }

    private func checkRequired(isCreate: Bool, _ defaults: [String: String]) throws(OrgError) {
        guard isCreate || values.contains(where: { $0.value == .null }) else { return }
        let missing = object.fields.filter { field in
            guard !field.isNillable, field.isCreateable, field.type != .boolean else { return false }
            if lookups.contains(where: { $0.field.name == field.name }) { return false }
            if let given = values.first(where: { $0.field.name == field.name }) { return given.value == .null }
            return isCreate && defaults[field.name] == nil && !field.isDefaultedOnCreate && field.defaultValue.isNull
        }
        guard missing.isEmpty else { throw .missingFields(missing.map(\.name)) }
    }

    package mutating func set(_ name: String, _ value: SQLValue) {
        guard let field = object.field(named: name) else { return }
        values.removeAll { $0.field.name == field.name }
        values.append((field, value))
    }

    /// Returns the value of a column, or `nil` if it is not set.
    package func value(_ name: String) -> SQLValue? { values.first { $0.field.name == name }?.value }

    /// Returns whether a column is set, including to null.
    func has(_ name: String) -> Bool { values.contains { $0.field.name == name } }

    package mutating func setDefault(_ name: String, _ value: SQLValue) {
        guard !values.contains(where: { $0.field.name == name && $0.value != .null }) else { return }
        set(name, value)
    }
}

extension SObjectSchema {
    /// Throws if the object does not support an operation.
    func check(_ wanted: ObjectAbilities) throws(OrgError) {
        let missing = wanted.subtracting(abilities)
        guard !missing.isEmpty else { return }
        let operation =
            missing.contains(.create)
            ? "create" : missing.contains(.update) ? "update" : missing.contains(.delete) ? "delete" : "undelete"
        throw OrgError(
            "INVALID_TYPE_FOR_OPERATION", "entity type \(name) does not support \(operation)")
    }
}

/// The meaning of a column name: a field, or a parent identified by a key field.
///
/// For example, `Account.ExternalId__c` identifies a parent, and `Contact:Who.Email` one of several objects.
package struct RecordColumn {
    package let field: FieldSchema
    package private(set) var parent: (object: SObjectSchema, key: FieldSchema)?

    /// Creates the column, or returns `nil` if the name is not a field.
    package init?(_ name: String, _ object: SObjectSchema, _ schema: Schema) {
        if let field = object.field(named: name) {
            self.field = field
            return
        }
        let typed = name.split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = (typed.last ?? "").split(byte: ".", omittingEmptySubsequences: false).map(String.init)
        guard path.count == 2, let field = object.referenceField(ofRelationship: path[0]) else { return nil }
        let type = typed.count == 2 ? typed[0] : nil
        // The object must be named if there are several, and must not be named otherwise.
        guard field.isPolymorphic || type == nil, field.referenceTo.count == 1 || type != nil else { return nil }
        let target = field.referenceTo.first { type == nil || $0.lowercased() == type?.lowercased() }
        guard let target = target.flatMap({ schema.object(named: $0) }), let key = target.field(named: path[1]),
            key.isLookupKey
        else { return nil }
        self.field = field
        parent = (target, key)
    }

    /// Returns an id of 15 or 18 characters with 18 characters, and any other string unchanged.
    package static func key(_ text: String) -> String { RecordID.normalized(text) ?? text }

    /// Returns the member of a record for the text of a column.
    package func member(_ text: String?) -> (key: String, value: JSONValue) {
        guard let text else { return (field.name, .null) }
        guard let parent, let relationship = field.relationshipName else { return (field.name, field.value(of: text)) }
        let lookup: JSONValue = [
            "attributes": ["type": JSONValue(parent.object.name)], parent.key.name: parent.key.value(of: text),
        ]
        return (relationship, lookup)
    }
}

extension FieldSchema {
    /// Whether the field can identify a record instead of the id (`idLookup` in a describe).
    package var isLookupKey: Bool { isExternalId || type == .id || type == .email || name == "Username" }

    /// Returns the JSON value for a string from a path, a table or XML, according to the type of the field.
    package func value(of text: String) -> JSONValue {
        switch type {
        case .boolean:
            return ["true": true, "1": true, "false": false, "0": false][text.lowercased()] ?? JSONValue(text)
        case .int, .double, .currency, .percent:
            let number = try? JSONValue(parsing: text)
            return number?.kind == .number ? number ?? .null : JSONValue(text)
        default: return JSONValue(text)
        }
    }
}

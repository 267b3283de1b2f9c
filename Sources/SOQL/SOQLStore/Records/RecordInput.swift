// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
package import RestSQLite

/// The fields of a create, update or upsert, checked against the schema.
package struct RecordInput {
    /// What is written, each column once.
    private(set) var values: [(field: FieldSchema, value: SQLValue)] = []
    /// Parents that are named by an external id of theirs: `"Account": {"ExternalId__c": "a"}`.
    private(set) var lookups: [(field: FieldSchema, members: JSONObject)] = []
    package let object: SObjectSchema

    /// JSON deeper than this is refused; a record is one level deep.
    private static let limits = JSONDocument.Limits(maximumDepth: 64)

    /// Checks the members of a record.
    ///
    /// The `key` is the external id field of an upsert, which may be in the path only.
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

    /// What the store's rules write.
    package init(_ values: [(name: String, value: SQLValue)], of object: SObjectSchema) {
        self.object = object
        for (name, value) in values { set(name, value) }
    }

    /// The members of a body that is one object.
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
        let missing = object.fields.filter { field in
            guard !field.isNillable, field.isCreateable, field.type != .boolean else { return false }
            if lookups.contains(where: { $0.field.name == field.name }) { return false }
            if let given = values.first(where: { $0.field.name == field.name }) { return given.value == .null }
            return isCreate && defaults[field.name] == nil && !field.isDefaultedOnCreate && field.defaultValue.isNull
        }
        guard missing.isEmpty else { throw .missingFields(missing.map(\.name)) }
    }

    /// Sets a column the org itself writes.
    package mutating func set(_ name: String, _ value: SQLValue) {
        guard let field = object.field(named: name) else { return }
        values.removeAll { $0.field.name == field.name }
        values.append((field, value))
    }

    /// What a column is set to; `nil` when it was not given.
    package func value(_ name: String) -> SQLValue? { values.first { $0.field.name == name }?.value }

    /// Whether a column was given, null included.
    func has(_ name: String) -> Bool { values.contains { $0.field.name == name } }

    /// Sets a column unless it was given.
    package mutating func setDefault(_ name: String, _ value: SQLValue) {
        guard !values.contains(where: { $0.field.name == name && $0.value != .null }) else { return }
        set(name, value)
    }
}

extension SObjectSchema {
    /// Refuses what nobody can do with the records of this object.
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

/// What the name of a column means: a field, or a parent by a key of the parent's.
///
/// `Account.ExternalId__c` names a parent, and `Contact:Who.Email` one that can be of several objects.
package struct RecordColumn {
    package let field: FieldSchema
    /// The object of a parent and the field that it is found by.
    package private(set) var parent: (object: SObjectSchema, key: FieldSchema)?

    /// `nil` for what is no field.
    package init?(_ name: String, _ object: SObjectSchema, _ schema: Schema) {
        if let field = object.field(named: name) {
            self.field = field
            return
        }
        let typed = name.split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = (typed.last ?? "").split(byte: ".", omittingEmptySubsequences: false).map(String.init)
        guard path.count == 2, let field = object.referenceField(ofRelationship: path[0]) else { return nil }
        let type = typed.count == 2 ? typed[0] : nil
        // The object has to be named where it can be one of several, and nowhere else.
        guard field.isPolymorphic || type == nil, field.referenceTo.count == 1 || type != nil else { return nil }
        let target = field.referenceTo.first { type == nil || $0.lowercased() == type?.lowercased() }
        guard let target = target.flatMap({ schema.object(named: $0) }), let key = target.field(named: path[1]),
            key.isLookupKey
        else { return nil }
        self.field = field
        parent = (target, key)
    }

    /// An id of 15 or 18 characters as one of 18; another text as it is.
    package static func key(_ text: String) -> String { RecordID.normalized(text) ?? text }

    /// The member of a record that the text of a column makes.
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
    /// Whether a record can be named by it in place of its id (`idLookup` in a describe).
    package var isLookupKey: Bool { isExternalId || type == .id || type == .email || name == "Username" }

    /// The JSON value for a text from a path, a table or XML.
    ///
    /// These have no types, so the type of the field decides.
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

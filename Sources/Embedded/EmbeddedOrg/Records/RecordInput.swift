// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// The fields of a create, update or upsert, checked against the schema.
struct RecordInput {
    /// What is written, each column once.
    private(set) var values: [(field: FieldSchema, value: SQLValue)] = []
    /// Parents that are named by an external id of theirs: `"Account": {"ExternalId__c": "a"}`.
    private(set) var lookups: [(field: FieldSchema, members: JSONObject)] = []
    let object: SObjectSchema

    /// JSON deeper than this is refused; a record is one level deep.
    private static let limits = JSONLimits(maximumDepth: 64)

    /// Checks the members of a record.
    ///
    /// The `key` is the external id field of an upsert, which may be in the path only.
    init(_ members: JSONObject, of object: SObjectSchema, isCreate: Bool, key: FieldSchema? = nil) throws(OrgFault) {
        self.object = object
        var seen: Set<String> = []
        for (name, value) in members where name != "attributes" {
            guard let field = object.field(named: name) ?? object.referenceField(ofRelationship: name) else {
                throw .unknownColumn(name, of: object.name)
            }
            guard seen.insert(field.name).inserted else { throw .parser("Duplicate field: \(field.name)") }
            guard field.name != key?.name else {
                throw OrgFault(
                    400, "INVALID_FIELD", "The \(field.name) field should not be specified in the sobject data.")
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
        try checkRequired(isCreate: isCreate)
    }

    /// What the org itself writes.
    init(_ values: [(name: String, value: SQLValue)], of object: SObjectSchema) {
        self.object = object
        for (name, value) in values { set(name, value) }
    }

    /// The members of a body that is one object.
    static func members(_ body: [UInt8]) throws(OrgFault) -> JSONObject {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: body, limits: limits).root
        } catch {
            throw .parser("\(error.expected) expected at [line:\(error.line), column:\(error.column)]")
        }
        guard let members = root.object else { throw .parser("an object expected at [line:1, column:1]") }
        return members
    }

    private static func readOnly(_ field: FieldSchema, _ isCreate: Bool) -> OrgFault {
        OrgFault(
            400, "INVALID_FIELD_FOR_INSERT_UPDATE",
            "Unable to create/update fields: \(field.name). Please check the security settings of this field and verify that "
                + "it is read/write for your profile or permission set.", fields: [field.name])
    }

    private func checkRequired(isCreate: Bool) throws(OrgFault) {
        let defaults = isCreate ? DerivedFields.defaults(object.name) : [:]
        let missing = object.fields.filter { field in
            guard !field.isNillable, field.isCreateable, field.type != .boolean else { return false }
            if lookups.contains(where: { $0.field.name == field.name }) { return false }
            if let given = values.first(where: { $0.field.name == field.name }) { return given.value == .null }
            return isCreate && defaults[field.name] == nil && !field.isDefaultedOnCreate && field.defaultValue.isNull
        }
        guard missing.isEmpty else { throw .missingFields(missing.map(\.name)) }
    }

    /// Sets a column the org itself writes.
    mutating func set(_ name: String, _ value: SQLValue) {
        guard let field = object.field(named: name) else { return }
        values.removeAll { $0.field.name == field.name }
        values.append((field, value))
    }

    /// What a column is set to; `nil` when it was not given.
    func value(_ name: String) -> SQLValue? { values.first { $0.field.name == name }?.value }

    /// Whether a column was given, null included.
    func has(_ name: String) -> Bool { values.contains { $0.field.name == name } }

    /// Sets a column unless it was given.
    mutating func setDefault(_ name: String, _ value: SQLValue) {
        guard !values.contains(where: { $0.field.name == name && $0.value != .null }) else { return }
        set(name, value)
    }
}

extension OrgFault {
    static func missingFields(_ names: [String]) -> OrgFault {
        OrgFault(
            400, "REQUIRED_FIELD_MISSING", "Required fields are missing: [\(names.joined(separator: ", "))]",
            fields: names)
    }
}

extension SObjectSchema {
    /// Refuses what nobody can do with the records of this object.
    func check(_ wanted: ObjectAbilities) throws(OrgFault) {
        let missing = wanted.subtracting(abilities)
        guard !missing.isEmpty else { return }
        guard missing != .delete else {
            throw .methodNotAllowed("DELETE", ["GET", "HEAD"] + (abilities.contains(.update) ? ["PATCH"] : []))
        }
        let operation = missing.contains(.create) ? "create" : missing.contains(.update) ? "update" : "undelete"
        throw OrgFault(
            400, "INVALID_TYPE_FOR_OPERATION", "entity type \(name) does not support \(operation)")
    }
}

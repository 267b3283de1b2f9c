// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
package import RestSQLite

/// Rows of an offline copy, which are written before the server knows them.
///
/// All methods work inside a transaction of the caller. References are not checked, because the copy may not have the
/// record that they point to.
extension RecordStore {
    /// Checks an edit against the schema, and returns the fields in the form in which they are stored.
    ///
    /// - Throws: `OrgError` for unknown and read-only fields, wrong types, and, in a new record, missing fields.
    package func checked(
        _ members: JSONObject, of object: SObjectSchema, isCreate: Bool
    ) throws(OrgError) -> JSONObject {
        try object.check(isCreate ? .create : .update)
        let input = try RecordInput(members, of: object, isCreate: isCreate)
        if let lookup = input.lookups.first {
            throw OrgError(
                "INVALID_FIELD", "A record is referred to by its id here; set \(lookup.field.name) instead",
                fields: [lookup.field.name])
        }
        return JSONObject(members: input.values.map { ($0.field.name, $0.field.recordJSON(of: $0.value)) })
    }

    /// Returns the fields of a server's record in the form in which they are stored, without fields that have no
    /// column.
    package func stored(_ record: JSONObject, of object: SObjectSchema) throws(OrgError) -> JSONObject {
        var members: [(key: String, value: JSONValue)] = []
        for (name, value) in record where name != "attributes" {
            guard let field = object.field(named: name) else { throw .unknownColumn(name, of: object.name) }
            if field.isColumn { members.append((field.name, try field.stored(value))) }
        }
        return JSONObject(members: members)
    }

    /// Creates or updates the row of a record with stored fields.
    package func put(
        _ id: String, _ fields: JSONObject, of object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        var record = fields
        record["Id"] = JSONValue(id)
        try copy(record, object, connection)
    }

    /// Returns all stored fields of a record, also of a deleted one, or `nil` if it has no row.
    package func fields(
        of id: String, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) -> JSONObject? {
        let fields = object.fields.filter(\.isColumn)
        let columns = fields.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return try connection.fetch(
            "SELECT \(columns) FROM \"\(object.name)\" WHERE \"Id\" = ?1", [.text(id)]
        ) { row in
            JSONObject(members: fields.enumerated().map { ($1.name, $1.recordJSON(of: row.value($0))) })
        }.first
    }

    /// Removes the row of a record without a trace.
    package func remove(
        _ id: String, of object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        try connection.change("DELETE FROM \"\(object.name)\" WHERE \"Id\" = ?1", [.text(id)])
    }

    /// Replaces the id of a record, in its row and in all references to it.
    ///
    /// If the new id already has a row, that row is replaced.
    package func rename(
        _ id: String, to newID: String, of object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        try remove(newID, of: object, connection)
        let values = [SQLValue.text(newID), .text(id)]
        try connection.change("UPDATE \"\(object.name)\" SET \"Id\" = ?1 WHERE \"Id\" = ?2", values)
        for reference in schema.references(to: object) {
            let name = reference.field.name
            try connection.change(
                "UPDATE \"\(reference.owner)\" SET \"\(name)\" = ?1 WHERE \"\(name)\" = ?2", values)
        }
    }
}

extension FieldSchema {
    /// Whether the field is stored in a column of its object's table.
    package var isColumn: Bool { type != .base64 && !type.isCompound && usage == nil }

    /// Returns a value in the form in which it is stored.
    package func stored(_ value: JSONValue) throws(OrgError) -> JSONValue {
        recordJSON(of: try FieldParser.parse(value, for: self, isChecked: false))
    }

    /// Returns the JSON of a stored value, in the form that a server sends.
    package func recordJSON(of value: SQLValue) -> JSONValue {
        switch value {
        case .null, .bytes: .null
        case .integer(let number):
            type == .boolean
                ? JSONValue(number != 0) : type == .int ? JSONValue(number) : JSONValue(Double(number)) ?? .null
        case .real(let number): JSONValue(number) ?? .null
        case .text(let text): JSONValue(text)
        }
    }
}

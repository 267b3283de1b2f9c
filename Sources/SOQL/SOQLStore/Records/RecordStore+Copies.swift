// SPDX-License-Identifier: Apache-2.0

package import RestJSON
import RestSQLite

extension RecordStore {
    /// Writes copies of a server's records, with the ids and the dates from the server.
    ///
    /// If a record with the id exists, its fields that the copy contains are replaced. Neither references nor lengths
    /// are checked, because the server has checked the values and can send the records in any order. All copies are
    /// written in one transaction.
    ///
    /// - Throws: `OrgError` if a copy has no id, an unknown field, or a value of the wrong type.
    package func copy(_ records: some Sequence<JSONObject>, of object: SObjectSchema) throws(OrgError) {
        try database.transaction { (connection) throws(OrgError) in
            for record in records { try copy(record, object, connection) }
        }
    }

    func copy(
        _ record: JSONObject, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        var (names, values): ([String], [SQLValue]) = ([], [])
        for (name, value) in record where name != "attributes" {
            guard let field = object.field(named: name) else { throw .unknownColumn(name, of: object.name) }
            // File contents have separate tables, and the other fields have no column.
            guard field.isColumn else { continue }
            names.append("\"\(field.name)\"")
            values.append(try FieldParser.parse(value, for: field, isChecked: false))
        }
        guard let id = names.firstIndex(of: "\"Id\""), values[id] != .null else { throw .missingFields(["Id"]) }
        guard Set(names).count == names.count else { throw .parser("Duplicate field of \(object.name)") }
        let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let sets = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        try connection.change(
            """
            INSERT INTO "\(object.name)" (\(names.joined(separator: ", "))) VALUES (\(places))
            ON CONFLICT ("Id") DO UPDATE SET \(sets)
            """, values)
    }
}

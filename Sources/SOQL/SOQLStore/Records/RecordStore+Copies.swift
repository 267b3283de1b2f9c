// SPDX-License-Identifier: Apache-2.0

package import RestJSON
package import RestSQLite

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

/// Writes copies of records with the same fields, such as the records of a page.
///
/// The SQL and the fields are found once, so that a copy costs only its values.
package struct RecordCopier {
    private let columns: [(name: String, field: FieldSchema?)]
    private let idIndex: Int
    private let insertion: String
    private let selection: String

    /// Creates the copier for records with the fields of this record, which become visible if they were deleted.
    package init(for record: JSONObject, of object: SObjectSchema) throws(OrgError) {
        var columns: [(name: String, field: FieldSchema?)] = []
        for (name, _) in record {
            let field = object.field(named: name)
            guard field != nil || name == "attributes" else { throw .unknownColumn(name, of: object.name) }
            columns.append((name, field.flatMap { $0.isColumn && $0.name != "IsDeleted" ? $0 : nil }))
        }
        let names = columns.compactMap { $0.field.map { "\"\($0.name)\"" } }
        guard let id = names.firstIndex(of: "\"Id\"") else { throw .missingFields(["Id"]) }
        guard Set(names).count == names.count else { throw .parser("Duplicate field of \(object.name)") }
        (self.columns, idIndex) = (columns, id)
        let all = (names + ["\"IsDeleted\""])
        let places = names.indices.map { "?\($0 + 1)" } + ["0"]
        insertion = """
            INSERT INTO "\(object.name)" (\(all.joined(separator: ", "))) VALUES (\(places.joined(separator: ", ")))
            ON CONFLICT ("Id") DO UPDATE SET \(all.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            """
        selection = """
            SELECT \(names.joined(separator: ", ")) FROM "\(object.name)" WHERE "Id" = ?1 AND "IsDeleted" = 0
            """
    }

    /// Returns the stored values of a record, or `nil` if it has other fields or no id.
    package func values(of record: JSONObject) throws(OrgError) -> (id: String, values: [SQLValue])? {
        var values: [SQLValue] = []
        values.reserveCapacity(columns.count)
        var index = 0
        for (name, value) in record {
            guard index < columns.count, columns[index].name == name else { return nil }
            if let field = columns[index].field {
                values.append(try FieldParser.parse(value, for: field, isChecked: false))
            }
            index += 1
        }
        guard index == columns.count, case .text(let id) = values[idIndex] else { return nil }
        return (id, values)
    }

    /// Writes the values, and returns `false` if the record had them before.
    package func write(_ values: [SQLValue], _ connection: SQLiteConnection) throws(OrgError) -> Bool {
        let known = try connection.fetch(selection, [values[idIndex]]) { row in
            values.indices.allSatisfy { row.value($0) == values[$0] }
        }
        guard known.first != true else { return false }
        try connection.change(insertion, values)
        return true
    }
}

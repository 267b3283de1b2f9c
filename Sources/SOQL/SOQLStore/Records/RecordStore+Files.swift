// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSQLite

extension RecordStore {
    /// Moves file contents from the input to the content store, and replaces each with an empty string.
    func keepBlobs(
        of input: inout RecordInput, _ id: String, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        for (field, value) in input.values where field.type == .base64 {
            var size = SQLValue.null
            if let old = try Blob.find(id, field.name, connection) {
                try ContentStore.remove(old.content, connection)
                try connection.change(
                    "DELETE FROM \"org.File\" WHERE \"Record\" = ?1 AND \"Field\" = ?2", [.text(id), .text(field.name)])
            }
            if case .text(let text) = value {
                let bytes = Base64.decode(text) ?? []
                try Blob.keep(bytes, id, field.name, connection)
                input.set(field.name, .text(""))
                size = .integer(Int64(bytes.count))
            }
            for name in ["BodyLength", "ContentSize"] { input.set(name, size) }
        }
    }

    /// Returns the file of an existing record, or `nil` if there is none.
    package func blob(_ id: String, _ field: FieldSchema, of object: SObjectSchema) throws(OrgError) -> Blob? {
        try database.read { (connection) throws(OrgError) -> Blob? in
            _ = try row(id, of: object, connection)
            return try Blob.find(RecordID.normalized(id) ?? id, field.name, connection)
        }
    }
}

extension RecordStore {
    /// Returns a record as JSON with a URL below `path`: `attributes`, then the fields in the given order.
    package func read(
        _ id: String, _ fields: [FieldSchema], of object: SObjectSchema, below path: String
    ) throws(OrgError) -> [UInt8] {
        guard fields.count <= object.fields.count else {
            throw OrgError("INVALID_FIELD", "A field of \(object.name) is listed more than once.")
        }
        return try database.read { (connection) throws(OrgError) -> [UInt8] in
            let number = try row(id, of: object, connection)
            let place = "\(path)/sobjects/\(object.name)/"
            let columns = ["\"Id\""] + fields.map { column($0, place) }
            let shape = RecordShape(
                idColumn: 0, openings: [.init(object, path: place)],
                members: fields.enumerated().map { .init($1.name, .value(column: $0 + 1, $1.type.kind)) })
            return try connection.fetch(
                """
                SELECT \(columns.joined(separator: ", ")) FROM "\(object.name)" WHERE rowid = ?1 AND ?2 IS NOT NULL
                """, [.integer(number), .text(userID)]
            ) { row in
                var bytes: [UInt8] = []
                shape.append(row, to: &bytes)
                return bytes
            }[0]
        }
    }

    /// Returns SQL for a field in a record: a path for a file, a JSON object for a compound field, and the time of the
    /// user's last view for a usage field.
    private func column(_ field: FieldSchema, _ place: String) -> String {
        if let usage = field.usage { return RecentRecords.time(of: usage) }
        let name = "\"\(field.name)\""
        if field.type == .base64 {
            return "CASE WHEN \(name) IS NOT NULL THEN '\(place)' || \"Id\" || '/\(field.name)' END"
        }
        guard field.type.isCompound else { return name }
        let values = field.components.map { "\"\($0.field)\"" }.joined(separator: ", ")
        let pairs = field.components.map { "'\($0.key)', \"\($0.field)\"" }.joined(separator: ", ")
        return "CASE WHEN coalesce(NULL, \(values)) IS NOT NULL THEN json_object(\(pairs)) END"
    }

    /// Returns the string in a field of a record, or `nil` if it is null.
    package func text(_ field: FieldSchema, _ id: String, of object: SObjectSchema) throws(OrgError) -> String? {
        try database.read { (connection) throws(OrgError) -> String? in
            let number = try row(id, of: object, connection)
            let sql = "SELECT \"\(field.name)\" FROM \"\(object.name)\" WHERE rowid = ?1"
            return try connection.fetch(sql, [.integer(number)]) { $0.isNull(0) ? nil : $0.text(0) }.first ?? nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

extension RecordStore {
    /// What conditions look at.
    func facts(_ id: String, of object: SObjectSchema) throws(OrgFault) -> RecordFacts {
        try database.read { (connection) throws(OrgFault) -> RecordFacts in
            try facts(try row(id, of: object, connection), of: object, connection)
        }
    }

    /// What conditions look at.
    func facts(
        _ number: Int64, of object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) -> RecordFacts {
        let isTagged = object.name == "Account"
        var (modified, content) = ("", [UInt8]())
        do throws(DatabaseError) {
            let columns = isTagged ? "\"LastModifiedDate\", *" : "\"LastModifiedDate\""
            try connection.rows(
                "SELECT \(columns) FROM \"\(object.name)\" WHERE rowid = ?1", [.integer(number)]
            ) { row in
                modified = row.text(0)
                for column in 1..<row.columnCount {
                    content.appendJSON(row, column, type: .string)
                    content.append(UInt8(ascii: ","))
                }
            }
        } catch {
            throw OrgFault(error)
        }
        let time = JSONTimestamp(modified) ?? JSONTimestamp(seconds: 0)
        // Two changes within a second have the same time, so the tag is made of the content.
        let tag = isTagged ? "\"\(Digest.fingerprint(String(decoding: content, as: UTF8.self)))\"" : nil
        return RecordFacts(modifiedSeconds: time.seconds, entityTag: tag)
    }

    /// One record as JSON: `attributes`, then the fields in the order given.
    func read(
        _ id: String, _ fields: [FieldSchema], of object: SObjectSchema, version: APIVersion
    ) throws(OrgFault) -> [UInt8] {
        guard fields.count <= object.fields.count else {
            throw OrgFault(400, "INVALID_FIELD", "A field of \(object.name) is listed more than once.")
        }
        return try database.read { (connection) throws(OrgFault) -> [UInt8] in
            let number = try row(id, of: object, connection)
            let record = RecordID.make(prefix: object.keyPrefix, number: number)
            let url = "\(version.path)/sobjects/\(object.name)/\(record)"
            let columns = fields.map { column($0, record, url) }.joined(separator: ", ")
            var bytes = Array(#"{"attributes":{"type":"\#(object.name)","url":"\#(url)"}"#.utf8)
            do throws(DatabaseError) {
                try connection.rows(
                    "SELECT \(columns.isEmpty ? "1" : columns) FROM \"\(object.name)\" WHERE rowid = ?1",
                    [.integer(number)]
                ) { row in
                    for (column, field) in fields.enumerated() {
                        bytes.append(contentsOf: #","\#(field.name)":"#.utf8)
                        bytes.appendJSON(row, column, type: field.type)
                    }
                }
            } catch {
                throw OrgFault(error)
            }
            bytes.append(UInt8(ascii: "}"))
            return bytes
        }
    }

    /// What a record shows of a field: of bytes the path where they are read, of a compound field its parts, and when
    /// the user has looked at it.
    private func column(_ field: FieldSchema, _ id: String, _ url: String) -> String {
        if let usage = field.usage { return RecentRecords.time(of: usage, id, by: userID) }
        if field.type == .base64 { return "CASE WHEN \"\(field.name)\" IS NOT NULL THEN '\(url)/\(field.name)' END" }
        guard field.type.isCompound else { return "\"\(field.name)\"" }
        let values = field.components.map { "\"\($0.field)\"" }.joined(separator: ", ")
        let pairs = field.components.map { "'\($0.key)', \"\($0.field)\"" }.joined(separator: ", ")
        return "CASE WHEN coalesce(NULL, \(values)) IS NOT NULL THEN json_object(\(pairs)) END"
    }

    /// The text in a field of a record; `nil` for none.
    func text(_ field: FieldSchema, _ id: String, of object: SObjectSchema) throws(OrgFault) -> String? {
        try database.read { (connection) throws(OrgFault) -> String? in
            let number = try row(id, of: object, connection)
            var text: String?
            do throws(DatabaseError) {
                let sql = "SELECT \"\(field.name)\" FROM \"\(object.name)\" WHERE rowid = ?1"
                try connection.rows(sql, [.integer(number)]) { if !$0.isNull(0) { text = $0.text(0) } }
            } catch {
                throw OrgFault(error)
            }
            return text
        }
    }
}

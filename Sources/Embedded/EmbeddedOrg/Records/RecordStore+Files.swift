// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import RestTransport

extension RecordStore {
    /// Completes a new version, and makes its document if it has none.
    func beginVersion(_ input: inout RecordInput, _ connection: SQLiteConnection) throws(OrgFault) {
        guard case .text(let path) = input.value("PathOnClient") else { throw .missingFields(["PathOnClient"]) }
        guard input.value("VersionData") ?? .null != .null else { throw .missingFields(["VersionData"]) }
        let parts = ContentFiles.parts(of: path)
        input.setDefault("Title", .text(parts.name.isEmpty ? path : parts.name))
        input.set("FileType", .text(parts.type))
        input.set("FileExtension", parts.extension.isEmpty ? .null : .text(parts.extension))
        input.set("IsLatest", .integer(1))
        guard case .text(let document) = input.value("ContentDocumentId") else {
            input.set("VersionNumber", .text("1"))
            return input.set("ContentDocumentId", .text(try makeDocument(input, connection)))
        }
        let versions = "FROM \"ContentVersion\" WHERE \"ContentDocumentId\" = ?1"
        let last = "SELECT coalesce(max(CAST(\"VersionNumber\" AS INTEGER)), 0), 0 \(versions)"
        let number = try first(connection, last, [.text(document)])?.0 ?? 0
        input.set("VersionNumber", .text(String(number + 1)))
        try connection.change(
            "UPDATE \"ContentVersion\" SET \"IsLatest\" = 0 WHERE \"ContentDocumentId\" = ?1 AND \"IsLatest\" = 1",
            [.text(document)])
    }

    private func makeDocument(_ input: RecordInput, _ connection: SQLiteConnection) throws(OrgFault) -> String {
        let owner = input.value("OwnerId") ?? .text(userID)
        let title = input.value("Title") ?? .null
        let id = try insert("ContentDocument", [("OwnerId", owner), ("Title", title)], connection)
        var shares = [(owner, "I")]
        if let place = input.value("FirstPublishLocationId"), place != .null, place != owner {
            shares.append((place, "V"))
        }
        for (place, type) in shares {
            try insert(
                "ContentDocumentLink",
                [("ContentDocumentId", .text(id)), ("LinkedEntityId", place), ("ShareType", .text(type))], connection)
        }
        return id
    }

    @discardableResult
    private func insert(
        _ name: String, _ values: [(name: String, value: SQLValue)], _ connection: SQLiteConnection
    ) throws(OrgFault) -> String {
        guard let object = schema.object(named: name) else { throw .unknownObject(name) }
        return try insert(RecordInput(values, of: object), object, connection)
    }

    /// Brings a document and its latest version in line after one of them was written.
    func alignFiles(
        _ number: Int64, _ input: RecordInput, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) {
        if object.name == "ContentDocument" {
            for name in ["Title", "Description"] {
                guard let value = input.value(name) else { continue }
                let sql = """
                    UPDATE "ContentVersion" SET "\(name)" = ?2 WHERE "IsLatest" = 1 AND "ContentDocumentId" =
                    (SELECT "Id" FROM "ContentDocument" WHERE rowid = ?1)
                    """
                try connection.change(sql, [.integer(number), value])
            }
        } else if object.name == "ContentVersion" {
            let sql = """
                UPDATE "ContentDocument" SET \(ContentFiles.documentFields) WHERE "Id" =
                (SELECT "ContentDocumentId" FROM "ContentVersion" WHERE rowid = ?1)
                """
            try connection.change(sql, [.integer(number)])
        }
    }
}

extension RecordStore {
    /// Takes the contents of files out of what is written, and leaves an empty text for each that is there.
    func keepBlobs(
        of input: inout RecordInput, _ id: String, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) {
        for (field, value) in input.values where field.type == .base64 {
            var size = SQLValue.null
            try OrgFault.wrapping { () throws(DatabaseError) in
                if let old = try Blob.find(id, field.name, connection) {
                    try ContentStore.remove(old.content, connection)
                    try connection.run(
                        "DELETE FROM \"org.File\" WHERE \"Record\" = ?1 AND \"Field\" = ?2",
                        [.text(id), .text(field.name)])
                }
                if case .text(let text) = value {
                    let bytes = Base64.decode(text) ?? []
                    try Blob.keep(bytes, id, field.name, connection)
                    input.set(field.name, .text(""))
                    size = .integer(Int64(bytes.count))
                }
            }
            for name in ["BodyLength", "ContentSize"] { input.set(name, size) }
        }
    }

    /// The file of a record that is there; `nil` when it has none.
    func blob(_ id: String, _ field: FieldSchema, of object: SObjectSchema) throws(OrgFault) -> Blob? {
        try database.read { (connection) throws(OrgFault) -> Blob? in
            let number = try row(id, of: object, connection)
            let record = RecordID.make(prefix: object.keyPrefix, number: number)
            return try OrgFault.wrapping { () throws(DatabaseError) in
                try Blob.find(record, field.name, connection)
            }
        }
    }
}

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
        try OrgFault.wrapping { () throws(DatabaseError) in
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
            try OrgFault.wrapping { () throws(DatabaseError) in
                try connection.rows(
                    "SELECT \(columns.isEmpty ? "1" : columns) FROM \"\(object.name)\" WHERE rowid = ?1",
                    [.integer(number)]
                ) { row in
                    for (column, field) in fields.enumerated() {
                        bytes.append(contentsOf: #","\#(field.name)":"#.utf8)
                        bytes.appendJSON(row, column, type: field.type)
                    }
                }
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
            let sql = "SELECT \"\(field.name)\" FROM \"\(object.name)\" WHERE rowid = ?1"
            return try connection.fetch(sql, [.integer(number)]) { $0.isNull(0) ? nil : $0.text(0) }.first ?? nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSQLite
import SOQLStore

/// The content of a record's file as far as the copy has it: one row of the table of files.
struct StoredFile: Sendable, Hashable {
    let record: String
    let object: String
    /// The number of the content in the store.
    let content: Int64
    /// The size in bytes, or `nil` if the server has not reported it.
    var size: Int?
    var received = 0
    /// The version of the record to which the content belongs.
    var version: String
    /// The server's entity tag of the content.
    var tag: String?
    /// Whether the server does not have the file.
    var isLocal = false

    var isComplete: Bool { size == received }

    /// Reads the file of a record.
    static func find(_ record: String, _ connection: SQLiteConnection) throws(OrgError) -> StoredFile? {
        try connection.fetch(
            """
            SELECT "Record", "Object", "Content", "Size", "Received", "Version", "Tag", "IsLocal" FROM "sync.File"
            WHERE "Record" = ?1
            """, [.text(record)]
        ) { row in
            StoredFile(
                record: row.text(0), object: row.text(1), content: row.integer(2),
                size: row.isNull(3) ? nil : Int(clamping: row.integer(3)), received: Int(clamping: row.integer(4)),
                version: row.text(5), tag: row.isNull(6) ? nil : row.text(6), isLocal: row.integer(7) == 1)
        }.first
    }

    /// Begins an empty file in place of the record's file.
    static func begin(
        _ record: String, _ object: String, version: String, size: Int? = nil, tag: String? = nil,
        isLocal: Bool = false, _ connection: SQLiteConnection
    ) throws(OrgError) -> StoredFile {
        try remove(record, connection)
        let content = try ContentStore.begin(0, connection)
        // Otherwise the content would be removed when the copy is opened again.
        try ContentStore.makeWhole(content, connection)
        let file = StoredFile(
            record: record, object: object, content: content, size: size, version: version, tag: tag, isLocal: isLocal)
        try connection.change(
            "INSERT INTO \"sync.File\" VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7)",
            [
                .text(record), .text(object), .integer(content), size.map { .integer(Int64($0)) } ?? .null,
                .text(version), tag.map { .text($0) } ?? .null, .integer(isLocal ? 1 : 0),
            ])
        return file
    }

    /// Adds bytes, whose number is a multiple of the chunk size except at the end of the content.
    mutating func append(_ bytes: [UInt8], isLast: Bool, _ connection: SQLiteConnection) throws(OrgError) {
        try ContentStore.append(bytes, to: content, at: received, connection)
        received += bytes.count
        if isLast { size = received }
        try connection.change(
            "UPDATE \"sync.File\" SET \"Received\" = ?2, \"Size\" = ?3 WHERE \"Content\" = ?1",
            [.integer(content), .integer(Int64(received)), size.map { .integer(Int64($0)) } ?? .null])
    }

    static func remove(_ record: String, _ connection: SQLiteConnection) throws(OrgError) {
        guard let file = try find(record, connection) else { return }
        try ContentStore.remove(file.content, connection)
        try connection.change("DELETE FROM \"sync.File\" WHERE \"Record\" = ?1", [.text(record)])
    }

    /// Removes the files of records that the copy no longer has and that have no pending change.
    static func sweep(_ schema: Schema, _ connection: SQLiteConnection) throws(OrgError) {
        for name in try connection.fetch("SELECT DISTINCT \"Object\" FROM \"sync.File\"", [], { $0.text(0) }) {
            // A migration has removed the table of an object that the schema lacks.
            let known = schema.object(named: name).map { "AND \"Record\" NOT IN (SELECT \"Id\" FROM \"\($0.name)\")" }
            let gone = try connection.fetch(
                """
                SELECT "Record" FROM "sync.File" WHERE "Object" = ?1 \(known ?? "")
                AND "Record" NOT IN (SELECT "Record" FROM "sync.Outbox")
                """, [.text(name)]
            ) { $0.text(0) }
            for record in gone { try remove(record, connection) }
        }
    }
}

extension SObjectSchema {
    /// The field that contains the file of a record, or `nil` for objects without files.
    var fileField: FieldSchema? { fields.first { $0.type == .base64 } }

    /// The version of a record's file, as far as the copy knows it.
    ///
    /// The content of a ContentVersion never changes. Others may have changed with each change of their record.
    func fileVersion(of record: JSONObject) -> String {
        name == "ContentVersion" ? "1" : record["SystemModstamp"]?.string ?? ""
    }
}

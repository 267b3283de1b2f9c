// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

/// The contents of files.
enum Blob {
    /// A body may have no more, and base 64 makes it a third longer.
    static let mostBytes = 36 << 20

    /// Removes the files of a record that is gone for good.
    static func remove(of record: String, _ connection: SQLiteConnection) throws(DatabaseError) {
        try connection.run("DELETE FROM \"org.Blob\" WHERE \"Record\" = ?1", [.text(record)])
    }
}

extension RecordStore {
    /// Takes the contents of files out of what is written, and leaves an empty text for each that is there.
    func keepBlobs(
        of input: inout RecordInput, _ id: String, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) {
        for (field, value) in input.values where field.type == .base64 {
            var size = SQLValue.null
            do throws(DatabaseError) {
                if case .text(let text) = value {
                    try connection.run(
                        "INSERT OR REPLACE INTO \"org.Blob\" VALUES (?1, ?2, ?3)",
                        [.text(id), .text(field.name), .text(text)])
                    input.set(field.name, .text(""))
                    size = .integer(Int64(Base64.decode(text)?.count ?? 0))
                } else {
                    try connection.run(
                        "DELETE FROM \"org.Blob\" WHERE \"Record\" = ?1 AND \"Field\" = ?2",
                        [.text(id), .text(field.name)])
                }
            } catch {
                throw OrgFault(error)
            }
            for name in ["BodyLength", "ContentSize"] { input.set(name, size) }
        }
    }

    /// The contents of a file; `nil` when it has none.
    func blob(_ id: String, _ field: FieldSchema, of object: SObjectSchema) throws(OrgFault) -> [UInt8]? {
        try database.read { (connection) throws(OrgFault) -> [UInt8]? in
            let number = try row(id, of: object, connection)
            let record = RecordID.make(prefix: object.keyPrefix, number: number)
            var bytes: [UInt8]?
            do throws(DatabaseError) {
                try connection.rows(
                    "SELECT \"Data\" FROM \"org.Blob\" WHERE \"Record\" = ?1 AND \"Field\" = ?2",
                    [.text(record), .text(field.name)]
                ) { bytes = Base64.decode($0.text(0)) }
            } catch {
                throw OrgFault(error)
            }
            return bytes
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

extension RecordStore {
    /// Takes the contents of files out of what is written, and leaves an empty text for each that is there.
    func keepBlobs(
        of input: inout RecordInput, _ id: String, _ object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgFault) {
        for (field, value) in input.values where field.type == .base64 {
            var size = SQLValue.null
            do throws(DatabaseError) {
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
            } catch {
                throw OrgFault(error)
            }
            for name in ["BodyLength", "ContentSize"] { input.set(name, size) }
        }
    }

    /// The file of a record that is there; `nil` when it has none.
    func blob(_ id: String, _ field: FieldSchema, of object: SObjectSchema) throws(OrgFault) -> Blob? {
        try database.read { (connection) throws(OrgFault) -> Blob? in
            let number = try row(id, of: object, connection)
            let record = RecordID.make(prefix: object.keyPrefix, number: number)
            do throws(DatabaseError) {
                return try Blob.find(record, field.name, connection)
            } catch {
                throw OrgFault(error)
            }
        }
    }
}

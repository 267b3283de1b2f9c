// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// How a row of an upload becomes a record.
struct BulkRecord {
    let job: BulkJob
    let object: SObjectSchema
    let schema: Schema

    /// What came of a row.
    struct Outcome {
        var id: String?
        var isNew = false
        var fault: OrgFault?
    }

    private var isDelete: Bool { job.operation == "delete" || job.operation == "hardDelete" }

    /// The column that says which record is meant.
    private var key: String? {
        switch job.operation {
        case "insert": nil
        case "upsert": job.externalID
        default: "Id"
        }
    }

    /// Refuses names that are no fields; nothing was written then.
    func check(_ names: [String]) throws(OrgFault) {
        for name in names where RecordColumn(name, object, schema) == nil {
            throw OrgFault(400, "InvalidBatch", "Field name not found : \(name.prefix(100))")
        }
        guard Set(names.map { $0.lowercased() }).count == names.count else {
            throw OrgFault(400, "InvalidBatch", "A field name stands twice in the header")
        }
        guard let key else { return }
        guard names.contains(where: { $0.lowercased() == key.lowercased() }) else {
            throw OrgFault(400, "InvalidBatch", "The column \(key) is missing")
        }
        guard !isDelete || names.count == 1 else {
            throw OrgFault(400, "InvalidBatch", "The '\(job.operation)' batch must contain only ids")
        }
    }

    func save(_ row: BulkRow, in store: RecordStore) -> Outcome {
        var id = ""
        do throws(OrgFault) {
            let (key, members) = try parts(row.content)
            id = key
            guard !isDelete || members.isEmpty else {
                throw OrgFault(400, "INVALID_FIELD", "The '\(job.operation)' batch must contain only ids")
            }
            return try write(members, key, store)
        } catch {
            return Outcome(id: RecordID.normalized(id), fault: error)
        }
    }

    /// What a row says of the record that is meant, and what of its fields.
    private func parts(_ content: BulkRow.Content) throws(OrgFault) -> (key: String, members: JSONObject) {
        var (key, members) = ("", [(key: String, value: JSONValue)]())
        switch content {
        case .fault(let fault): throw fault
        case .texts(let texts):
            for (name, text) in texts {
                if isKey(name) { key = text ?? "" } else { members.append(try member(name, text)) }
            }
        }
        return (key, JSONObject(members: members))
    }

    private func isKey(_ name: String) -> Bool { key.map { name.lowercased() == $0.lowercased() } ?? false }

    private func member(_ name: String, _ text: String?) throws(OrgFault) -> (key: String, value: JSONValue) {
        guard let column = RecordColumn(name, object, schema) else { throw .unknownColumn(name, of: object.name) }
        return column.member(text)
    }

    private func write(_ members: JSONObject, _ key: String, _ store: RecordStore) throws(OrgFault) -> Outcome {
        switch job.operation {
        case "insert": return Outcome(id: try store.create(members, of: object), isNew: true)
        case "update": try store.update(key, with: members, of: object)
        case "upsert":
            guard let field = object.field(named: job.externalID) else { throw .notFound }
            if field.type == .id, key.isEmpty {
                return Outcome(id: try store.create(members, of: object), isNew: true)
            }
            guard !key.isEmpty else { throw OrgFault(400, "MISSING_ARGUMENT", "\(field.name) not specified") }
            let saved = try store.upsert(field, field.value(of: key), with: members, of: object)
            return Outcome(id: saved.id, isNew: saved.isNew)
        default: try store.delete(key, of: object, isFinal: job.operation == "hardDelete")
        }
        return Outcome(id: RecordID.normalized(key))
    }
}

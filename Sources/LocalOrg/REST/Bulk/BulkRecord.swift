// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// How the fields of a line of CSV become a record.
struct BulkRecord {
    let names: [String]
    let job: BulkJob
    let object: SObjectSchema

    /// Refuses names that are no fields; nothing was written then.
    func check() throws(OrgFault) {
        for name in names {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let isKnown =
                parts.count == 2
                ? object.referenceField(ofRelationship: parts[0]) != nil : object.field(named: name) != nil
            guard isKnown else {
                throw OrgFault(400, "InvalidBatch", "Field name not found : \(name.prefix(100))")
            }
        }
        guard Set(names.map { $0.lowercased() }).count == names.count else {
            throw OrgFault(400, "InvalidBatch", "A field name stands twice in the header")
        }
        let key = job.operation == "upsert" ? job.externalID : job.operation == "insert" ? nil : "Id"
        guard let key else { return }
        guard names.contains(where: { $0.lowercased() == key.lowercased() }) else {
            throw OrgFault(400, "InvalidBatch", "The column \(key) is missing")
        }
        guard !["delete", "hardDelete"].contains(job.operation) || names.count == 1 else {
            throw OrgFault(400, "InvalidBatch", "The '\(job.operation)' batch must contain only ids")
        }
    }

    func save(_ fields: [String], in store: RecordStore) -> (id: String?, isNew: Bool, fault: OrgFault?) {
        guard fields.count == names.count else {
            let message = "The line has \(fields.count) fields and the header \(names.count)"
            return (nil, false, OrgFault(400, "INVALID_BATCH", message))
        }
        var members: [(key: String, value: JSONValue)] = []
        var key = ""
        for (name, text) in zip(names, fields) {
            if isKey(name) {
                key = text
            } else if let value = value(text, name) {
                members.append(member(name, value))
            }
        }
        do throws(OrgFault) {
            return try write(JSONObject(members: members), key, store)
        } catch {
            return (RecordID.normalized(key), false, error)
        }
    }

    private func isKey(_ name: String) -> Bool {
        guard job.operation != "insert" else { return false }
        return name.lowercased() == (job.operation == "upsert" ? job.externalID : "Id").lowercased()
    }

    private func write(
        _ members: JSONObject, _ key: String, _ store: RecordStore
    ) throws(OrgFault) -> (id: String?, isNew: Bool, fault: OrgFault?) {
        switch job.operation {
        case "insert": return (try store.create(members, of: object), true, nil)
        case "update": try store.update(key, with: members, of: object)
        case "upsert":
            guard let field = object.field(named: job.externalID) else { throw .notFound }
            if field.type == .id, key.isEmpty { return (try store.create(members, of: object), true, nil) }
            guard !key.isEmpty else { throw OrgFault(400, "MISSING_ARGUMENT", "\(field.name) not specified") }
            let saved = try store.upsert(field, JSONValue(key), with: members, of: object)
            return (saved.id, saved.isNew, nil)
        default: try store.delete(key, of: object)
        }
        return (RecordID.normalized(key), false, nil)
    }

    /// `Account.ExternalId__c` names a parent by an external id.
    private func member(_ name: String, _ value: JSONValue) -> (key: String, value: JSONValue) {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], [parts[1]: value] as JSONValue) : (name, value)
    }

    /// The value of a field; an empty one is not written, and `#N/A` is null.
    private func value(_ text: String, _ name: String) -> JSONValue? {
        guard !text.isEmpty else { return nil }
        guard text != "#N/A" else { return .null }
        switch object.field(named: name)?.type {
        case .boolean:
            return ["true": true, "1": true, "false": false, "0": false][text.lowercased()] ?? JSONValue(text)
        case .int, .double, .currency, .percent:
            let number = try? JSONValue(parsing: text)
            return number?.kind == .number ? number : JSONValue(text)
        default: return JSONValue(text)
        }
    }
}

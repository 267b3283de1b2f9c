// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import SOQLStore

/// Writes the payloads of events as JSON.
enum EventPayload {
    /// Returns the payload of a platform event: all its fields that are not null.
    static func fields(of change: RecordChange) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            // The UUID is outside of the payload.
            for item in change.values where item.field.name != "EventUuid" {
                writer.member(item.field.name, json: item.field.json(of: item.value))
            }
        }
        return writer.bytes
    }

    /// Returns the payload of a change event, and the members of its header that CometD does not have.
    ///
    /// The paths of the object's fields in its events are given by the names of the fields.
    static func change(
        _ change: RecordChange, _ commit: ChangeCommit, at time: Int64, _ paths: [String: String]
    ) -> (bytes: [UInt8], detail: String) {
        let isUpdate = change.kind == .updated
        let values = change.values.compactMap { field, value in
            paths[field.name].map { (path: $0, value: field.json(of: value)) }
        }
        let nulled = isUpdate ? change.nulled.compactMap { paths[$0.name] } : []
        let type =
            switch change.kind {
            case .created, .published: "CREATE"
            case .updated: "UPDATE"
            case .deleted, .merged: "DELETE"
            case .undeleted: "UNDELETE"
            }
        var writer = JSONWriter()
        writer.beginObject()
        let changed = isUpdate ? values.map(\.path) + nulled : []
        header(change.object.name, [change.id], type, commit, by: change.user, at: time, changed, &writer)
        append(values + nulled.map { (path: $0, value: Array("null".utf8)) }, &writer)
        writer.endObject()
        guard isUpdate else { return (writer.bytes, "") }
        var detail = JSONWriter()
        detail.object { $0.member("nulledFields", list: nulled) }
        return (writer.bytes, String(decoding: detail.bytes, as: UTF8.self))
    }

    /// Returns the payload of an event that reports lost changes, which has only a header.
    static func gap(
        _ type: String, of object: SObjectSchema, ids: [String], by user: String, at time: Int64
    ) -> [UInt8] {
        let commit = ChangeCommit(
            key: RandomText.make(36, of: "0123456789abcdef"), number: time, origin: "", sequence: 1)
        var writer = JSONWriter()
        writer.object { header(object.name, ids, type, commit, by: user, at: time, [], &$0) }
        return writer.bytes
    }

    private static func header(
        _ entity: String, _ ids: [String], _ type: String, _ commit: ChangeCommit, by user: String, at time: Int64,
        _ changed: [String], _ writer: inout JSONWriter
    ) {
        writer.member("ChangeEventHeader") { writer in
            writer.member("entityName", entity)
            writer.member("recordIds", list: ids)
            writer.member("changeType", type)
            writer.member("commitTimestamp", Int(time))
            writer.member("commitUser", user)
            writer.member("changeOrigin", commit.origin)
            writer.member("transactionKey", commit.key)
            writer.member("sequenceNumber", commit.sequence)
            writer.member("commitNumber", Int(commit.number))
            writer.member("changedFields", list: changed)
        }
    }

    /// Writes the fields of a change event, in which the parts of a compound field are in an object.
    private static func append(_ values: [(path: String, value: [UInt8])], _ writer: inout JSONWriter) {
        for group in EventFields.grouped(values) {
            guard group.isCompound else {
                writer.member(group.name, json: group.parts[0].value)
                continue
            }
            writer.member(group.name) { writer in
                for part in group.parts { writer.member(part.name, json: part.value) }
            }
        }
    }
}

/// The fields of a change event with values, in which the parts of a compound field are together.
struct EventFields<Value> {
    let name: String
    let isCompound: Bool
    /// The parts of a compound field, or the field itself.
    private(set) var parts: [(name: String, value: Value)]

    /// Groups fields by the first part of their paths, each at the place of its first part.
    static func grouped(_ fields: [(path: String, value: Value)]) -> [EventFields] {
        var groups: [EventFields] = []
        for (path, value) in fields {
            let cut = path.cut(byte: ".")
            let (name, part) = (cut.map { String($0.before) } ?? path, cut.map { String($0.after) } ?? path)
            if cut != nil, let index = groups.firstIndex(where: { $0.name == name }) {
                groups[index].parts.append((part, value))
            } else {
                groups.append(EventFields(name: name, isCompound: cut != nil, parts: [(part, value)]))
            }
        }
        return groups
    }
}

extension SObjectSchema {
    /// The fields in the change events of the object, with their paths: `Phone`, `BillingAddress.City`,
    /// `Name.FirstName`.
    var eventPaths: [(field: FieldSchema, path: String)] {
        let left: Set<String> = ["Id", "IsDeleted", "SystemModstamp", "MasterRecordId"]
        var parents: [String: String] = [:]
        for field in fields where field.type.isCompound {
            for part in field.components {
                parents[part.field] = "\(field.name).\(part.key.prefix(1).uppercased())\(part.key.dropFirst())"
            }
        }
        // The name of a person consists of other fields.
        let isPerson = field(named: "Name") != nil && field(named: "LastName") != nil
        if isPerson {
            for name in ["Salutation", "FirstName", "MiddleName", "LastName", "Suffix"] {
                parents[name] = "Name.\(name)"
            }
        }
        return fields.compactMap { field in
            guard !left.contains(field.name), field.usage == nil, !field.type.isCompound, field.type != .base64,
                !field.isCalculated, !isPerson || field.name != "Name"
            else { return nil }
            return (field, parents[field.name] ?? field.name)
        }
    }
}

extension FieldSchema {
    /// Returns a value as JSON, with times in ISO 8601 and `Z`.
    func json(of value: SQLValue) -> [UInt8] {
        var bytes: [UInt8] = []
        switch (type, value) {
        case (.boolean, .integer(let number)): bytes += (number == 0 ? "false" : "true").utf8
        case (_, .integer(let number)): bytes.appendInteger(number)
        case (.int, .real(let number)): bytes.appendInteger(Int64(number.rounded()))  // bounded: the store wrote it
        case (_, .real(let number)): bytes.appendNumber(number)
        case (.datetime, .text(let text)):
            bytes.appendQuoted(ContiguousArray("\(text.removing(suffix: "+0000") ?? Substring(text))Z".utf8).span)
        case (_, .text(let text)): bytes.appendQuoted(ContiguousArray(text.utf8).span)
        case (_, .null), (_, .bytes): bytes += "null".utf8
        }
        return bytes
    }
}

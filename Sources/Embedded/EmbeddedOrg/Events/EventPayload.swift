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
        var bytes = [UInt8(ascii: "{")]
        // The UUID is outside of the payload.
        for item in change.values where item.field.name != "EventUuid" { bytes.add(item) }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Returns the payload of a change event, and the members of its header that CometD does not have.
    ///
    /// The paths of the object's fields in its events are given by the names of the fields.
    static func change(
        _ change: RecordChange, _ commit: ChangeCommit, at time: Int64, _ paths: [String: String]
    ) -> (bytes: [UInt8], detail: String) {
        let isUpdate = change.kind == .updated
        let values = change.values.compactMap { item in paths[item.field.name].map { (path: $0, bytes: item.json) } }
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
        writer.member("ChangeEventHeader") { writer in
            header(change.object.name, [change.id], type, by: change.user, at: time, &writer)
            writer.member("changeOrigin", commit.origin)
            writer.member("transactionKey", commit.key)
            writer.member("sequenceNumber", commit.sequence)
            writer.member("commitNumber", Int(commit.number))
            writer.member("changedFields", list: isUpdate ? values.map(\.path) + nulled : [])
        }
        append(values + nulled.map { (path: $0, bytes: Array("null".utf8)) }, &writer)
        writer.endObject()
        guard isUpdate else { return (writer.bytes, "") }
        var detail = JSONWriter()
        detail.object { writer in
            writer.member("nulledFields", list: nulled)
            writer.member("diffFields", list: [])
        }
        return (writer.bytes, String(decoding: detail.bytes, as: UTF8.self))
    }

    /// Returns the payload of an event that reports lost changes, which has only a header.
    static func gap(
        _ type: String, of object: SObjectSchema, ids: [String], by user: String, at time: Int64
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("ChangeEventHeader") { writer in
                header(object.name, ids, type, by: user, at: time, &writer)
                writer.member("changeOrigin", "")
                writer.member("transactionKey", RandomText.make(36, of: "0123456789abcdef"))
                writer.member("sequenceNumber", 1)
                writer.member("commitNumber", Int(time))
                writer.member("changedFields", list: [])
            }
        }
        return writer.bytes
    }

    private static func header(
        _ entity: String, _ ids: [String], _ type: String, by user: String, at time: Int64, _ writer: inout JSONWriter
    ) {
        writer.member("entityName", entity)
        writer.member("recordIds", list: ids)
        writer.member("changeType", type)
        writer.member("commitTimestamp", Int(time))
        writer.member("commitUser", user)
    }

    /// Writes the fields of a change event, in which the parts of a compound field are in an object.
    private static func append(_ values: [(path: String, bytes: [UInt8])], _ writer: inout JSONWriter) {
        var compounds: [(name: Substring, members: [(name: Substring, bytes: [UInt8])])] = []
        for (path, bytes) in values {
            guard let (parent, name) = path.cut(byte: ".") else {
                writer.key(path)
                writer.raw(bytes)
                continue
            }
            let index = compounds.firstIndex { $0.name == parent } ?? compounds.count
            if index == compounds.count { compounds.append((parent, [])) }
            compounds[index].members.append((name, bytes))
        }
        for (name, members) in compounds {
            writer.member(String(name)) { writer in
                for (name, bytes) in members {
                    writer.key(String(name))
                    writer.raw(bytes)
                }
            }
        }
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

extension RecordChange.Value {
    /// The value as JSON, with times in ISO 8601 and `Z`.
    var json: [UInt8] {
        var bytes: [UInt8] = []
        switch (field.type, value) {
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

extension [UInt8] {
    /// Appends a member of a JSON object that has begun.
    fileprivate mutating func add(_ item: RecordChange.Value) {
        if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
        appendQuoted(ContiguousArray(item.field.name.utf8).span)
        append(UInt8(ascii: ":"))
        append(contentsOf: item.json)
    }
}

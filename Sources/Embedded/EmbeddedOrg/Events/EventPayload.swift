// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import SOQLStore

enum EventPayload {
    /// Returns the payload of a platform event: all its fields that are not null.
    static func fields(of event: PublishedEvent) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (field, value) in event.values { writer.member(field.name, json: field.json(of: value)) }
        }
        return writer.bytes
    }

    /// Returns the payload of a change event.
    ///
    /// The records with these IDs have changed in the same way. The paths of fields in events are given by the names of
    /// the fields.
    static func change(
        _ change: RecordChange, _ ids: [String], _ commit: ChangeCommit, at time: Int64, _ paths: [String: String]
    ) -> [UInt8] {
        let values = change.values.compactMap { field, value -> (path: String, value: [UInt8])? in
            guard let path = paths[field.name] else { return nil }
            guard case .text(let text) = value, let old = change.replaced[field.name],
                let difference = TextDifference.unified(old, text)
            else { return (path, field.json(of: value)) }
            var writer = JSONWriter()
            writer.object { $0.member("diff", difference) }
            return (path, writer.bytes)
        }
        let nulled = change.nulled.compactMap { paths[$0.name] }.map { (path: $0, value: Array("null".utf8)) }
        let changed = change.kind == .updated ? (values + nulled).map(\.path) : []
        let type = String(change.kind.name.uppercased().dropLast())
        var writer = JSONWriter()
        writer.object { writer in
            header(change.object.name, ids, type, commit, by: change.user, at: time, changed, &writer)
            append(values + nulled, &writer)
        }
        return writer.bytes
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
                for (name, value) in group.parts { writer.member(name, json: value) }
            }
        }
    }
}

/// The fields of a change event with values, in which the parts of a compound field are together.
enum EventFields<Value> {
    /// A compound field with its parts, or another field, which is its own part.
    typealias Group = (name: String, isCompound: Bool, parts: [(name: String, value: Value)])

    /// Groups fields by the first part of their paths, each at the place of its first part.
    static func grouped(_ fields: [(path: String, value: Value)]) -> [Group] {
        var groups: [Group] = []
        for (path, value) in fields {
            let cut = path.cut(byte: ".")
            let (name, part) = (cut.map { String($0.before) } ?? path, cut.map { String($0.after) } ?? path)
            if cut != nil, let index = groups.firstIndex(where: { $0.name == name }) {
                groups[index].parts.append((part, value))
            } else {
                groups.append((name, cut != nil, [(part, value)]))
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

extension RecordChange.Kind {
    /// The name in the events of PushTopics, which change events write without the last letter and in capitals.
    var name: String {
        switch self {
        case .created: "created"
        case .updated: "updated"
        case .deleted, .merged: "deleted"
        case .undeleted: "undeleted"
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

/// The difference of two texts in the unified format, as change events have it.
///
/// The first two lines have the SHA-256 digests of the texts. One hunk replaces everything between the first and the
/// last changed line, so the cost grows linearly.
enum TextDifference {
    private static let longText = 1_000
    /// The number of equal lines before and after the changed lines.
    private static let context = 3

    /// Returns the difference, or `nil` if the new text is short, or shorter than the difference.
    static func unified(_ old: String, _ new: String) -> String? {
        guard new.utf8.count > longText else { return nil }
        let (before, after) = (lines(old), lines(new))
        let start = zip(before, after).prefix { $0.hasSameBytes(as: $1) }.count
        let rest = zip(before.dropFirst(start).reversed(), after.dropFirst(start).reversed())
        let end = rest.prefix { $0.hasSameBytes(as: $1) }.count
        let first = max(0, start - context)
        let head = before[first..<start]
        let tail = before.suffix(end).prefix(context)
        let (removed, added) = (before[start..<before.count - end], after[start..<after.count - end])
        var text = "--- \(digest(old))\n+++ \(digest(new))\n@@ "
        text += "-\(range(first, head.count + removed.count + tail.count)) "
        text += "+\(range(first, head.count + added.count + tail.count)) @@\n"
        for (mark, lines) in [(" ", head), ("-", removed), ("+", added), (" ", tail)] {
            for line in lines {
                text += "\(mark)\(line)\n"
            }
            guard text.utf8.count < new.utf8.count else { return nil }
        }
        return text
    }

    private static func range(_ start: Int, _ count: Int) -> String { "\(count == 0 ? start : start + 1),\(count)" }

    private static func digest(_ text: String) -> String {
        String(decoding: Hexadecimal.encode(Digest.sha256(text.utf8)), as: UTF8.self)
    }

    private static func lines(_ text: String) -> [Substring] {
        var lines = text.split(byte: "\n", omittingEmptySubsequences: false)
        let last = lines.popLast() ?? ""
        return last.isEmpty ? lines : lines + ["\(last)\n\\ No newline at end of file"]
    }
}

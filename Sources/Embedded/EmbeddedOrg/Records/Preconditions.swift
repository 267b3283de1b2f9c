// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestSQLite
import RestTransport
import SOQLStore

/// The well-formed conditions of a request (RFC 9110 §13.1), because Salesforce rejects others.
struct Preconditions: Sendable {
    private let modifiedSince: Int64?
    private let unmodifiedSince: Int64?
    private let match: Set<String>?
    private let noneMatch: Set<String>?

    init(_ fields: HTTPFields) throws(OrgError) {
        modifiedSince = try Self.date("If-Modified-Since", fields)
        unmodifiedSince = try Self.date("If-Unmodified-Since", fields)
        match = try Self.tags("If-Match", fields)
        noneMatch = try Self.tags("If-None-Match", fields)
    }

    private static func date(_ name: String, _ fields: HTTPFields) throws(OrgError) -> Int64? {
        guard let text = fields[name] else { return nil }
        guard let date = HTTPDate(text) else {
            throw .malformedCondition(name, "a date such as Mon, 30 Nov 2026 08:34:54 GMT")
        }
        return date.secondsSince1970
    }

    /// Returns a star or the quoted tags, of which weak ones count as strong.
    private static func tags(_ name: String, _ fields: HTTPFields) throws(OrgError) -> Set<String>? {
        let values = fields.values(of: name)
        guard !values.isEmpty else { return nil }
        var tags: Set<String> = []
        for text in values.flatMap({ $0.split(anyOf: ", ").map(String.init) }) {
            let tag = text.removing(prefix: "W/").map(String.init) ?? text
            guard tag == "*" || tag.utf8.count > 1 && tag.hasBytes(prefix: "\"") && tag.hasBytes(suffix: "\"") else {
                throw .malformedCondition(name, "a star, or entity tags in quotes")
            }
            tags.insert(tag)
        }
        return tags
    }

    /// Returns the check of a store before it writes a record.
    ///
    /// It rejects a change if the record has another state than the caller knows, and the creation of a record that
    /// should exist (RFC 9110 §13.1.1).
    func write(of object: SObjectSchema, in store: RecordStore) -> RecordStore.Check? {
        guard match != nil || noneMatch != nil || unmodifiedSince != nil else { return nil }
        return { (number, connection) throws(OrgError) in
            guard let number else {
                if match != nil { throw .changedMeanwhile }
                return
            }
            let isTagged = match != nil || noneMatch != nil
            let facts = try store.facts(number, of: object, isTagged: isTagged, connection)
            try check(facts)
            // RFC 9110 §13.1.2. Dates of this kind are only for reads (§13.1.3).
            if noneMatch != nil, try !isWanted(facts) { throw .changedMeanwhile }
        }
    }

    private func check(_ facts: RecordFacts) throws(OrgError) {
        // A record without an entity tag matches only a star.
        if let match, !match.contains("*"), !(facts.entityTag.map(match.contains) ?? false) { throw .changedMeanwhile }
        guard let unmodifiedSince, let modified = facts.modifiedSeconds, modified > unmodifiedSince else { return }
        throw .changedMeanwhile
    }

    /// Whether a read returns the record, which the caller may have already.
    func isWanted(_ facts: RecordFacts) throws(OrgError) -> Bool {
        try check(facts)
        // If-None-Match replaces If-Modified-Since (RFC 9110 §13.1.3).
        if let noneMatch { return !noneMatch.contains("*") && !(facts.entityTag.map(noneMatch.contains) ?? false) }
        guard let modifiedSince, let modified = facts.modifiedSeconds else { return true }
        return modified > modifiedSince
    }
}

/// The time of the last change and the entity tag, for conditions.
///
/// Only accounts have a tag.
struct RecordFacts: Sendable {
    let modifiedSeconds: Int64?
    let entityTag: String?
}

extension RecordStore {
    func facts(_ id: String, of object: SObjectSchema) throws(OrgError) -> RecordFacts {
        try database.read { (connection) throws(OrgError) -> RecordFacts in
            try facts(try row(id, of: object, connection), of: object, connection)
        }
    }

    func facts(
        _ number: Int64, of object: SObjectSchema, isTagged: Bool = true, _ connection: SQLiteConnection
    ) throws(OrgError) -> RecordFacts {
        let isTagged = isTagged && object.name == "Account"
        var (modified, content) = ("", "")
        try OrgError.wrapping { () throws(DatabaseError) in
            let columns = isTagged ? "\"LastModifiedDate\", *" : "\"LastModifiedDate\""
            try connection.rows(
                "SELECT \(columns) FROM \"\(object.name)\" WHERE rowid = ?1", [.integer(number)]
            ) { row in
                modified = row.text(0)
                for column in 1..<row.columnCount {
                    content += "\(row.text(column)),"
                }
            }
        }
        let time = JSONTimestamp(modified) ?? JSONTimestamp(seconds: 0)
        // Two changes within a second have the same time, so the tag is derived from the content.
        let tag = isTagged ? "\"\(Digest.fingerprint(content))\"" : nil
        return RecordFacts(modifiedSeconds: time.seconds, entityTag: tag)
    }
}

extension OrgError {
    fileprivate static func malformedCondition(_ name: String, _ expected: String) -> OrgError {
        OrgError("INVALID_HEADER", "The value of \(name) must be \(expected)")
    }

    static let changedMeanwhile = OrgError(
        "PRECONDITION_FAILED",
        "The record was changed after the time in the request, or has another version.")
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The conditions of a request (RFC 9110 §13.1); one that does not follow the grammar is refused, as on the platform.
struct Preconditions: Sendable {
    private let modifiedSince: Int64?
    private let unmodifiedSince: Int64?
    private let match: Set<String>?
    private let noneMatch: Set<String>?

    init(_ fields: HTTPFields) throws(OrgFault) {
        modifiedSince = try Self.date("If-Modified-Since", fields)
        unmodifiedSince = try Self.date("If-Unmodified-Since", fields)
        match = try Self.tags("If-Match", fields)
        noneMatch = try Self.tags("If-None-Match", fields)
    }

    private static func date(_ name: String, _ fields: HTTPFields) throws(OrgFault) -> Int64? {
        guard let text = fields[name] else { return nil }
        guard let date = HTTPDate(text) else {
            throw .malformedCondition(name, "a date such as Mon, 30 Nov 2026 08:34:54 GMT")
        }
        return date.secondsSince1970
    }

    /// A star, or tags in quotes; a weak tag counts as its strong one, because the org's say the same of both.
    private static func tags(_ name: String, _ fields: HTTPFields) throws(OrgFault) -> Set<String>? {
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

    /// Refuses to change a record that is not in the state that the caller knows.
    func checkWrite(_ facts: RecordFacts) throws(OrgFault) {
        try check(facts)
        // RFC 9110 §13.1.2; a date of this kind is only about reading (§13.1.3).
        if noneMatch != nil, try !isWanted(facts) { throw .changedMeanwhile }
    }

    /// Refuses to create a record where an existing one is expected (RFC 9110 §13.1.1).
    func checkCreation() throws(OrgFault) {
        if match != nil { throw .changedMeanwhile }
    }

    private func check(_ facts: RecordFacts) throws(OrgFault) {
        // A record without an entity tag fulfils only a star.
        if let match, !match.contains("*"), !(facts.entityTag.map(match.contains) ?? false) { throw .changedMeanwhile }
        guard let unmodifiedSince, let modified = facts.modifiedSeconds, modified > unmodifiedSince else { return }
        throw .changedMeanwhile
    }

    /// Whether a read is to be answered with the record; `false` when the caller has it already.
    func isWanted(_ facts: RecordFacts) throws(OrgFault) -> Bool {
        try check(facts)
        // If-None-Match replaces If-Modified-Since (RFC 9110 §13.1.3).
        if let noneMatch { return !noneMatch.contains("*") && !(facts.entityTag.map(noneMatch.contains) ?? false) }
        guard let modifiedSince, let modified = facts.modifiedSeconds else { return true }
        return modified > modifiedSince
    }
}

/// The time of the last change and the entity tag, which conditions are compared with.
///
/// Of records, only accounts have a tag.
struct RecordFacts: Sendable {
    let modifiedSeconds: Int64?
    let entityTag: String?
}

extension OrgFault {
    fileprivate static func malformedCondition(_ name: String, _ expected: String) -> OrgFault {
        OrgFault(400, "INVALID_HEADER", "The value of \(name) must be \(expected)")
    }

    static let changedMeanwhile = OrgFault(
        412, "PRECONDITION_FAILED",
        "The record was changed after the time that the request names, or has another version.")
}

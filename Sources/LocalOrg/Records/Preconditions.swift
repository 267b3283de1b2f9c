// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The conditions of a request (RFC 9110 §13.1); one that does not follow the grammar counts as absent.
struct Preconditions: Sendable {
    private let modifiedSince: Int64?
    private let unmodifiedSince: Int64?
    private let match: Set<String>?
    private let noneMatch: Set<String>?

    init(_ fields: HTTPFields) {
        func date(_ name: String) -> Int64? { fields[name].flatMap(HTTPDate.init)?.secondsSince1970 }
        func tags(_ name: String) -> Set<String>? {
            let values = fields.values(of: name)
            guard !values.isEmpty else { return nil }
            return Set(values.flatMap { $0.split { $0 == "," || $0 == " " }.map(String.init) })
        }
        modifiedSince = date("If-Modified-Since")
        unmodifiedSince = date("If-Unmodified-Since")
        match = tags("If-Match")
        noneMatch = tags("If-None-Match")
    }

    /// Refuses a change of a record that is another than the one the caller knows.
    func check(_ facts: RecordFacts) throws(OrgFault) {
        if let match, let tag = facts.entityTag, !match.contains("*"), !match.contains(tag) { throw .changedMeanwhile }
        guard let unmodifiedSince, facts.modifiedSeconds > unmodifiedSince else { return }
        throw .changedMeanwhile
    }

    /// Whether a read is to be answered with the record; `false` when the caller has it already.
    func isWanted(_ facts: RecordFacts) throws(OrgFault) -> Bool {
        try check(facts)
        if let noneMatch, let tag = facts.entityTag { return !noneMatch.contains("*") && !noneMatch.contains(tag) }
        return modifiedSince.map { facts.modifiedSeconds > $0 } ?? true
    }
}

/// What conditions look at: when a record was changed last, and its entity tag, which accounts alone have.
struct RecordFacts: Sendable {
    let modifiedSeconds: Int64
    let entityTag: String?
}

extension OrgFault {
    static let changedMeanwhile = OrgFault(
        412, "PRECONDITION_FAILED",
        "The record was changed after the time, or is another version, than the request names.")
}

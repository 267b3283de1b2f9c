// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import RestSQLite
import SOQLStore

/// The parts of a subset that are read by ids, because Salesforce rejects their conditions: parents of parents,
/// children of children, and parents and children of the same object.
extension SyncRun {
    /// Reads the parents or children of the records of another part, which has been read before.
    ///
    /// Only the copy knows the ids, so all of them are compared in each run. An interrupted run begins again, and reads
    /// only what the copy lacks.
    mutating func follow(_ part: inout StoredPart, _ source: SubsetPart.Source) async throws(RestError) {
        part.plan.began(at: serverTime)
        let name = source.isOfChildren ? source.field : "Id"
        let own = source.condition.map { " AND (\($0))" } ?? ""
        for some in try ids(of: part, source).slices(of: PullPlan.idsPerQuery) {
            let missing = source.isOfChildren ? [] : try lacking(some, part.object)
            var changed = try await records(missing.sorted(), of: part.object)
            var seen = changed
            let known = some.filter { !missing.contains($0) }
            if !known.isEmpty {
                let condition = "\(PullPlan.condition(known, of: name))\(own)"
                seen += try await records("SELECT Id, SystemModstamp FROM \(part.object.name) WHERE \(condition)")
                let stale = try inStore { () throws(SyncError) in
                    try differing(Array(seen.dropFirst(changed.count)), part)
                }
                changed += try await records(stale, of: part.object)
            }
            try await save(changed, seen: seen.compactMap { $0["Id"]?.string }, of: part, part)
        }
        var next = part
        next.plan.received(next: nil, at: serverTime)
        try await save([], seen: [], of: part, next)
        part = next
    }

    /// Returns the ids of the parents to which the records of the source refer, or of the parents of the children.
    private func ids(of part: StoredPart, _ source: SubsetPart.Source) throws(RestError) -> [String] {
        guard let other = part.source else { return [] }
        let ids = try inStore { () throws(SyncError) in
            try store.read { (connection) throws(OrgError) in
                let members = "SELECT \"Record\" FROM \"sync.Member\" WHERE \"Part\" = ?1"
                if source.isOfChildren { return try connection.fetch(members, [.integer(other)]) { $0.text(0) } }
                let name = try connection.fetch(
                    "SELECT \"Object\" FROM \"sync.Part\" WHERE \"Number\" = ?1", [.integer(other)]
                ) { $0.text(0) }.first
                guard let owner = store.schema.object(named: name ?? ""), let field = owner.field(named: source.field)
                else { return [] }
                return try connection.fetch(
                    """
                    SELECT DISTINCT "\(field.name)" FROM "\(owner.name)"
                    WHERE "Id" IN (\(members)) AND "\(field.name)" IS NOT NULL
                    """, [.integer(other)]
                ) { $0.text(0) }
                .filter { field.referenceTo.count == 1 || $0.hasBytes(prefix: part.object.keyPrefix) }
            }
        }
        // The server does not have records with temporary ids yet.
        return ids.filter { !$0.dropFirst(3).hasBytes(prefix: SyncEdit.temporaryMark) }.sorted()
    }

    /// Returns the ids of the records that the copy lacks.
    private func lacking(_ ids: [String], _ object: SObjectSchema) throws(RestError) -> Set<String> {
        try inStore { () throws(SyncError) in
            try store.read { (connection) throws(OrgError) in
                var missing: Set<String> = []
                for id in ids {
                    let known = try connection.fetch(
                        "SELECT 1 FROM \"\(object.name)\" WHERE \"Id\" = ?1", [.text(id)]
                    ) { _ in true }
                    if known.isEmpty { missing.insert(id) }
                }
                return missing
            }
        }
    }
}

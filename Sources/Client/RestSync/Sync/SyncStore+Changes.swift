// SPDX-License-Identifier: Apache-2.0

import RestJSON
package import RestSDK
import RestSQLite
import SOQLStore
import SOQLSyntax

extension SyncStore {
    /// The objects of all subsets.
    package var subsetObjects: [String] {
        get throws(SyncError) { Set(try parts().map(\.object.name)).sorted() }
    }

    /// Reads records that have changed, and stores values in the transaction that writes them.
    ///
    /// `changes` has the ids of the records, by object. Parts whose records depend on these objects are compared as a
    /// whole.
    package func pull(
        changes: [String: Set<String>], storing values: [String: String], with client: RestClient
    ) async throws(SyncError) -> SyncReport {
        try await exclusively(isLive: true) { () async throws(SyncError) in
            var run = SyncRun(self, client)
            try await run.identify()
            // Otherwise a record whose creation has an unknown outcome would look like another client's.
            try await run.settle()
            let parts = try self.parts().filter { $0.plan.position != nil }
            let due = parts.filter { $0.depends(on: Set(changes.keys), in: self.schema) }
            for part in due where part.source == nil { try await run.pull(part) }
            let byIDs = due.filter { $0.source != nil }
            do throws(RestError) {
                let plain = parts.filter { $0.source == nil }
                try await run.read(changes, of: plain, storing: byIDs.isEmpty ? values : [:])
            } catch {
                throw (error.underlying as? SyncError) ?? SyncError(error)
            }
            // Their ids are those of the records that were just written.
            for part in byIDs { try await run.pull(part) }
            if !byIDs.isEmpty { try self.store(values) }
            try await run.pullFiles(parts)
            run.report.pending = try self.pendingCount
            return run.report
        }
    }

    package func store(_ values: [String: String]) throws(SyncError) {
        try write { (connection) throws(OrgError) in try Self.store(values, connection) }
    }

    fileprivate static func store(_ values: [String: String], _ connection: SQLiteConnection) throws(OrgError) {
        for (name, value) in values {
            try connection.change(
                "INSERT OR REPLACE INTO \"sync.Value\" VALUES (?1, ?2)", [.text(name), .text(value)])
        }
    }

    /// The stored values whose names begin with a prefix, by the rest of the name.
    package func values(_ prefix: String) throws(SyncError) -> [String: String] {
        let rows = try read { (connection) throws(OrgError) in
            try connection.fetch(
                "SELECT substr(\"Name\", length(?1) + 1), \"Value\" FROM \"sync.Value\" WHERE substr(\"Name\", 1, length(?1)) = ?1",
                [.text(prefix)]
            ) { ($0.text(0), $0.text(1)) }
        }
        return Dictionary(rows) { first, _ in first }
    }
}

extension SyncRun {
    /// The changed records that a part of a subset shows or has lost.
    private struct Seen {
        let part: StoredPart
        var ids: Set<String>
        /// The changed records that have left the part, with the reason for records with pending changes.
        var gone: [String: SyncConflict.Reason?]
    }

    fileprivate mutating func read(
        _ changes: [String: Set<String>], of parts: [StoredPart], storing values: [String: String]
    ) async throws(RestError) {
        var found: [String: [String: JSONObject]] = [:]
        var seen: [Seen] = []
        for part in parts {
            guard let ids = changes[part.object.name], !ids.isEmpty else { continue }
            let fields = try inStore { () throws(SyncError) in try self.fields(of: part.object) }
            var own: Set<String> = []
            for some in Array(ids).sorted().slices(of: PullPlan.idsPerQuery) {
                let condition = part.part.condition.map { " AND (\($0))" } ?? ""
                let query = PullPlan.query(some, of: part.object.name, fields: fields) + condition
                for record in try await records(query) {
                    guard let id = record["Id"]?.string else { continue }
                    found[part.object.name, default: [:]][id] = record
                    own.insert(id)
                }
            }
            seen.append(Seen(part: part, ids: own, gone: try await leavers(ids.subtracting(own), part)))
        }
        let (records, views) = (found, seen)
        var copy = self
        try inStore { () throws(SyncError) in
            try store.write { (connection) throws(OrgError) in
                for (name, records) in records {
                    guard let object = store.schema.object(named: name) else { continue }
                    try copy.absorb(Array(records.values), of: object, connection)
                }
                for view in views { try mark(view.ids, view.part, connection) }
                for view in views {
                    for (id, reason) in view.gone {
                        try copy.lose(id, of: view.part.object, reason, from: view.part.number, connection)
                    }
                }
                try SyncStore.store(values, connection)
            }
        }
        self = copy
    }

    /// Returns those of the ids that are in a part of the copy, with the reason why the server does not show them.
    private mutating func leavers(
        _ ids: Set<String>, _ part: StoredPart
    ) async throws(RestError) -> [String: SyncConflict.Reason?] {
        let (members, pending) = try inStore { () throws(SyncError) in
            try store.read { (connection) throws(OrgError) in
                var (members, pending): ([String], [String]) = ([], [])
                for id in ids.map({ RecordID.normalized($0) ?? $0 }) {
                    let isMember = try connection.fetch(
                        "SELECT 1 FROM \"sync.Member\" WHERE \"Part\" = ?1 AND \"Record\" = ?2",
                        [.integer(part.number), .text(id)]
                    ) { _ in true }
                    guard !isMember.isEmpty else { continue }
                    members.append(id)
                    if try Outbox(connection: connection).isPending(id) { pending.append(id) }
                }
                return (members, pending)
            }
        }
        return try await reasons(members, pending: pending, part.object)
    }
}

extension StoredPart {
    /// Whether records can enter or leave the part when records of these objects change.
    fileprivate func depends(on objects: Set<String>, in schema: Schema) -> Bool {
        if source != nil, objects.contains(object.name) { return true }
        guard part.followsOthers, let condition = part.condition,
            let query = try? SOQLQuery(parsing: "SELECT Id FROM \(part.object) WHERE \(condition)")
        else { return false }
        return query.where?.reads(objects, from: object, schema) ?? false
    }
}

extension SOQLCondition {
    /// Whether the condition reads records of these objects other than the records that it selects.
    fileprivate func reads(_ objects: Set<String>, from object: SObjectSchema, _ schema: Schema) -> Bool {
        switch self {
        case .not(let condition): return condition.reads(objects, from: object, schema)
        case .and(let conditions), .or(let conditions):
            return conditions.contains { $0.reads(objects, from: object, schema) }
        case .comparison(let comparison):
            var sources = [object]
            for name in comparison.left.path?.parts.dropLast() ?? [] {
                sources = sources.compactMap { $0.referenceField(ofRelationship: name) }.flatMap(\.referenceTo)
                    .compactMap { schema.object(named: $0) }
                if sources.contains(where: { objects.contains($0.name) }) { return true }
            }
            guard case .query(let child) = comparison.right,
                let inner = schema.object(named: child.query.from.path.last)
            else { return false }
            return objects.contains(inner.name) || child.query.where?.reads(objects, from: inner, schema) ?? false
        }
    }
}

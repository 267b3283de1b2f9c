// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestBulk
import RestJSON
import RestSDK
import RestSQLite
import SOQLStore

/// A part of a subset as it is stored.
struct StoredPart {
    let number: Int64
    let object: SObjectSchema
    var part: SubsetPart
    var plan: PullPlan
    /// The number of the part whose records determine those of a part that is read by ids.
    var source: Int64?
}

extension SyncStore {
    /// Stores a subset, unless the copy has it, and returns the numbers of its parts.
    package func parts(of query: SOQL) throws(SyncError) -> [Int64] {
        if let problem = query.problem { throw SyncError(.subset, problem) }
        let (text, parts) = (SubsetQuery.canonical(query.text), try SubsetQuery(query.text, schema).parts)
        return try write { (connection) throws(OrgError) in
            let sql = "SELECT \"Number\" FROM \"sync.Subset\" WHERE \"Query\" = ?1"
            var known = try connection.fetch(sql, [.text(text)]) { $0.integer(0) }.first
            if known == nil {
                try connection.change("INSERT INTO \"sync.Subset\" (\"Query\") VALUES (?1)", [.text(text)])
                known = try connection.fetch(sql, [.text(text)]) { $0.integer(0) }.first
                for part in parts { try Self.add(part, to: known ?? 0, connection) }
            }
            return try connection.fetch(
                "SELECT \"Number\" FROM \"sync.Part\" WHERE \"Subset\" = ?1 ORDER BY \"Number\"",
                [.integer(known ?? 0)]
            ) { $0.integer(0) }
        }
    }

    /// Makes the next sync read all records of an object.
    static func readAgain(_ object: String, _ connection: SQLiteConnection) throws(OrgError) {
        // A record without a stamp differs from the server's.
        try connection.change("UPDATE \"\(object)\" SET \"SystemModstamp\" = NULL")
        try connection.change("UPDATE \"sync.Part\" SET \"Plan\" = '{}' WHERE \"Object\" = ?1", [.text(object)])
        try connection.change(
            """
            UPDATE "sync.Member" SET "Run" = 0
            WHERE "Part" IN (SELECT "Number" FROM "sync.Part" WHERE "Object" = ?1)
            """, [.text(object)])
    }

    /// Stores a part, and reads the other parts of its object again if the part needs more fields.
    static func add(
        _ part: SubsetPart, to subset: Int64, _ connection: SQLiteConnection
    ) throws(OrgError) {
        let known = try connection.fetch(
            "SELECT \"Fields\" FROM \"sync.Part\" WHERE \"Object\" = ?1", [.text(part.object)]
        ) { $0.text(0).split(byte: ",").map(String.init) }
        if !known.isEmpty, !Set(part.fields).isSubset(of: known.joined()) { try readAgain(part.object, connection) }
        try connection.change(
            """
            INSERT INTO "sync.Part" ("Subset", "Object", "Fields", "Condition", "FollowsOthers", "Plan")
            VALUES (?1, ?2, ?3, ?4, ?5, '{}')
            """,
            [
                .integer(subset), .text(part.object), .text(part.fields.joined(separator: ",")),
                part.condition.map { .text($0) } ?? .null, .integer(part.followsOthers ? 1 : 0),
            ])
    }

    /// Reads the parts with these numbers, or all.
    func parts(_ numbers: [Int64]? = nil) throws(SyncError) -> [StoredPart] {
        let rows = try read { (connection) throws(OrgError) in
            try connection.fetch(
                """
                SELECT p."Number", p."Object", p."Fields", p."Condition", p."FollowsOthers", p."Plan", s."Query"
                FROM "sync.Part" p LEFT JOIN "sync.Subset" s ON s."Number" = p."Subset" ORDER BY p."Number"
                """
            ) { row -> (part: StoredPart, query: String)? in
                guard let object = self.schema.object(named: row.text(1)) else { return nil }
                let part = SubsetPart(
                    object: row.text(1), fields: row.text(2).split(byte: ",").map(String.init),
                    condition: row.isNull(3) ? nil : row.text(3), followsOthers: row.integer(4) == 1)
                let plan = (try? JSONValue(parsing: row.text(5)).decode(PullPlan.self)) ?? PullPlan()
                return (StoredPart(number: row.integer(0), object: object, part: part, plan: plan), row.text(6))
            }.compactMap(\.self)
        }
        var parts: [StoredPart] = []
        for (query, some) in Dictionary(grouping: rows, by: \.query) {
            // The query of the subset determines which of its parts are read by ids.
            let known = (try? SubsetQuery(query, schema).parts) ?? []
            for var part in some.map(\.part) {
                let source = known.first { $0.isSame(as: part.part) }?.source
                part.part.source = source
                part.source = source.flatMap { source in
                    some.first { $0.part.part.isSame(as: known[source.part]) }?.part.number
                }
                if numbers?.contains(part.number) ?? true { parts.append(part) }
            }
        }
        return parts.sorted { $0.number < $1.number }
    }
}

extension SyncRun {
    /// Reads a part from its last position to the present, and resumes an interrupted run.
    mutating func pull(_ stored: StoredPart) async throws(SyncError) {
        var part = stored
        part.plan.begin(
            members: try members(of: part), followsOthers: part.part.followsOthers,
            comparingUpTo: store.options.mostCompared)
        var restarts = 0
        while part.plan.phase != .idle {
            do throws(RestError) {
                if let source = part.part.source {
                    try await follow(&part, source)
                } else if part.plan.phase == .counting {
                    let response = try await send(query(part, try available(part.object)))
                    try compare(try QueryPage(response).totalSize, &part)
                } else if let position = part.plan.export {
                    try await readExport(&part, from: position)
                } else {
                    try await readPage(&part)
                }
            } catch {
                restarts += 1
                guard restarts <= 3 else { throw SyncError(error) }
                if error.faults.contains(where: { $0.errorCode == .invalidQueryLocator }) || error.code == .notFound {
                    part.plan.restart()
                } else if error.faults.contains(where: { $0.errorCode == "INVALID_FIELD" }) {
                    try await findMissingFields(of: part.object, after: error)
                } else {
                    throw (error.underlying as? SyncError) ?? SyncError(error)
                }
            }
        }
    }

    /// Compares the server's number of records with the copy's.
    private func compare(_ count: Int, _ part: inout StoredPart) throws(RestError) {
        var next = part
        try inStore { () throws(SyncError) in
            next.plan.counted(count, members: try members(of: next))
            try store.write { (connection) throws(OrgError) in try save(next, connection) }
        }
        part = next
    }

    private func query(_ part: StoredPart, _ fields: [String]) -> RestRequest {
        let soql = SOQL(
            raw: part.plan.query(
                part.part, fields: fields, hasBin: store.binned.contains(part.object.name)))
        let size = store.options.pageSize
        return part.plan.phase == .window ? .queryAll(soql, batchSize: size) : .query(soql, batchSize: size)
    }

    /// Reads a page, and writes it to the copy together with the position after it.
    private mutating func readPage(_ part: inout StoredPart) async throws(RestError) {
        let fields = try available(part.object)
        let (response, count) = try await response(part, fields)
        let page = try QueryPage(response)
        let records = page.records.compactMap(\.object)
        let ids = records.compactMap { $0["Id"]?.string }
        var changed = records
        if part.plan.phase == .comparing {
            let stale = try inStore { () throws(SyncError) in try differing(records, part) }
            changed = stale.isEmpty ? [] : try await self.records(stale, of: part.object)
        }
        var next = part
        next.plan.received(next: page.nextRecordsPath, at: serverTime)
        if page.nextRecordsPath != nil, part.plan.canExport, let limit = store.options.exportLimit {
            let estimate = Bulk.Estimate(
                reading: SOQL(raw: part.plan.query(part.part, fields: fields)), rows: page.totalSize,
                pageRows: page.records.count, limit: limit, callsLeft: response.allowance?.left,
                version: client.apiVersion)
            if estimate.choice.way == .bulk, let job = await beginExport(part, fields) { next.plan.exported(to: job) }
        }
        if let path = next.plan.nextPage {
            let request = pageRequest(path)
            report.requests += 1
            ahead = (path, Ahead { [client] () async throws(RestError) in try await client.send(request) })
        }
        try await save(changed, seen: ids, of: part, next)
        part = next
        if part.plan.phase == .counting, let count { try compare(count, &part) }
    }

    private func pageRequest(_ path: String) -> RestRequest { .nextPage(path, batchSize: store.options.pageSize) }

    /// Returns the next page of a part, which may have been requested already, and the server's number of records.
    ///
    /// The number comes with the first page of a window, in the same request.
    private mutating func response(
        _ part: StoredPart, _ fields: [String]
    ) async throws(RestError) -> (page: RestResponse, count: Int?) {
        if let path = part.plan.nextPage {
            guard let ahead, ahead.path == path else { return (try await send(pageRequest(path)), nil) }
            self.ahead = nil
            let response = try await ahead.response.result.get()
            note(response)
            return (response, nil)
        }
        let first = query(part, fields)
        var both = Composite()
        both.isCollated = false
        both.add(first, as: "window")
        both.add(.query(SOQL(raw: PullPlan.count(part.part))), as: "count")
        // A string in the condition can look like a reference of a composite request.
        guard part.plan.phase == .window, both.problem == nil else { return (try await send(first), nil) }
        report.requests += 1
        let found = try await client.send(both)
        note(found.response)
        guard found.parts.count == 2 else { throw RestError(notAResponseTo: "composite request", found.response) }
        return (try found.parts[0].get(), try? QueryPage(found.parts[1].get()).totalSize)
    }

    /// Writes records to the copy together with the position after them, and removes those that have left the part.
    mutating func save(
        _ changed: [JSONObject], seen ids: [String], of part: StoredPart, _ next: StoredPart
    ) async throws(RestError) {
        let isLast = next.plan.phase == .idle && part.plan.seesAll
        let gone = isLast ? try await leavers(part, besides: Set(ids)) : [:]
        let (object, current, plan) = (part.object, part, next)
        var copy = self
        try inStore { () throws(SyncError) in
            // After a crash of the system, the pull continues at the previous page.
            try store.write(isRepeatable: true) { (connection) throws(OrgError) in
                // Only a window has deleted records.
                let deleted = current.plan.phase == .window ? changed.filter { $0["IsDeleted"]?.bool == true } : []
                let kept = deleted.isEmpty ? changed : changed.filter { $0["IsDeleted"]?.bool != true }
                try copy.absorb(kept, of: object, connection)
                let lost = Set(deleted.compactMap { $0["Id"]?.string })
                try mark(ids.lazy.filter { !lost.contains($0) }, current, connection)
                for record in deleted {
                    guard let id = record["Id"]?.string else { continue }
                    try copy.lose(id, of: object, Self.reason(record), connection)
                }
                for (id, reason) in gone { try copy.lose(id, of: object, reason, from: plan.number, connection) }
                try copy.save(plan, connection)
            }
        }
        self = copy
    }

    /// Records that the current run has seen records of a part.
    func mark(
        _ ids: some Sequence<String>, _ part: StoredPart, _ connection: SQLiteConnection
    ) throws(OrgError) {
        try OrgError.wrapping { () throws(DatabaseError) in
            let writer = try RowWriter("INSERT OR REPLACE INTO \"sync.Member\" VALUES (?1, ?2, ?3)", on: connection)
            defer { writer.clear() }
            try writer.bind(.integer(part.number), at: 1)
            try writer.bind(.integer(Int64(part.plan.run)), at: 3)
            for id in ids {
                try writer.bind(.text(id), at: 2)
                _ = try writer.run()
            }
        }
    }

    func save(_ part: StoredPart, _ connection: SQLiteConnection) throws(OrgError) {
        let plan = (try? JSONValue(encoding: part.plan).description) ?? "{}"
        try connection.change(
            "UPDATE \"sync.Part\" SET \"Plan\" = ?1 WHERE \"Number\" = ?2", [.text(plan), .integer(part.number)])
    }

    private func members(of part: StoredPart) throws(SyncError) -> Int {
        try store.read { (connection) throws(OrgError) in
            try connection.fetch(
                "SELECT count(*) FROM \"sync.Member\" WHERE \"Part\" = ?1", [.integer(part.number)]
            ) { Int(clamping: $0.integer(0)) }.first ?? 0
        }
    }

    /// Returns the ids whose stamp differs from the copy's or is uncertain, and the ids that the copy lacks.
    func differing(_ records: [JSONObject], _ part: StoredPart) throws(SyncError) -> [String] {
        let object = part.object
        return try store.read { (connection) throws(OrgError) in
            var ids: [String] = []
            for record in records {
                let stored = try store.records.stored(record, of: object)
                guard let id = stored["Id"]?.string, let stamp = stored["SystemModstamp"]?.string else { continue }
                let known = try connection.fetch(
                    "SELECT \"SystemModstamp\" FROM \"\(object.name)\" WHERE \"Id\" = ?1", [.text(id)]
                ) { $0.text(0) }.first
                if known != stamp || part.plan.isUncertain(stamp) { ids.append(id) }
            }
            return ids
        }
    }

    /// Returns the members that this run has not seen, with the reason why the server does not show them.
    ///
    /// The reason of records without pending changes does not matter, so they are not asked for.
    private mutating func leavers(
        _ part: StoredPart, besides seen: Set<String>
    ) async throws(RestError) -> [String: SyncConflict.Reason?] {
        let (unseen, pending) = try inStore { () throws(SyncError) in
            try store.read { (connection) throws(OrgError) in
                let ids = try connection.fetch(
                    "SELECT \"Record\" FROM \"sync.Member\" WHERE \"Part\" = ?1 AND \"Run\" < ?2",
                    [.integer(part.number), .integer(Int64(part.plan.run))]
                ) { $0.text(0) }.filter { !seen.contains($0) }
                let outbox = Outbox(connection: connection)
                var pending: [String] = []
                for id in ids where try outbox.isPending(id) { pending.append(id) }
                return (ids, pending)
            }
        }
        return try await reasons(unseen, pending: pending, part.object)
    }

    /// Returns the reasons why the server does not show records, which matter only for those with pending changes.
    mutating func reasons(
        _ ids: [String], pending: [String], _ object: SObjectSchema
    ) async throws(RestError) -> [String: SyncConflict.Reason?] {
        var reasons: [String: SyncConflict.Reason?] = [:]
        for id in ids { reasons.updateValue(nil, forKey: id) }
        let states = try await states(of: pending, object)
        for id in pending { reasons.updateValue(states[id] ?? .notVisible, forKey: id) }
        return reasons
    }

    /// Returns the reason for each record that is deleted, and `nil` for each record that exists.
    mutating func states(
        of ids: [String], _ object: SObjectSchema
    ) async throws(RestError) -> [String: SyncConflict.Reason?] {
        var states: [String: SyncConflict.Reason?] = [:]
        let isBinned = store.binned.contains(object.name)
        let master = object.field(named: "MasterRecordId").map { ", \($0.name)" } ?? ""
        let fields = isBinned ? "Id, IsDeleted\(master)" : "Id"
        for start in stride(from: 0, to: ids.count, by: PullPlan.idsPerQuery) {
            let some = ids[start..<min(start + PullPlan.idsPerQuery, ids.count)]
            let soql = "SELECT \(fields) FROM \(object.name) WHERE \(PullPlan.condition(some))"
            for record in try await records(soql, includingDeleted: true) {
                guard let id = record["Id"]?.string else { continue }
                states.updateValue(record["IsDeleted"]?.bool == true ? Self.reason(record) : nil, forKey: id)
            }
        }
        return states
    }

    private static func reason(_ record: JSONObject) -> SyncConflict.Reason {
        record["MasterRecordId"]?.string.map { .merged(into: $0) } ?? .deletedOnServer
    }
}

extension SyncRun {
    /// Finds the fields that the org no longer has, and holds the changes of these fields.
    private mutating func findMissingFields(of object: SObjectSchema, after error: RestError) async throws(SyncError) {
        let found: ObjectDescription
        report.requests += 1
        do throws(RestError) { found = try await client.send(.describe(object.name)) } catch { throw SyncError(error) }
        let lost = Set(try fields(of: object).filter { found[$0] == nil })
        guard !lost.isEmpty else { throw SyncError(error) }
        missing[object.name, default: []].formUnion(lost)
        report.missingFields[object.name] = missing[object.name]?.sorted()
        try store.write { (connection) throws(OrgError) in
            let outbox = Outbox(connection: connection)
            for change in try outbox.changes(.open) where change.object == object.name {
                guard lost.contains(where: { change.fields[$0] != nil }) else { continue }
                try outbox.orphan(lost, of: change, because: .fieldRemoved)
            }
        }
    }

    /// Converts errors of the store to errors of a call, so that both can be handled in one place.
    func inStore<Value>(_ body: () throws(SyncError) -> Value) throws(RestError) -> Value {
        do throws(SyncError) { return try body() } catch {
            throw RestError(.decoding, error.message, underlying: error)
        }
    }

    private func available(_ object: SObjectSchema) throws(RestError) -> [String] {
        try inStore { () throws(SyncError) in try fields(of: object) }
    }
}

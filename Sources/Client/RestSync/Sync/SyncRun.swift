// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import RestSQLite
import RestTransport
import SOQLStore
import Synchronization

/// One sync: settles what an earlier run left open, reads the subsets, and sends the changes.
///
/// Each page and each response is applied in a transaction of its own, so that a sync can be interrupted at any point
/// and run again.
struct SyncRun {
    let store: SyncStore
    let client: RestClient
    var report = SyncReport() { didSet { progress(report) } }
    private let progress: @Sendable (SyncReport) -> Void
    /// The server's time of the last response, in seconds since 1970.
    var serverTime: Int?
    /// The fields of objects that the server rejected.
    var missing: [String: Set<String>] = [:]
    /// The updates that the server has applied, until the copy removes them together.
    var applied: [PendingChange] = []
    /// The page with a path, which arrives while the page before it is written.
    var ahead: (path: String, response: Ahead<RestResponse>)?

    init(_ store: SyncStore, _ client: RestClient, _ progress: @escaping @Sendable (SyncReport) -> Void = { _ in }) {
        (self.store, self.client, self.progress) = (store, client, progress)
    }

    mutating func send(_ request: RestRequest) async throws(RestError) -> RestResponse {
        report.requests += 1
        let response = try await client.send(request)
        note(response)
        return response
    }

    mutating func note(_ response: RestResponse) {
        let date = response.head.fields["Date"].flatMap(HTTPDate.init)
        serverTime = date.map { Int(clamping: $0.secondsSince1970) } ?? serverTime
    }

    /// Reads all records of a query.
    mutating func records(_ soql: String, includingDeleted: Bool = false) async throws(RestError) -> [JSONObject] {
        try await records(from: send(includingDeleted ? .queryAll(SOQL(raw: soql)) : .query(SOQL(raw: soql))))
    }

    /// Returns the records of a page and reads those of the next pages.
    mutating func records(from response: RestResponse) async throws(RestError) -> [JSONObject] {
        var (found, page) = ([JSONObject](), try QueryPage(response))
        var paths: Set<String> = []
        while true {
            found += page.records.compactMap(\.object)
            guard let next = page.nextRecordsPath else { return found }
            guard paths.insert(next).inserted else {
                throw RestError(.decoding, "the server returned the same next page again")
            }
            page = try QueryPage(await send(.nextPage(next)))
        }
    }

    /// Reads records by their ids, with the fields that the copy has of the object.
    mutating func records(_ ids: [String], of object: SObjectSchema) async throws(RestError) -> [JSONObject] {
        var found: [JSONObject] = []
        let fields: [String]
        do throws(SyncError) { fields = try self.fields(of: object) } catch {
            throw RestError(.decoding, error.message, underlying: error)
        }
        for start in stride(from: 0, to: ids.count, by: PullPlan.idsPerQuery) {
            let some = ids[start..<min(start + PullPlan.idsPerQuery, ids.count)]
            found += try await records(PullPlan.query(some, of: object.name, fields: fields))
        }
        return found
    }

    /// The fields of an object that the subsets of the copy contain.
    func fields(of object: SObjectSchema) throws(SyncError) -> [String] {
        let lists = try store.read { (connection) throws(OrgError) in
            try connection.fetch(
                "SELECT \"Fields\" FROM \"sync.Part\" WHERE \"Object\" = ?1", [.text(object.name)]
            ) { $0.text(0) }
        }
        // The contents of files are read one by one.
        let without = (missing[object.name] ?? []).union([object.fileField?.name].compactMap(\.self))
        let names = Set(lists.flatMap { $0.split(byte: ",").map(String.init) }).subtracting(without)
        return names.sorted()
    }
}

extension SyncRun {
    /// Writes records of the server to the copy, and merges them with the pending changes.
    mutating func absorb(
        _ records: [JSONObject], of object: SObjectSchema, _ connection: SQLiteConnection
    ) throws(OrgError) {
        let (outbox, copy) = (Outbox(connection: connection), store.records)
        var pending = try outbox.changes(of: records, object.name)
        var (copier, local, pulled) = (RecordCopier?.none, [String](), 0)
        // The progress is reported once.
        defer { report.pulled += pulled }
        for record in records {
            let known = pending.isEmpty ? nil : record["Id"]?.string.flatMap(RecordID.normalized)
            let changes = known.flatMap { pending[$0] } ?? []
            let (open, held) = (changes.first { $0.state == .open }, changes.first { $0.state == .held })
            var isSame = held == nil
            if let open, isSame { isSame = try open.isBased(on: record, object) }
            if isSame {
                // The merge would change neither the outbox nor the fields that show local values.
                let names = open?.fields.keys.map(\.self) ?? []
                var isChanged = names == local ? try copier?.write(record) : nil
                if isChanged == nil {
                    copier = try RecordCopier(for: record, besides: names, of: object, connection)
                    isChanged = try copier?.write(record)
                    local = names
                }
                if open == nil, isChanged == true { pulled += 1 }
                if open == nil || isChanged == false { continue }
            }
            guard let id = known else { continue }
            pulled += 1
            let server = try copy.stored(record, of: object)
            let merge = RecordMerge(open: open, held: held, server: server, policy: store.options.policy)
            try replace(open, by: merge.open, outbox)
            try replace(held, by: merge.held, outbox)
            // A page can have a record twice.
            pending[id] = [merge.open, merge.held].compactMap(\.self)
            var shown = merge.values
            shown["IsDeleted"] = JSONValue(merge.isDeleted)
            try copy.put(id, shown, of: object, connection)
        }
    }

    private func replace(_ old: PendingChange?, by new: PendingChange?, _ outbox: Outbox) throws(OrgError) {
        guard old != new else { return }
        if let new { try outbox.save(new) } else if let old { try outbox.remove(old.record, old.state) }
    }

    /// Handles a record that the server no longer shows, for a reason, or that left a part without a reason.
    mutating func lose(
        _ id: String, of object: SObjectSchema, _ reason: SyncConflict.Reason?, from part: Int64? = nil,
        _ connection: SQLiteConnection
    ) throws(OrgError) {
        let outbox = Outbox(connection: connection)
        // A window shows the deletion again, after the app has chosen to restore the record.
        if reason == .deletedOnServer, try outbox.change(id, .open)?.key == PendingChange.restoring { return }
        try connection.change(
            "DELETE FROM \"sync.Member\" WHERE \"Record\" = ?1 AND (?2 IS NULL OR \"Part\" = ?2)",
            [.text(id), (reason == nil ? part : nil).map { .integer($0) } ?? .null])
        if let reason, let open = try outbox.change(id, .open) {
            try outbox.remove(id, .open)
            let isDropped = if case .server = store.options.policy { true } else { false }
            if open.kind == .delete {
                if reason != .notVisible { report.deleted += 1 }
            } else if !isDropped {
                var held = open
                if let other = try outbox.change(id, .held) { held = other.followed(by: open) ?? open }
                (held.state, held.reason) = (.held, reason)
                try outbox.save(held)
            }
        } else if let reason, var held = try outbox.change(id, .held), held.reason != reason {
            if held.kind == .delete {
                try outbox.remove(id, .held)
            } else {
                held.reason = reason
                try outbox.save(held)
            }
        }
        guard try !outbox.isPending(id) else { return }
        let isMember = try connection.fetch(
            "SELECT 1 FROM \"sync.Member\" WHERE \"Record\" = ?1 LIMIT 1", [.text(id)]
        ) { _ in true }
        guard isMember.isEmpty else { return }
        try store.records.remove(id, of: object, connection)
        // A window shows deleted records again.
        report.removed += try connection.fetch("SELECT changes()") { Int(clamping: $0.integer(0)) }.first ?? 0
    }
}

/// A response that arrives while other work is done, and whose request ends with the last reference.
final class Ahead<Response: Sendable>: Sendable {
    private let task: Task<Result<Response, RestError>, Never>

    init(_ send: @escaping @Sendable () async throws(RestError) -> Response) {
        task = Task {
            do throws(RestError) { return .success(try await send()) } catch { return .failure(error) }
        }
    }

    deinit { task.cancel() }

    var result: Result<Response, RestError> {
        get async {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestModels
import RestSQLite
import RestTransport
import SOQLStore

/// The ids of records to read again, by object, after their changes were sent or rejected.
typealias StaleRecords = [String: Set<String>]

extension SyncRun {
    /// The maximum number of times that changes are sent, merged with the server's values and sent again.
    private static let mostRounds = 5

    /// Sends the changes in the order of their references, and reads the records again.
    mutating func push() async throws(SyncError) {
        for _ in 0..<Self.mostRounds {
            try await restore()
            try await refresh(unread())
            let order = try order()
            guard !order.steps.isEmpty else { break }
            var stale = StaleRecords()
            for step in order.steps {
                try await send(try take(step, order.deferred), &stale)
            }
            try await refresh(stale)
        }
        report.pending = try store.pendingCount
    }

    /// Arranges the open changes.
    private mutating func order() throws(SyncError) -> PushOrder {
        let (items, unsent) = try store.read { (connection) throws(OrgError) in
            let outbox = Outbox(connection: connection)
            let changes = try outbox.changes(.open)
            let temporary = try outbox.temporaryIDs()
            let unsent = temporary.subtracting(changes.filter { $0.kind == .create }.map(\.record))
            var items: [PushOrder.Item] = []
            let references = Dictionary(
                uniqueKeysWithValues: store.schema.objects.map { object in
                    (object.name, object.fields.filter { $0.type == .reference })
                })
            for change in changes where change.kind == .create || !temporary.contains(change.record) {
                guard let object = store.schema.object(named: change.object) else { continue }
                items.append(try item(change, object, references[object.name] ?? [], connection))
            }
            return (items, unsent)
        }
        let order = PushOrder(items, unsent: unsent)
        guard !order.stuck.isEmpty else { return order }
        try store.write { (connection) throws(OrgError) in
            let outbox = Outbox(connection: connection)
            for number in order.stuck {
                guard var change = try outbox.change(number: number), change.state == .open else { continue }
                try outbox.remove(change.record, .open)
                (change.state, change.reason) = (.held, .cycle)
                try outbox.save(change)
            }
        }
        return order
    }

    private func item(
        _ change: PendingChange, _ object: SObjectSchema, _ references: [FieldSchema], _ connection: SQLiteConnection
    ) throws(OrgError) -> PushOrder.Item {
        var fields = change.fields
        if change.kind == .delete { fields = try store.records.fields(of: change.record, object, connection) ?? [:] }
        let references = references.compactMap { field -> PushOrder.Reference? in
            guard let id = fields[field.name]?.string else { return nil }
            return PushOrder.Reference(field: field.name, record: id, canWait: field.isNillable && field.isUpdateable)
        }
        return PushOrder.Item(
            number: change.number, record: change.record, kind: change.kind, references: references)
    }

    /// Marks changes as sent, and leaves fields that are set later in the outbox.
    ///
    /// A change that the app has edited meanwhile, so that it refers to another new record, waits for the next round.
    private func take(_ numbers: [Int64], _ deferred: [Int64: Set<String>]) throws(SyncError) -> [PendingChange] {
        let time = serverTime
        return try store.write { (connection) throws(OrgError) in
            let outbox = Outbox(connection: connection)
            let temporary = try outbox.temporaryIDs()
            let open = try outbox.open(numbers)
            var taken: [PendingChange] = []
            for number in numbers {
                guard var change = open[number] else { continue }
                var rest = PendingChange(.update, of: change.object, change.record)
                for name in deferred[number] ?? [] {
                    guard let value = change.fields[name] else { continue }
                    rest.fields[name] = value
                    rest.base[name] = .null
                    change.fields[name] = JSONValue?.none
                }
                guard !change.fields.contains(where: { $0.value.string.map(temporary.contains) ?? false }) else {
                    continue
                }
                (change.state, change.sentAt) = (.sent, time)
                if rest.isEmpty {
                    try outbox.send(change)
                } else {
                    try outbox.remove(change.record, .open)
                    try outbox.save(change)
                    try outbox.save(rest)
                }
                taken.append(change)
            }
            return taken
        }
    }

    /// Sends the changes of one step, which do not depend on each other.
    private mutating func send(_ changes: [PendingChange], _ stale: inout StaleRecords) async throws(SyncError) {
        let files = try store.read { (connection) throws(OrgError) in
            var files: [String: StoredFile] = [:]
            for change in changes where change.kind == .create {
                files[change.record] = try StoredFile.find(change.record, connection).flatMap { $0.isLocal ? $0 : nil }
            }
            return files
        }
        let creations = changes.filter { $0.kind == .create && files[$0.record] == nil }
        let upserts = Dictionary(grouping: creations.filter { upsertField($0) != nil }, by: \.object)
        for (_, list) in upserts.sorted(by: { $0.key < $1.key }) {
            guard let first = list.first, let field = upsertField(first) else { continue }
            for some in list.slices(of: RestRequest.maximumRecords) {
                try await create(some, .upsert(first.object, externalID: field, some.map(\.fields)), &stale)
            }
        }
        for list in creations.filter({ upsertField($0) == nil }).runs {
            try await create(list, .create(list.map { Record.Draft($0.object, $0.fields) }), &stale)
        }
        try await update(changes.filter { $0.kind == .update }, &stale)
        let deletions = Dictionary(grouping: changes.filter { $0.kind == .delete }, by: \.object)
        for (_, list) in deletions.sorted(by: { $0.key < $1.key }) {
            for some in list.slices(of: RestRequest.maximumRecords) { try await delete(some, &stale) }
        }
        for change in changes {
            if let file = files[change.record] { try await create(change, file, &stale) }
        }
    }

    /// The external id that makes the creation of a record idempotent, or `nil`.
    func upsertField(_ change: PendingChange) -> String? {
        guard let object = store.schema.object(named: change.object), change.key != nil, object.fileField == nil,
            let name = store.options.keyFields[object.name], let field = object.field(named: name), field.isExternalId
        else { return nil }
        return field.name
    }

    /// Handles the error of a whole call: what was certainly not applied is open again, and the rest is settled later.
    func give(back changes: [PendingChange], after error: RestError) throws(SyncError) -> Never {
        if error.outcome == .notApplied || error.outcome == nil { try store.reopen(changes) }
        throw SyncError(error)
    }

    private mutating func create(
        _ changes: [PendingChange], _ request: RestRequest.Typed<SaveResults>, _ stale: inout StaleRecords
    ) async throws(SyncError) {
        let results: SaveResults
        report.requests += 1
        do throws(RestError) { results = try await client.send(request) } catch {
            try give(back: changes, after: error)
        }
        note(results.response)
        var created: [(change: PendingChange, id: String)] = []
        for (change, result) in zip(changes, results) {
            guard let id = result.id.map({ RecordID.normalized($0) ?? $0 }), result.isSuccess else { continue }
            created.append((change, id))
            stale[change.object, default: []].insert(id)
        }
        try store.adopt(created)
        report.created += created.count
        for (change, result) in zip(changes, results) where !result.isSuccess { try reject(change, result.faults) }
    }

    /// The errors after which a later sync sends a change again.
    private static let passing: Set<APIFault.Code> = [.unableToLockRow, .requestLimitExceeded, .serverUnavailable]

    /// Holds a change that the server rejected, unless the app has edited the record meanwhile.
    mutating func reject(_ change: PendingChange, _ faults: [APIFault]) throws(SyncError) {
        let fault = faults.first
        if let fault, Self.passing.contains(fault.errorCode) { return try store.reopen([change]) }
        let isEdited = try store.write { (connection) throws(OrgError) in
            let outbox = Outbox(connection: connection)
            guard try outbox.change(change.record, .open) == nil else { return true }
            try outbox.remove(change.record, .sent)
            // Fields in conflict remain in it.
            var held = try outbox.change(change.record, .held)?.followed(by: change) ?? change
            (held.state, held.sentAt) = (.held, nil)
            held.reason = .rejected(
                code: fault?.errorCode.rawValue ?? "", message: fault?.message ?? "the server gave no reason")
            try outbox.save(held)
            return false
        }
        if isEdited { try store.reopen([change]) }
    }

    /// Deletes records that are in the state that the app has seen, which the server does not check.
    private mutating func delete(_ changes: [PendingChange], _ stale: inout StaleRecords) async throws(SyncError) {
        guard let object = changes.first?.object else { return }
        var (due, done): ([PendingChange], [PendingChange]) = ([], [])
        report.requests += 1
        do throws(RestError) {
            let found = try await client.send(
                .retrieve(object, ids: changes.map(\.record), fields: ["Id", "SystemModstamp"]))
            for (change, record) in zip(changes, found) {
                let stamp = record?["SystemModstamp"]?.string.flatMap(WireTime.normalizedDatetime)
                if record == nil {
                    done.append(change)
                } else if let base = change.base["SystemModstamp"]?.string, base != stamp {
                    try inStore { () throws(SyncError) in try store.reopen([change]) }
                    stale[object, default: []].insert(change.record)
                } else {
                    due.append(change)
                }
            }
        } catch {
            try store.reopen(changes)
            throw SyncError(error)
        }
        try store.applied(done)
        report.deleted += done.count
        guard !due.isEmpty else { return }
        let results: SaveResults
        report.requests += 1
        do throws(RestError) { results = try await client.send(.delete(ids: due.map(\.record))) } catch {
            try give(back: due, after: error)
        }
        note(results.response)
        let gone = zip(due, results).filter { _, result in
            result.isSuccess || result.faults.contains { $0.errorCode == .entityIsDeleted }
        }.map(\.0)
        try store.applied(gone)
        report.deleted += gone.count
        let numbers = Set(gone.map(\.number))
        for (change, result) in zip(due, results) where !numbers.contains(change.number) {
            try reject(change, result.faults)
        }
    }

    /// Reads records again after their changes were sent, and merges them.
    private mutating func refresh(_ stale: StaleRecords) async throws(SyncError) {
        for (name, ids) in stale.sorted(by: { $0.key < $1.key }) {
            let (object, fields) = (try store.object(name), try self.fields(of: try store.object(name)))
            var gone = ids
            var lists = ids.sorted().slices(of: PullPlan.idsPerQuery)[...]
            var next: Ahead<RestResponse>?
            while next != nil || !lists.isEmpty {
                let first = next ?? ask(&lists, object, fields)
                // The next records arrive while these are written.
                next = lists.isEmpty ? nil : ask(&lists, object, fields)
                guard let first else { break }
                let found: [JSONObject]
                do throws(RestError) {
                    let response = try await first.result.get()
                    note(response)
                    found = try await records(from: response)
                } catch {
                    throw SyncError(error)
                }
                var copy = self
                // After a crash of the system, the next window has these records.
                try store.write(isRepeatable: true) { (connection) throws(OrgError) in
                    try copy.absorb(found, of: object, connection)
                }
                copy.report.pulled = report.pulled
                self = copy
                gone.subtract(found.compactMap { $0["Id"]?.string.flatMap(RecordID.normalized) })
            }
            if !gone.isEmpty { try await lose(gone.sorted(), of: object) }
        }
    }

    /// Requests the records of the first list.
    private mutating func ask(
        _ lists: inout ArraySlice<[String]>, _ object: SObjectSchema, _ fields: [String]
    ) -> Ahead<RestResponse>? {
        guard let ids = lists.popFirst() else { return nil }
        report.requests += 1
        let soql = SOQL(raw: PullPlan.query(ids, of: object.name, fields: fields))
        return Ahead { [client] () async throws(RestError) in try await client.send(.query(soql)) }
    }

    /// Finds out why the server does not show records, and handles their changes accordingly.
    mutating func lose(_ ids: [String], of object: SObjectSchema) async throws(SyncError) {
        let states: [String: SyncConflict.Reason?]
        do throws(RestError) { states = try await self.states(of: ids, object) } catch { throw SyncError(error) }
        var copy = self
        try store.write { (connection) throws(OrgError) in
            for id in ids {
                guard let reason = states[id] ?? .some(.notVisible) else { continue }
                try copy.lose(id, of: object, reason, connection)
            }
        }
        self = copy
    }

    /// Restores records from the server's recycle bin, whose local changes the app has chosen.
    private mutating func restore() async throws(SyncError) {
        let changes = try store.read { (connection) throws(OrgError) in
            try Outbox(connection: connection).restoring()
        }
        for some in changes.slices(of: RestRequest.maximumRecords) {
            report.requests += 1
            do throws(RestError) { _ = try await client.send(.undelete(ids: some.map(\.record))) } catch {
                throw SyncError(error)
            }
            // The update that follows shows whether each record exists.
            try store.write { (connection) throws(OrgError) in
                let outbox = Outbox(connection: connection)
                for change in some {
                    guard var open = try outbox.change(change.record, .open) else { continue }
                    open.key = nil
                    try outbox.save(open)
                }
            }
        }
    }
}

extension Array {
    func slices(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

extension [PendingChange] {
    /// The changes in lists that one request can create, with the records of each object together.
    fileprivate var runs: [[PendingChange]] {
        var (runs, types) = ([[PendingChange]](), 0)
        for change in sorted(by: { ($0.object, $0.number) < ($1.object, $1.number) }) {
            let isNewType = runs.last?.last?.object != change.object
            if let last = runs.last, last.count < RestRequest.maximumRecords,
                !isNewType || types < RestRequest.maximumRecordRuns
            {
                types += isNewType ? 1 : 0
                runs[runs.count - 1].append(change)
            } else {
                types = 1
                runs.append([change])
            }
        }
        return runs
    }
}

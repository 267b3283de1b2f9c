// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK
import RestSQLite
import SOQLStore
import SOQLSyntax

extension SyncStore {
    /// Reopens changes that the server certainly did not apply, or that can be sent twice, with the edits made since.
    func reopen(_ changes: [PendingChange]) throws(SyncError) {
        guard !changes.isEmpty else { return }
        try write { (connection) throws(OrgError) in
            let outbox = Outbox(connection: connection)
            for change in changes {
                let open = try outbox.change(change.record, .open)
                try outbox.remove(change.record, .sent)
                try outbox.remove(change.record, .open)
                if let merged = change.followed(by: open) {
                    try outbox.save(merged)
                } else if change.kind == .create, let object = self.schema.object(named: change.object) {
                    try self.forget(change.record, of: object, connection)
                }
            }
        }
    }

    /// Removes changes that the server has applied.
    ///
    /// If a crash of the system undoes this, the next sync finds their values on the server.
    func applied(_ changes: [PendingChange]) throws(SyncError) {
        guard !changes.isEmpty else { return }
        try write(isRepeatable: true) { (connection) throws(OrgError) in
            let outbox = Outbox(connection: connection)
            try outbox.remove(changes.map(\.record), .sent)
            for change in changes {
                if change.kind == .delete, let object = self.schema.object(named: change.object) {
                    try connection.change("DELETE FROM \"sync.Member\" WHERE \"Record\" = ?1", [.text(change.record)])
                    try self.records.remove(change.record, of: object, connection)
                } else {
                    try Self.forgetStamp(of: change.record, outbox)
                }
            }
        }
    }

    /// Gives created records their ids.
    ///
    /// The values of the records in `uncertain`, which are deleted, are kept as updates. So they end in conflicts.
    func adopt(
        _ creations: [(change: PendingChange, id: String)], uncertain: Set<String> = []
    ) throws(SyncError) {
        guard !creations.isEmpty else { return }
        try write { (connection) throws(OrgError) in
            let outbox = Outbox(connection: connection)
            var ids: [String: String] = [:]
            for (change, id) in creations {
                guard let object = self.schema.object(named: change.object) else { continue }
                try outbox.remove(change.record, .sent)
                if uncertain.contains(id) {
                    var update = change
                    (update.kind, update.key) = (.update, nil)
                    let open = try outbox.change(change.record, .open)
                    try outbox.remove(change.record, .open)
                    if let kept = update.followed(by: open) { try outbox.save(kept) }
                }
                try self.records.rename(change.record, to: id, of: object, connection)
                ids[change.record] = id
            }
            try outbox.rename(ids)
        }
    }

    /// A deletion made while another change was in flight does not know the stamp that this change gave the record.
    private static func forgetStamp(of record: String, _ outbox: Outbox) throws(OrgError) {
        guard var open = try outbox.change(record, .open), open.kind == .delete else { return }
        open.base["SystemModstamp"] = JSONValue?.none
        try outbox.save(open)
    }

    /// Removes records that no subset contains and that have no pending change, after changes have left the outbox.
    ///
    /// - Returns: the number of removed records.
    func purge() throws(SyncError) -> Int {
        try write { (connection) throws(OrgError) in
            let due = try connection.fetch("SELECT 1 FROM \"sync.Value\" WHERE \"Name\" = 'purge'") { _ in true }
            guard !due.isEmpty else { return 0 }
            var count = 0
            for object in self.schema.objects {
                try connection.change(
                    """
                    DELETE FROM "\(object.name)" WHERE "Id" NOT IN (SELECT "Record" FROM "sync.Member")
                    AND "Id" NOT IN (SELECT "Record" FROM "sync.Outbox")
                    """)
                count += try connection.fetch("SELECT changes()") { Int(clamping: $0.integer(0)) }.first ?? 0
            }
            try connection.change("DELETE FROM \"sync.Value\" WHERE \"Name\" = 'purge'")
            return count
        }
    }
}

extension SyncRun {
    /// Settles changes whose outcome is unknown, before anything is sent again.
    ///
    /// The server's records show which updates were applied, and which new records exist: these are found by their keys
    /// or by their values. The merge shows whether a deletion was applied.
    mutating func settle() async throws(SyncError) {
        let sent = try store.read { (connection) throws(OrgError) in
            try Outbox(connection: connection).changes(.sent)
        }
        try store.reopen(sent.filter { $0.kind == .delete })
        for (name, changes) in Dictionary(grouping: sent, by: \.object).sorted(by: { $0.key < $1.key }) {
            let object = try store.object(name)
            let (updates, creations) = (changes.filter { $0.kind == .update }, changes.filter { $0.kind == .create })
            var (current, found): ([JSONObject], [JSONObject]) = ([], [])
            do throws(RestError) { current = try await records(updates.map(\.record), of: object) } catch {
                // The pull finds out which fields the org no longer has.
                guard error.faults.contains(where: { $0.errorCode == "INVALID_FIELD" }) else { throw SyncError(error) }
            }
            try settle(updates: updates, current, object)
            do throws(RestError) {
                for some in creations.slices(of: RestRequest.maximumRecords) {
                    // Another user can have deleted a new record and can restore it. The pull notes the deletion.
                    found += try await records(search(some, object), includingDeleted: true)
                }
            } catch {
                throw SyncError(error)
            }
            try await settle(creations, found, object)
        }
    }

    /// Removes the values that the server has from updates, and reopens the rest.
    private func settle(
        updates: [PendingChange], _ found: [JSONObject], _ object: SObjectSchema
    ) throws(SyncError) {
        var (applied, rest): ([PendingChange], [PendingChange]) = ([], [])
        var records: [String: JSONObject] = [:]
        for record in found {
            if let id = record["Id"]?.string { records[RecordID.normalized(id) ?? id] = record }
        }
        for change in updates {
            var left = change
            if let record = records[change.record] {
                let server = try SyncError.wrapping { () throws(OrgError) in
                    try store.records.stored(record, of: object)
                }
                for (name, value) in change.fields where server[name] == value { left.drop(name) }
            }
            if left.isEmpty { applied.append(change) } else { rest.append(left) }
        }
        try store.applied(applied)
        try store.reopen(rest)
    }

    /// The seconds after a request was sent in which the server can have created its records.
    private static let longestCreation = 900

    /// The query of records that a lost request can have created.
    private func search(_ changes: [PendingChange], _ object: SObjectSchema) -> String {
        let id = store.binned.contains(object.name) ? "Id, IsDeleted" : "Id"
        if let keyField = store.options.keyFields[object.name], changes.allSatisfy({ $0.key != nil }) {
            let keys = changes.compactMap(\.key).map { SOQLEscaping.quoted($0) }.joined(separator: ",")
            return "SELECT \(id), \(keyField) FROM \(object.name) WHERE \(keyField) IN (\(keys))"
        }
        let names = Set(changes.flatMap(\.fields.keys)).sorted().joined(separator: ", ")
        let times = changes.compactMap(\.sentAt)
        guard times.count == changes.count, let first = times.min(), let last = times.max() else {
            return "SELECT \(id), \(names) FROM \(object.name) ORDER BY CreatedDate DESC LIMIT 2000"
        }
        let (start, end) = (PullPlan.literal(first - PullPlan.overlap), PullPlan.literal(last + Self.longestCreation))
        // The upload of a file can take any time.
        let until = object.fileField == nil ? " AND CreatedDate <= \(end)" : ""
        return "SELECT \(id), \(names) FROM \(object.name) WHERE CreatedDate >= \(start)\(until)"
    }

    /// Adopts the records that were created, each for one change, and reopens the other changes.
    private mutating func settle(
        _ changes: [PendingChange], _ found: [JSONObject], _ object: SObjectSchema
    ) async throws(SyncError) {
        let keyField = store.options.keyFields[object.name]
        var free = try store.read { (connection) throws(OrgError) in
            var free: [JSONObject] = []
            for record in found {
                let record = try store.records.stored(record, of: object)
                guard let id = record["Id"]?.string else { continue }
                if try store.records.fields(of: id, object, connection) == nil { free.append(record) }
            }
            // A deleted record is the second choice, because another record can have the same values.
            let isDeleted = { (record: JSONObject) in record["IsDeleted"]?.bool == true }
            return free.filter { !isDeleted($0) } + free.filter(isDeleted)
        }
        var adopted: [(change: PendingChange, id: String)] = []
        var uncertain: Set<String> = []
        var rest = changes
        // The org clears a reference when its record is deleted, so such a record is the second choice.
        for mayBeCleared in [false, true] {
            var missing: [PendingChange] = []
            for change in rest {
                var match: Int?
                for (index, record) in free.enumerated() where match == nil {
                    if let keyField, let key = change.key {
                        if record[keyField]?.string == key { match = index }
                    } else if change.fields.allSatisfy({ name, value in
                        record[name] == value
                            || mayBeCleared && record[name] == .null && object.field(named: name)?.type == .reference
                    }), let id = record["Id"]?.string, try await isSent(change, as: id, object) {
                        match = index
                    }
                }
                guard let match, let id = free[match]["Id"]?.string else {
                    missing.append(change)
                    continue
                }
                // Another user can have deleted a record with the same values, so only a key is certain.
                let isDeleted = free.remove(at: match)["IsDeleted"]?.bool == true
                if isDeleted, keyField == nil || change.key == nil { uncertain.insert(id) }
                adopted.append((change, id))
            }
            rest = missing
        }
        try store.adopt(adopted, uncertain: uncertain)
        try store.reopen(rest)
        report.created += adopted.count
    }

    /// Returns the records with changes whose values were never read, because the response to their creation was lost.
    func unread() throws(SyncError) -> StaleRecords {
        try store.read { (connection) throws(OrgError) in
            var records = StaleRecords()
            for object in store.schema.objects {
                records[object.name] = Set(
                    try connection.fetch(
                        """
                        SELECT o."Record" FROM "sync.Outbox" o JOIN "\(object.name)" r ON r."Id" = o."Record"
                        WHERE o."Object" = ?1 AND o."State" = 'open' AND o."Kind" = 'update'
                        AND r."LastModifiedDate" IS NULL
                        AND o."Record" NOT IN (SELECT "Temporary" FROM "sync.Alias" WHERE "Id" IS NULL)
                        """, [.text(object.name)]
                    ) { $0.text(0) })
            }
            return records.filter { !$0.value.isEmpty }
        }
    }
}

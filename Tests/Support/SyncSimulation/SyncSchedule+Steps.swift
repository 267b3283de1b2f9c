// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestModels
import RestSDK
import RestSync
import Synchronization

/// The steps of a schedule.
extension SyncSchedule {
    private var users: RestClient { org.clients[SimulatedOrg.mostCopies] }
    private var hiding: String { SimulatedOrg.ownFields[SimulatedOrg.mostCopies] }

    // MARK: - The org's users

    func createInOrg() async throws {
        let name = "o\(nextNumber())"
        note { $0.createdRecord(name) }
        try await backdated {
            _ = try await users.send(.create("Account", ["Name": JSONValue(name), "Run__c": JSONValue(run)]))
        }
    }

    /// Changes the org as its users do.
    func changeOrg() async throws {
        let records = try org.records(of: run).filter { isSettled($0["Name"]?.string ?? "") }
        let action = roll(12)
        guard action > 0, !records.isEmpty else { return try await createInOrg() }
        let record = records[roll(records.count)]
        guard let id = record["Id"]?.string, let name = record["Name"]?.string else { return }
        switch action {
        case 1:
            trace("org deletes \(name)")
            note { $0.deletedRecord(name) }
            _ = try await users.send(.delete("Account", id: id))
            if roll(3) == 0 { _ = try await users.send(.undelete(ids: [id])) }
        case 2 where records.count > 1:
            let master = records[roll(records.count)]
            guard let masterID = master["Id"]?.string, let masterName = master["Name"]?.string, id != masterID else {
                return
            }
            trace("org merges \(name) into \(masterName)")
            note { $0.mergedRecord(name, into: masterName) }
            // The org does not merge a record into one of its children.
            _ = try? await users.send(.merge("Account", ids: [id], into: masterID))
        default:
            let number = nextNumber()
            let own = roll(5) == 0 ? "hidden" : "\(number)"
            var fields: JSONObject = [hiding: JSONValue(own)]
            if roll(2) == 0 { fields[SimulatedOrg.shared] = JSONValue(number) }
            trace("org changes \(name): \(fields)")
            note { $0.edited(name, by: SimulatedOrg.mostCopies, own: own) }
            try await backdated(after: record["SystemModstamp"]?.string) {
                _ = try await users.send(.update("Account", id: id, fields))
            }
        }
    }

    /// Runs a write that commits late: with a stamp up to four minutes ago, but not before the record's last change.
    private func backdated(after stamp: String? = nil, _ write: () async throws -> Void) async throws {
        var delay = roll(4) == 0 ? 1_000 * roll(240) : 0
        if let last = stamp.flatMap({ JSONTimestamp($0) }) {
            let age = Int(org.time) - Int(last.secondsSince1970 * 1_000)
            if delay > age - 1_000 { delay = 0 }
        }
        org.advance(by: -delay)
        defer { org.advance(by: delay) }
        try await write()
    }

    // MARK: - The users of copies

    /// Makes a random edit in a copy.
    func edit(_ copy: SimulatedCopy) throws {
        guard let store = copy.store else { return }
        let records = try store.query(Self.all).sorted { ($0["Name"]?.string ?? "") < ($1["Name"]?.string ?? "") }
        let action = roll(12)
        copy.noteChange()
        guard action > 2, !records.isEmpty else { return try create(in: copy, store, records) }
        let record = records[roll(records.count)]
        guard let id = record.id, let name = record["Name"]?.string else { return }
        let isOwn = state.withLock { $0.fresh[name]?.copy == copy.number }
        guard isOwn || isSettled(name) else { return }
        let number = nextNumber()
        switch action {
        case 3:
            trace("\(copy.number) deletes \(name)")
            note { $0.deletedRecord(name) }
            try store.edit { try $0.delete("Account", id: id) }
        case 4:
            let parent = records[roll(records.count)]
            let isNull = roll(2) == 0 || parent.id == id
            trace("\(copy.number) sets the parent of \(name): \(isNull ? "null" : parent.id ?? "")")
            try store.edit {
                try $0.update("Account", id: id, ["ParentId": isNull ? .null : JSONValue(parent.id ?? "")])
            }
        default:
            var fields: JSONObject = [SimulatedOrg.ownFields[copy.number]: JSONValue("\(number)")]
            note { $0.edited(name, by: copy.number, own: "\(number)") }
            if roll(2) == 0 {
                fields[SimulatedOrg.shared] = JSONValue(number)
                note {
                    $0.edited(name, by: copy.number, shared: number, over: record[SimulatedOrg.shared]?.int)
                }
            }
            trace("\(copy.number) changes \(name): \(fields)")
            try store.edit { try $0.update("Account", id: id, fields) }
        }
    }

    private func create(in copy: SimulatedCopy, _ store: SyncStore, _ records: [Record]) throws {
        let number = nextNumber()
        let name = "c\(number)"
        var fields: JSONObject = [
            "Name": JSONValue(name), "Run__c": JSONValue(run),
            SimulatedOrg.ownFields[copy.number]: JSONValue("\(number)"),
        ]
        let parent = records.isEmpty || roll(3) > 0 ? nil : records[roll(records.count)]
        if let parent { fields["ParentId"] = JSONValue(parent.id ?? "") }
        note { ledger in
            ledger.createdRecord(name)
            ledger.edited(name, by: copy.number, own: "\(number)")
        }
        if roll(2) == 0 {
            fields[SimulatedOrg.shared] = JSONValue(number)
            note { $0.edited(name, by: copy.number, shared: number, over: nil) }
        }
        let id = try store.edit { try $0.create("Account", fields) }
        trace("\(copy.number) creates \(name) as \(id): \(fields)")
        state.withLock { state in
            state.ledger.name(name, of: id)
            if !copy.hasKeys { state.fresh[name] = (copy.number, id, parent?["Name"]?.string) }
        }
    }

    /// Decides about the conflicts of a copy.
    func resolve(_ copy: SimulatedCopy) throws {
        guard let store = copy.store else { return }
        for conflict in try store.conflicts {
            copy.noteChange()
            trace("\(copy.number) resolves \(conflict)")
            let name = state.withLock { $0.ledger.names[conflict.recordID] } ?? ""
            if case .rejected(let code, let message) = conflict.reason {
                // Only the reference to a record that was deleted meanwhile is rejected.
                guard conflict.fields.contains(where: { $0.name == "ParentId" }) else {
                    note { $0.report(.error("\(copy.number): \(name) was rejected: \(code) \(message)")) }
                    try store.resolve(conflict, with: .server)
                    continue
                }
                do {
                    try store.edit { try $0.update("Account", id: conflict.recordID, ["ParentId": .null]) }
                } catch let error as SyncError where error.code == .notFound {
                    // The record has left the copy's subsets, where only the conflict remains.
                    try store.resolve(conflict, with: .values(["ParentId": .null]))
                }
                continue
            }
            let shared = conflict.fields.first { $0.name == SimulatedOrg.shared }
            switch roll(5) {
            case 0, 1:
                note { $0.gaveUp(name, by: copy.number) }
                try store.resolve(conflict, with: .server)
            case 2 where shared != nil && !conflict.isDeletion:
                let number = nextNumber()
                note {
                    $0.edited(name, by: copy.number, shared: number, over: shared?.local.int)
                }
                try store.resolve(conflict, with: .values([SimulatedOrg.shared: JSONValue(number)]))
            default: try store.resolve(conflict, with: .local)
            }
        }
    }

    static let all = SOQL(raw: "SELECT \(SimulatedOrg.compared.joined(separator: ", ")) FROM Account")

    // MARK: - Syncs

    /// Syncs a copy, and opens it again if its process ended.
    @discardableResult
    func sync(_ copy: SimulatedCopy) async throws -> SyncReport? {
        guard let store = copy.store else { return nil }
        let before = try store.conflicts
        let changes = copy.changes
        let isCalm = state.withLock(\.isCalm)
        let writes = isCalm || roll(8) > 0 ? nil : roll(20)
        trace("\(copy.number) syncs\(writes.map { ", and ends after \($0) transactions" } ?? "")")
        copy.begin(killAfter: writes)
        let outcome: Result<SyncReport, SyncError>
        do throws(SyncError) { outcome = .success(try await store.sync(with: org.clients[copy.number])) } catch {
            outcome = .failure(error)
        }
        copy.end()
        trace("\(copy.number) synced\(copy.isKilled ? ", and ended" : ""): \(outcome)")
        let isKilled = copy.isKilled
        if isKilled {
            try await copy.open()
        } else if case .failure(let error) = outcome, isCalm || error.code != .request {
            note { $0.report(.error("\(copy.number): \(error)")) }
        }
        let after = try copy.store?.conflicts ?? []
        note { $0.listed(after, by: copy.number) }
        guard case .success(let report) = outcome, !isKilled else { return nil }
        // A conflict that the copy listed before can have another reason now, and is the same conflict.
        let (new, changed) = after.reduce(into: (0, 0)) { counts, conflict in
            let old = before.first { $0.recordID == conflict.recordID }
            let isNew = old.map { !Set(conflict.fields.map(\.name)).isSubset(of: $0.fields.map(\.name)) } ?? true
            if isNew { counts.0 += 1 } else if old?.reason != conflict.reason { counts.1 += 1 }
        }
        if changes == copy.changes, !(new...(new + changed)).contains(report.conflicts) {
            note { ledger in
                ledger.report(
                    .conflict("\(copy.number) reports \(report.conflicts) instead of \(new): \(before) → \(after)"))
            }
        }
        return report
    }

    /// Resolves all conflicts, and syncs until nothing changes.
    func settle() async throws {
        state.withLock { $0.isCalm = true }
        // A decision about one copy can restore a record after the others were quiet.
        var quiet = 0
        for _ in 0..<14 {
            org.advance(by: 20_000)
            var isQuiet = true
            for copy in copies {
                guard let report = try await sync(copy) else { return }
                let moved = report.pulled + report.removed + report.created + report.updated + report.deleted
                if try moved + report.pending > 0 || !(copy.store?.conflicts ?? []).isEmpty { isQuiet = false }
                try resolve(copy)
            }
            quiet = isQuiet ? quiet + 1 : 0
            if quiet == 2 { return }
        }
        note { $0.report(.unequal("the copies still change after many rounds")) }
    }

    func check() async throws {
        func rows(_ records: [JSONObject]) -> [String] {
            records.map { record in
                SimulatedOrg.compared.map { record[$0]?.numberText ?? record[$0]?.string ?? "-" }.joined(separator: " ")
            }.sorted()
        }
        let records = try org.records(of: run)
        for copy in copies {
            guard let store = copy.store else { continue }
            var expected = records.filter { !copy.isNarrow || $0[hiding]?.string != "hidden" }
            var ids = Set(expected.compactMap { $0["Id"]?.string })
            for _ in 0..<copy.ancestors {
                let parents = Set(expected.compactMap { $0["ParentId"]?.string })
                expected = records.filter { parents.contains($0["Id"]?.string ?? "") }
                ids.formUnion(parents)
            }
            expected = records.filter { ids.contains($0["Id"]?.string ?? "") }
            let found = rows(try store.query(Self.all).map(\.fields))
            if rows(expected) != found {
                let missing = Set(rows(expected)).subtracting(found), surplus = Set(found).subtracting(rows(expected))
                note { $0.report(.unequal("\(copy.number): lacks \(missing), has \(surplus)")) }
            }
        }
        let droppers = Set(copies.filter(\.drops).map(\.number))
        note { $0.check(records, dropping: droppers) }
        let ids = records.compactMap { $0["Id"]?.string }
        if !ids.isEmpty { _ = try await users.deleteAll(ids: ids).get() }
    }
}

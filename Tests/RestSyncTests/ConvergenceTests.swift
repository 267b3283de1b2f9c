// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestJSON
import RestSync
import RestTransport
import Synchronization
import Testing

/// Copies and an org that change at random, with faults and ends of processes.
///
/// Each writer has a field of its own, in which the last edit must win everywhere. All write one shared field, and some
/// delete records.
@Suite("Two copies and an org converge", .timeLimit(.minutes(5)))
struct ConvergenceTests {
    /// The random state of one schedule, and what must be true at its end.
    private final class Schedule: Sendable {
        struct State {
            var random: SplitMix64
            /// The names of the records that were created, and those that a writer deleted.
            var created: Set<String> = [], deleted: Set<String> = []
            /// The last value of each writer's own field, by the name of the record.
            var last: [String: [String: String]] = [:]
            var number = 0
        }

        let state: Mutex<State>

        init(_ seed: Int) { state = Mutex(State(random: SplitMix64(seed: UInt64(seed)))) }

        func roll(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }

        func next() -> Int {
            state.withLock { state in
                state.number += 1
                return state.number
            }
        }
    }

    private final class Copy: Sendable {
        let name: String, field: String
        let store: Mutex<SyncStore>

        init(_ name: String, _ field: String, _ store: SyncStore) {
            (self.name, self.field) = (name, field)
            self.store = Mutex(store)
        }

        var current: SyncStore { store.withLock(\.self) }
    }

    private static let fields = ["Phone", "Fax", "AccountNumber", "NumberOfEmployees", "ParentId"]
    private static let query: SOQL = """
        SELECT Id, Name, Phone, Fax, AccountNumber, NumberOfEmployees, ParentId FROM Account WHERE Name LIKE 'r%'
        """

    @Test("no edit is lost, no record is doubled, and all have the same records at the end", arguments: 0..<6)
    func converge(seed: Int) async throws {
        try await SyncBed.with { bed in
            let schedule = Schedule(seed)
            var copies: [Copy] = []
            for (name, field) in [("one", "Phone"), ("two", "Fax")] {
                let copy = Copy(name, field, try await bed.copy(name, keys: keys(name)))
                try await copy.current.pull(Self.query, with: bed.client)
                copies.append(copy)
            }
            for _ in 0..<18 {
                let copy = copies[schedule.roll(0..<2)]
                switch schedule.roll(0..<6) {
                case 0: try await changeOrg(bed, schedule)
                case 1, 2, 3: try edit(copy, schedule)
                default: try await sync(copy, bed, schedule)
                }
            }
            bed.org.faults.clear()
            try await settle(copies, bed, schedule)
            try await check(copies, bed, schedule, seed)
            for copy in copies { copy.current.close() }
        }
    }

    /// One copy creates records with an external id, the other one finds them by their values.
    private func keys(_ name: String) -> [String: String] { name == "one" ? ["Account": "ExternalId__c"] : [:] }

    private func edit(_ copy: Copy, _ schedule: Schedule) throws {
        let store = copy.current
        let records = try store.query(Self.query).sorted { ($0["Name"]?.string ?? "") < ($1["Name"]?.string ?? "") }
        let number = schedule.next()
        guard schedule.roll(0..<4) > 0, !records.isEmpty else {
            let name = "r\(number)"
            let parent =
                records.isEmpty || schedule.roll(0..<2) == 0 ? nil : records[schedule.roll(0..<records.count)].id
            try store.edit {
                try $0.create("Account", ["Name": JSONValue(name), "ParentId": parent.map { JSONValue($0) } ?? .null])
            }
            return schedule.state.withLock { _ = $0.created.insert(name) }
        }
        let record = records[schedule.roll(0..<records.count)]
        guard let id = record.id, let name = record["Name"]?.string else { return }
        if schedule.roll(0..<8) == 0 {
            try store.edit { try $0.delete("Account", id: id) }
            return schedule.state.withLock { _ = $0.deleted.insert(name) }
        }
        try store.edit {
            try $0.update(
                "Account", id: id, [copy.field: JSONValue("\(number)"), "NumberOfEmployees": JSONValue(number)])
        }
        schedule.state.withLock { $0.last[name, default: [:]][copy.field] = "\(number)" }
    }

    private func changeOrg(_ bed: SyncBed, _ schedule: Schedule) async throws {
        bed.org.faults.clear()
        let records = try await bed.client.records(Self.query).collect(limit: 1_000)
            .sorted { ($0["Name"]?.string ?? "") < ($1["Name"]?.string ?? "") }
        let number = schedule.next()
        guard !records.isEmpty else { return }
        let record = records[schedule.roll(0..<records.count)]
        guard let id = record.id, let name = record["Name"]?.string else { return }
        try await bed.update(
            "Account", id, ["AccountNumber": JSONValue("\(number)"), "NumberOfEmployees": JSONValue(number)])
        schedule.state.withLock { $0.last[name, default: [:]]["AccountNumber"] = "\(number)" }
    }

    /// Syncs with faults, with edits meanwhile, and with the end of the process after an error.
    private func sync(_ copy: Copy, _ bed: SyncBed, _ schedule: Schedule) async throws {
        let faults: [Fault?] = [nil, nil, .close, .closeAfterHandling, .body("[]", status: 503)]
        if let fault = faults[schedule.roll(0..<faults.count)] {
            bed.org.faults.add(fault, matching: "/services/data", skipping: schedule.roll(0..<7))
        }
        let client = try bed.client { _ in
            if schedule.roll(0..<6) == 0 { try self.edit(copy, schedule) }
            return nil
        }
        let outcome: Result<SyncReport, SyncError>
        do throws(SyncError) { outcome = .success(try await copy.current.sync(with: client)) } catch {
            outcome = .failure(error)
        }
        client.shutdown()
        bed.org.faults.clear()
        if case .failure(let error) = outcome {
            #expect(error.code == .request, "\(error)")
            guard schedule.roll(0..<2) == 0 else { return }
            copy.current.close()
            let opened = try await bed.copy(copy.name, keys: keys(copy.name))
            copy.store.withLock { $0 = opened }
        }
    }

    /// Resolves all conflicts, and syncs until nothing changes.
    private func settle(_ copies: [Copy], _ bed: SyncBed, _ schedule: Schedule) async throws {
        for _ in 0..<6 {
            for copy in copies {
                try await copy.current.sync(with: bed.client)
                for conflict in try copy.current.conflicts {
                    if case .rejected = conflict.reason {
                        // The parent was deleted.
                        try copy.current.edit { try $0.update("Account", id: conflict.recordID, ["ParentId": .null]) }
                        continue
                    }
                    try copy.current.resolve(conflict, with: schedule.roll(0..<2) == 0 ? .server : .local)
                }
            }
        }
    }

    private func check(_ copies: [Copy], _ bed: SyncBed, _ schedule: Schedule, _ seed: Int) async throws {
        func rows(_ records: [Record]) -> [[String]] {
            records.map { record in
                (["Id", "Name"] + Self.fields).map { record[$0]?.numberText ?? record[$0]?.string ?? "" }
            }.sorted { $0[1] < $1[1] }
        }
        let org = rows(try await bed.client.records(Self.query).collect(limit: 1_000))
        let state = schedule.state.withLock(\.self)
        for copy in copies {
            let (conflicts, pending) = (try copy.current.conflicts, try copy.current.pendingCount)
            #expect(conflicts.isEmpty && pending == 0, "seed \(seed), copy \(copy.name): \(conflicts)")
            #expect(rows(try copy.current.query(Self.query)) == org, "seed \(seed), copy \(copy.name)")
        }
        let names = org.map { $0[1] }
        #expect(Set(names).count == names.count, "seed \(seed): doubled records")
        #expect(state.created.subtracting(state.deleted).isSubset(of: names), "seed \(seed): lost records")
        #expect(Set(names).isSubset(of: state.created), "seed \(seed)")
        for row in org where !state.deleted.contains(row[1]) {
            for (field, value) in state.last[row[1]] ?? [:] {
                let found = row[(Self.fields.firstIndex(of: field) ?? 0) + 2]
                #expect(found == value, "seed \(seed): \(row[1]).\(field) is \(found) instead of \(value)")
            }
        }
    }
}

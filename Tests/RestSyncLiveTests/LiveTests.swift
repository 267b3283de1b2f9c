// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestJSON
import RestTesting
import Synchronization
import Testing

@testable import RestSyncLive

@Suite("A live copy", .timeLimit(.minutes(2)))
struct LiveTests {
    private static let subset: SOQL = """
        SELECT Name, Phone, (SELECT LastName FROM Contacts) FROM Account WHERE Name LIKE 'live%'
        """

    /// An org with a copy that was pulled.
    private struct Bed: Sendable {
        let org: LocalOrg
        let client: RestClient
        let folder: TemporaryDirectory
        let reports = Mutexed()

        func open() async throws -> SyncStore {
            try await SyncStore.open(
                folder.path("copy"), schema: .describing(["Account", "Contact", "User"], of: client))
        }

        func create(_ type: String, _ fields: JSONObject) async throws -> String {
            try await client.send(.create(type, fields)).payload["id"]?.string ?? ""
        }

        /// Keeps the copy live while the body runs, after the first sync.
        func live(_ store: SyncStore, _ body: () async throws -> Void) async throws {
            let (client, reports, count) = (client, reports, reports.list.count)
            let task = Task { () -> SyncError? in
                do throws(SyncError) {
                    try await store.live(with: client) { reports.add($0) }
                    return nil
                } catch {
                    return error
                }
            }
            while reports.list.count == count { try await Task.sleep(for: .milliseconds(10)) }
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
            task.cancel()
            #expect(await task.value == nil)
            try outcome.get()
        }

        func until(_ condition: () throws -> Bool) async throws {
            while try !condition() { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    private final class Mutexed: Sendable {
        private let reports = Mutex<[SyncReport]>([])
        var list: [SyncReport] { reports.withLock { $0 } }
        func add(_ report: SyncReport) { reports.withLock { $0.append(report) } }
    }

    private func with(_ body: (Bed) async throws -> Void) async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(Bed(org: org, client: client, folder: try TemporaryDirectory())))
        } catch { outcome = .failure(error) }
        client.shutdown()
        await org.stop()
        try outcome.get()
    }

    private func names(_ store: SyncStore, _ query: SOQL = "SELECT Name FROM Account ORDER BY Name") throws -> [String]
    {
        try store.query(query).compactMap { ($0["Name"] ?? $0["LastName"])?.string }
    }

    @Test("creations, changes and deletions of the org arrive without a sync, and records enter and leave the subset")
    func changes() async throws {
        try await with { bed in
            let store = try await bed.open()
            let first = try await bed.create("Account", ["Name": "live 1"])
            try await store.pull(Self.subset, with: bed.client)
            try await bed.live(store) {
                let second = try await bed.create("Account", ["Name": "live 2"])
                _ = try await bed.create("Account", ["Name": "other"])
                _ = try await bed.create("Contact", ["LastName": "c", "AccountId": JSONValue(second)])
                try await bed.until { try names(store) == ["live 1", "live 2"] }
                let contacts: SOQL = "SELECT LastName FROM Contact"
                try await bed.until { try names(store, contacts) == ["c"] }
                // The contact leaves with its account, although it has not changed.
                _ = try await bed.client.send(.update("Account", id: second, ["Name": "gone"]))
                try await bed.until { try names(store) == ["live 1"] && names(store, contacts).isEmpty }
                // An edit here and a change there merge.
                try store.edit { try $0.update("Account", id: first, ["Phone": "5"]) }
                _ = try await bed.client.send(.update("Account", id: first, ["Name": "live 3"]))
                try await bed.until { try names(store) == ["live 3"] }
                let merged = try store.query("SELECT Phone FROM Account").first
                let pending = try store.pendingCount
                #expect(merged?["Phone"] == "5" && pending == 1)
                try await store.sync(with: bed.client)
                _ = try await bed.client.send(.delete("Account", id: first))
                try await bed.until { try names(store).isEmpty }
                let error = await #expect(throws: SyncError.self) { try await store.live(with: bed.client) }
                #expect(error?.code == .busy)
            }
            store.close()
        }
    }

    @Test("parents of parents enter, change and leave with the records that refer to them")
    func parents() async throws {
        try await with { bed in
            let store = try await bed.open()
            let top = try await bed.create("Account", ["Name": "top"])
            let middle = try await bed.create("Account", ["Name": "middle", "ParentId": JSONValue(top)])
            let contact = try await bed.create("Contact", ["LastName": "live"])
            let query: SOQL = "SELECT LastName, Account.Parent.Name FROM Contact WHERE LastName = 'live'"
            try await store.pull(query, with: bed.client)
            try await bed.live(store) {
                #expect(try names(store).isEmpty)
                _ = try await bed.client.send(.update("Contact", id: contact, ["AccountId": JSONValue(middle)]))
                try await bed.until { try names(store) == ["middle", "top"] }
                _ = try await bed.client.send(.update("Account", id: top, ["Name": "top 2"]))
                try await bed.until { try names(store) == ["middle", "top 2"] }
                _ = try await bed.client.send(.update("Account", id: middle, ["ParentId": .null]))
                try await bed.until { try names(store) == ["middle"] }
            }
            store.close()
        }
    }

    @Test("a restart continues at the stored position, and expired positions, gaps and overflows read what was missed")
    func missed() async throws {
        try await with { bed in
            var store = try await bed.open()
            try await store.pull(Self.subset, with: bed.client)
            try await bed.live(store) {
                _ = try await bed.create("Account", ["Name": "live 1"])
                try await bed.until { try names(store) == ["live 1"] }
            }
            store.close()
            _ = try await bed.create("Account", ["Name": "live 2"])
            store = try await bed.open()
            try await bed.live(store) { try await bed.until { try names(store) == ["live 1", "live 2"] } }
            bed.org.events.expire()
            _ = try await bed.create("Account", ["Name": "live 3"])
            try await bed.live(store) {
                try await bed.until { try names(store).count == 3 }
                let ids = try store.query("SELECT Id FROM Account").compactMap { $0["Id"]?.string }
                let count = bed.reports.list.count
                bed.org.events.report(.update, of: "Account", ids: ids)
                try await bed.until { bed.reports.list.count > count }
                // One request for the records, and none for the deletions.
                #expect(bed.reports.list.last?.requests ?? .max < 5)
                bed.org.events.report(.overflow, of: "Account")
                try await bed.until { bed.reports.list.count > count + 1 }
            }
            store.close()
        }
    }

    @Test("more changes than a sync reads faster are one sync, and an object without change events is an error")
    func limits() async throws {
        let changes = LiveChanges()
        func event(_ number: Int) -> ReceivedEvent {
            ReceivedEvent(
                channel: "/data/AccountChangeEvent", replayID: ReplayID(String(number)) ?? ReplayID("0")!,
                data: [
                    "payload": [
                        "ChangeEventHeader": [
                            "changeType": "UPDATE", "entityName": "Account", "recordIds": [JSONValue("id\(number)")],
                        ]
                    ]
                ])
        }
        for number in 0..<2_000 { changes.add(event(number)) }
        #expect(changes.take().ids["Account"]?.count == 2_000)
        for number in 0..<2_001 { changes.add(event(number)) }
        let batch = changes.take()
        #expect(batch.needsSync && batch.ids.isEmpty && batch.positions.values.map(\.description) == ["2000"])
        #expect(changes.take().isEmpty)
        try await with { bed in
            let store = try await bed.open()
            try await store.pull(Self.subset, with: bed.client)
            let error = await #expect(throws: SyncError.self) {
                try await store.live(with: bed.client, objects: ["Nothing"])
            }
            #expect(error?.code == .subscription && error?.underlying is EventError)
            store.close()
        }
    }
}

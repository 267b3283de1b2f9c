// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestEvents
import RestModels
import RestSDK
import RestSync
import RestSyncLive
import Testing

/// A list of accounts with phones, which works without a network.
final class PhoneList {
    private static let subset: SOQL = "SELECT Name, Phone, Parent.Parent.Name FROM Account WHERE Phone LIKE '555%'"

    let store: SyncStore
    private let client: RestClient

    init(_ path: String, client: RestClient) async throws {
        store = try await SyncStore.open(path, for: [Self.subset], of: client)
        self.client = client
        try await store.pull(Self.subset, with: client)
    }

    /// The phones by the names of their accounts.
    func phones() throws -> [String: String] {
        let accounts = try store.query(Account.self, where: \.phone != nil)
        return Dictionary(accounts.map { ($0.name ?? "", $0.phone ?? "") }) { first, _ in first }
    }

    func setPhone(_ phone: String, of name: String) throws {
        let accounts = try store.query("SELECT Id FROM Account WHERE Name = \(name)")
        try store.edit { edit in
            for account in accounts { try edit.update("Account", id: account.id ?? "", ["Phone": JSONValue(phone)]) }
        }
    }

    func sync() async throws -> SyncReport { try await store.sync(with: client) { print($0.pulled) } }

    /// Waits until the list has some records.
    func wait(for count: Int) async throws {
        for await accounts in try store.observe("SELECT Id FROM Account WHERE Phone != null")
        where accounts.count == count { return }
    }

    /// Keeps the list live until the task is cancelled.
    func follow() -> Task<Void, any Error> {
        let (store, client) = (store, client)
        return Task { try await store.live(with: client) }
    }
}

@Suite("Apps that work offline or listen to events", .timeLimit(.minutes(2)))
struct WorkingOfflineTests {
    @Test("a copy is queried, edited, synced, observed and kept live, and a conflict is decided")
    func copy() async throws {
        try await Stage.run { stage in
            let (client, path) = (stage.client, stage.folder() + "/phones.sqlite")
            let created = try await client.send(.create("Account", ["Name": "Harbour", "Phone": "555-1"]))
            let id = created.payload["id"]?.string ?? ""
            let list = try await PhoneList(path, client: client)
            #expect(try list.phones()["Harbour"] == "555-1")

            try list.setPhone("555-2", of: "Harbour")
            #expect(try list.phones()["Harbour"] == "555-2" && list.store.pendingCount == 1)
            _ = try await client.send(.update("Account", id: id, ["Phone": "555-3"]))
            #expect(try await list.sync().conflicts == 1)
            for conflict in try list.store.conflicts {
                #expect(conflict.recordID == id && conflict.fields.first?.server == "555-3")
                try list.store.resolve(conflict, with: .local)
            }
            #expect(try await list.sync().updated == 1)
            let response = try await client.send(.retrieve("Account", id: id, fields: ["Phone"]))
            #expect(response.payload["Phone"] == "555-2")

            let count = try list.phones().count
            let live = list.follow()
            _ = try await client.send(.create("Account", ["Name": "Quay", "Phone": "555-4"]))
            try await list.wait(for: count + 1)
            live.cancel()
            await #expect(throws: Never.self) { try await live.value }
            try list.store.delete()
        }
    }

    @Test("an event is published, and arrives")
    func events() async throws {
        var configuration = LocalOrgConfiguration()
        let event = #"{"name": "Order_Placed__e", "fields": [{"name": "Total__c", "type": "double"}]}"#
        configuration.schema = try OrgSchema(describe: Array(event.utf8))
        let org = try await LocalOrg.start(configuration)
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let listener = Task { () async throws -> JSONValue? in
            for try await event in client.events("/event/Order_Placed__e", from: .earliest) {
                return event["Total__c"]
            }
            return nil
        }
        let outcomes = try await client.publish([["Total__c": 12.5]], to: "/event/Order_Placed__e")
        #expect(outcomes.count(where: \.isApplied) == 1)
        #expect(try await listener.value == 12.5)
        client.shutdown()
        await org.stop()
    }
}

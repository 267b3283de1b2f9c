// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import OrgModels
import RestModels
import RestSDK
import Testing

@Suite("Models against the embedded org")
struct ModelEndToEndTests {
    /// The bodies of the writes that the org received, in their order.
    private func writes(_ org: LocalOrg) throws -> [JSONValue] {
        try org.journal.entries.filter { $0.target.contains("/sobjects/") && $0.method != "GET" && !$0.body.isEmpty }
            .map { try JSONValue(parsing: $0.body) }
    }

    @Test("a query gives typed rows with parents and children")
    func query() async throws {
        try await withClient { client, _ in
            let expected = try await client.records(
                "SELECT Name, Owner.Name FROM Account WHERE Industry = 'Banking' ORDER BY Name"
            ).collect(limit: 1_000)
            #expect(!expected.isEmpty)
            let accounts = try await client.query(Account.self, where: \.industry == .banking, order: \.name)
                .collect(limit: 1_000)
            #expect(accounts.map(\.name) == expected.map { $0["Name"]?.string })
            #expect(accounts.allSatisfy { $0.industry == .banking && $0.id != nil && !$0.has(\.owner) })
            let some = try await client.query(
                Account.self, select: \.name, \.owner.name, { $0.contacts.fields(\.lastName, order: \.lastName) },
                where: .in(\.industry, [.banking]), order: \.name
            ).collect(limit: 1_000)
            #expect(some.map { $0.owner?.name } == expected.map { $0["Owner"]?["Name"]?.string })
            #expect(some.allSatisfy { $0.id != nil && ($0.owner == nil) == ($0.owner?.id == nil) })
            #expect(some.contains { !($0.contacts ?? []).isEmpty })
            #expect(some.allSatisfy { $0.contacts != nil && !$0.has(\.industry) })
            let whole = try await client.query(Contact.self, select: \.self, \.account, \.owner, limit: 3).collect(
                limit: 3)
            #expect(whole.count == 3 && whole.allSatisfy { $0.account?.createdDate != nil && $0.lastName != nil })
        }
    }

    @Test("create, update of what changed and nothing else, and delete")
    func writes() async throws {
        try await withClient { client, org in
            let made = try await client.create(
                Account(name: "O'Hara") {
                    $0.industry = .banking
                    $0.annualRevenue = 1_000.5
                })
            let id = try #require(made.id)
            #expect(made.changes.isEmpty)
            var account = try await client.retrieve(id)
            #expect(account.name == "O'Hara" && account.industry == .banking && account.annualRevenue == 1_000.5)
            account.industry = .unlisted("Space")
            account.annualRevenue = nil
            account.name = "O'Hara"
            account = try await client.update(account)
            #expect(account.changes.isEmpty && account.industry == .unlisted("Space"))
            let calls = org.journal.entries.count
            account = try await client.update(account)
            #expect(org.journal.entries.count == calls, "without a change nothing is sent")
            #expect(
                try writes(org) == [
                    ["Name": "O'Hara", "Industry": "Banking", "AnnualRevenue": 1_000.5],
                    ["Industry": "Space", "AnnualRevenue": nil],
                ])
            let read = try await client.retrieve(id, select: \.industry, \.annualRevenue)
            #expect(read.industry == .unlisted("Space") && read.annualRevenue == nil && read.has(\.annualRevenue))
            try await client.update(id) { $0.site = "x" }
            #expect(try await client.retrieve(id, select: \.site).site == "x")
            #expect(try writes(org).last == ["Site": "x"])
            try await client.delete(id)
            await #expect { try await client.retrieve(id) } throws: { ($0 as? RestError)?.code == .notFound }
        }
    }

    @Test("upsert by an external id creates, then changes the same record")
    func upsert() async throws {
        try await withClient { client, org in
            let account = Account(name: "Acme") { $0.externalID = "E'1/2" }
            let (first, isCreated) = try await client.upsert(account, by: \.externalID)
            #expect(isCreated && first.id != nil)
            var again = first
            again.phone = "1"
            let second = try await client.upsert(again, by: \.externalID)
            #expect(!second.isCreated && second.record.id == first.id)
            #expect(try writes(org) == [["Name": "Acme"], ["Name": "Acme", "Phone": "1"]])
            let found = try await client.query(Account.self, where: \.externalID == "E'1/2").collect(limit: 2)
            #expect(found.map(\.phone) == ["1"])
            await #expect { try await client.upsert(Account(name: "x"), by: \.externalID) } throws: {
                ($0 as? RestError)?.code == .invalidRequest
            }
        }
    }

    @Test("writes are requests as well, for every calling style and for calls about many")
    @MainActor
    func fronts() async throws {
        try await withClient { client, _ in
            for front in Front.allCases where front.reads(.json) {
                let outcomes = await front.outcomes(of: .create(Account(name: "Front")), through: client)
                #expect(outcomes.count == 1)
                #expect(try outcomes.first?.get()["id"]?.string != nil)
            }
            let made = try await client.create([RecordDraft(Account(name: "Many")), RecordDraft(Account(name: "More"))])
            let ids = try made.get().compactMap { RecordID<Account>($0) }
            #expect(ids.count == 2)
            var accounts = try await client.query(Account.self, where: .in(\.id, ids), order: \.name).collect(limit: 2)
            for index in accounts.indices { accounts[index].site = "s\(index)" }
            _ = try await client.update(accounts.map { RecordDraft($0) }).get()
            let sites = try await client.query(Account.self, select: \.site, where: .in(\.id, ids), order: \.name)
                .collect(limit: 2).map(\.site)
            #expect(sites == ["s0", "s1"])
        }
    }

    @Test("a record whose id was not read is not sent, and one whose type is another ends the query with its place")
    func refusals() async throws {
        try await withClient { client, org in
            await #expect { try await client.update(Account(name: "x")) } throws: {
                ($0 as? RestError)?.code == .invalidRequest
            }
            let sent = try writes(org)
            #expect(sent.isEmpty)
            let wrong = client.query(Renamed.self, limit: 1)
            await #expect { try await wrong.collect(limit: 1) } throws: {
                ($0 as? RestError)?.code == .decoding
                    && "\($0)".contains("records[0] is no Account of this model: Name: found")
            }
        }
    }
}

/// A model of another time, when the name of an account was a number.
private struct Renamed: RecordModel {
    static let shape = ModelShape("Account", "Id id read\nName double")
    var record: ModelRecord

    struct Fields: ModelFields {
        typealias Model = Renamed
        let _path: ModelPath
        init(_path: ModelPath) { self._path = _path }
    }
}

// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import OrgModels
import RestModels
import RestSDK
import SampleQueries
import Testing

@Suite("Queries of .soql files")
struct CheckedQueryTests {
    /// Makes a record.
    private func id(of object: String, _ fields: JSONObject, _ client: RestClient) async throws -> String {
        try await client.create([RecordDraft(object, fields)]).get()[0]
    }

    @Test("rows, parents and lists of children have types, and values are bound")
    func rows() async throws {
        try await withClient { client, _ in
            let ids = try await client.create([
                RecordDraft("Account", ["Name": "D'Arcy", "Industry": "Banking", "AnnualRevenue": 12.5]),
                RecordDraft("Account", ["Name": "Bolt", "Industry": "Banking"]),
            ]).get()
            _ = try await id(of: "Contact", ["LastName": "Roe", "AccountId": JSONValue(ids[0])], client)
            let rows = try await client.bankAccounts(industry: .banking, most: 1_000).collect(limit: 1_000)
            let darcy = try #require(rows.first { $0.id.text == ids[0] })
            #expect(darcy.name == "D'Arcy" && darcy.annualRevenue == Decimal(string: "12.5"))
            #expect(darcy.contacts.map(\.lastName) == ["Roe"] && darcy.owner?.name.isEmpty == false)
            let bolt = try #require(rows.first { $0.id.text == ids[1] })
            #expect(bolt.annualRevenue == nil && bolt.contacts.isEmpty)
            let revenues = rows.compactMap(\.annualRevenue)
            #expect(revenues == revenues.sorted(by: >))
            #expect(
                try await client.bankAccounts(industry: .unlisted("No' OR Name != '"), most: 9).collect(limit: 9) == [])
            #expect(try await client.bankAccounts(industry: .banking, most: 1).collect(limit: 1).count == 1)
        }
    }

    @Test("the query itself is a value, with the text of its file")
    func text() {
        #expect(
            SOQL.bankAccounts(industry: nil, most: 3).text == """
                SELECT Id, Name, AnnualRevenue, Owner.Name, (SELECT LastName FROM Contacts ORDER BY LastName)
                FROM Account
                WHERE Industry = null
                ORDER BY AnnualRevenue DESC NULLS LAST
                LIMIT 3
                """)
        let stages = SOQL.stages(pattern: "a'%", years: 2, day: SOQLDate(year: 2026, month: 1, day: 31)).text
        #expect(stages.contains(#"WHERE Name != 'it\'s "\\"' AND Name LIKE 'a\'%' AND (CloseDate = LAST_N_YEARS:2 OR"#))
        #expect(stages.contains("CloseDate >= 2026-01-31)"))
    }

    @Test("a count is a number, and an empty list is refused before sending")
    func count() async throws {
        try await withClient { client, _ in
            let old = Date(timeIntervalSince1970: 0)
            let before = try await client.accountCount(in: [.banking, .energy], since: old)
            _ = try await id(of: "Account", ["Name": "Acme", "Industry": "Energy"], client)
            #expect(try await client.accountCount(in: [.banking, .energy], since: old) == before + 1)
            #expect(try await client.accountCount(in: [.energy], since: Date.now.addingTimeInterval(3_600)) == 0)
            let error = await #expect(throws: RestError.self) { try await client.accountCount(in: [], since: old) }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test("groups have the types of their functions and fields")
    func groups() async throws {
        try await withClient { client, _ in
            let account = try await id(of: "Account", ["Name": "Acme", "Industry": "Energy"], client)
            for (amount, day) in [(10.25, "2026-01-31"), (4.5, "2026-03-01")] {
                _ = try await id(
                    of: "Opportunity",
                    [
                        "Name": "Grouped", "StageName": "Closed Won", "CloseDate": JSONValue(day),
                        "Amount": JSONValue(amount) ?? .null, "AccountId": JSONValue(account),
                    ], client)
            }
            let day = SOQLDate(year: 2026, month: 1, day: 1)
            let rows = try await client.stages(pattern: "Group%", years: 1, day: day).collect(limit: 10)
            #expect(rows.count == 1 && rows.first?.stageName == .closedWon && rows.first?.number == 2)
            #expect(rows.first?.expr0 == Decimal(string: "14.75") && rows.first?.industry == .energy)
            #expect(rows.first?.latest == SOQLDate(year: 2026, month: 3, day: 1))
        }
    }

    @Test("TYPEOF is an enum of the objects")
    func variants() async throws {
        try await withClient { client, _ in
            let account = try await id(of: "Account", ["Name": "Acme", "Industry": "Energy"], client)
            let deal = try await self.id(
                of: "Opportunity", ["Name": "Deal", "StageName": "Closed Won", "CloseDate": "2026-01-31", "Amount": 5],
                client)
            for id in [account, deal] {
                _ = try await self.id(
                    of: "Task", ["Subject": "Call", "WhatId": JSONValue(id), "Status": "Completed"], client)
            }
            let about = try [account, deal].map { try #require(RecordID<AnyRecord>($0)) }
            let first = try #require(try await client.everyField(id: RecordID(about[0])).collect(limit: 1).first)
            let owner = try #require(first.ownerID)
            let rows = try await client.activities(about: about, owner: owner).collect(limit: 10)
            #expect(rows.map(\.subject) == ["Call", "Call"] && rows.map(\.status) == ["Completed", "Completed"])
            guard case .account(let acme) = rows.first?.what, case .opportunity(let sold) = rows.last?.what else {
                Issue.record("\(rows)")
                return
            }
            #expect(acme.name == "Acme" && acme.industry == .energy && sold.amount == 5)
            #expect(rows.first?.who == nil)
            // The types are those of the models.
            let model = try #require(
                try await client.query(Account.self, where: \.id == first.id).collect(limit: 1).first)
            #expect(model.industry == acme.industry && model.id == first.id)
        }
    }
}

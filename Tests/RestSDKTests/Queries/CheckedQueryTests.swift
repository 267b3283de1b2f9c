// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import OrgModels
import RestModels
import RestSDK
import RestTesting
import SampleQueries
import Testing

@Suite("Checked queries of .soql files")
struct CheckedQueryTests {
    private func id(of object: String, _ fields: JSONObject, _ client: RestClient) async throws -> String {
        try await client.send(.create([Record.Draft(object, fields)])).get()[0]
    }

    @Test("rows, parents and child lists are typed, and values are bound")
    func rows() async throws {
        try await withClient { client, _ in
            let ids = try await client.send(
                .create([
                    Record.Draft("Account", ["Name": "D'Arcy", "Industry": "Banking", "AnnualRevenue": 12.5]),
                    Record.Draft("Account", ["Name": "Bolt", "Industry": "Banking"]),
                ])
            ).get()
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

    @Test("the query is a value with the text of its file")
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

    @Test("a count is a number, and an empty list is rejected before anything is sent")
    func count() async throws {
        try await withClient { client, _ in
            let old = Date(timeIntervalSince1970: 0)
            let before = try await client.accountCount(in: [.banking, .energy], since: old)
            _ = try await id(of: "Account", ["Name": "Acme", "Industry": "Energy"], client)
            #expect(try await client.accountCount(in: [.banking, .energy], since: old) == before + 1)
            #expect(try await client.accountCount(in: [.energy], since: Date.now.addingTimeInterval(3_600)) == 0)
            await expectFailure(.invalidRequest) { try await client.accountCount(in: [], since: old) }
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

    @Test("TYPEOF becomes an enum of the objects")
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
                throw Unexpected("\(rows)")
            }
            #expect(acme.name == "Acme" && acme.industry == .energy && sold.amount == 5)
            #expect(rows.first?.who == nil)
            // The values have the same types as in the models.
            let model = try #require(
                try await client.query(Account.self, where: \.id == first.id).collect(limit: 1).first)
            #expect(model.industry == acme.industry && model.id == first.id)
        }
    }
}

@Suite("Rows of checked queries")
struct RowReaderTests {
    private struct Row: SOQL.Row, Equatable {
        let name: String
        let size: Int?
        let parent: Parent?
        let children: [Child]

        init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) {
            name = try row["Name"]
            size = try row["Size"]
            parent = try row["Parent"]
            children = try row["Children"]
        }
    }

    private struct Parent: SOQL.Row, Equatable {
        let day: SOQLDate

        init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) { day = try row["Day"] }
    }

    private struct Child: SOQL.Row, Equatable {
        let object: String
        let isActive: Bool

        init(row: SOQL.RowReader) throws(SOQL.RowReader.Fault) { (object, isActive) = (row.object, try row["Active"]) }
    }

    private func row(_ json: String) throws -> Row {
        let value = try JSONValue(parsing: Array(json.utf8))
        return try Row(row: SOQL.RowReader(try #require(value.object)))
    }

    @Test("values, a parent and children are read, and null is distinct from a value")
    func values() throws {
        let whole = try row(
            """
            {"Name": "x", "Size": 3, "Parent": {"Day": "2026-01-31"}, "Children": {"totalSize": 1, "done": true,
             "records": [{"attributes": {"type": "Contact"}, "Active": true}]}}
            """)
        #expect(whole.name == "x" && whole.size == 3 && whole.parent?.day == SOQLDate(year: 2026, month: 1, day: 31))
        #expect(whole.children.map(\.object) == ["Contact"] && whole.children.allSatisfy(\.isActive))
        let bare = try row(#"{"Name": "x", "Size": null, "Parent": null, "Children": null}"#)
        #expect(bare.size == nil && bare.parent == nil && bare.children.isEmpty)
    }

    @Test(
        "an error has the path of the value",
        arguments: [
            ("{}", ".Name", "is missing"), (#"{"Name": null}"#, ".Name", "is null"),
            (#"{"Name": 5}"#, ".Name", "is not of type String"),
            (#"{"Name": "x", "Size": "3"}"#, ".Size", "is not of type Int"),
            (#"{"Name": "x", "Parent": 1}"#, ".Parent", "is not a record"),
            (#"{"Name": "x", "Parent": {"Day": "2026-02-30"}}"#, ".Parent.Day", "is not of type SOQLDate"),
            (#"{"Name": "x", "Children": []}"#, ".Children", "is not a list of records"),
            (
                #"{"Name": "x", "Children": {"records": [{"Active": true}, {"Active": null}]}}"#, ".Children[1].Active",
                "is null"
            ),
        ])
    func faults(json: String, path: String, reason: String) throws {
        let fault = #expect(throws: SOQL.RowReader.Fault.self) { try row(json) }
        #expect(fault?.path == path && fault?.reason == reason)
    }
}

@Suite("Queries that are too long for a URL")
struct LongQueryTests {
    private let transport = StubTransport()
    private let query = SOQL(raw: "SELECT Id FROM Account WHERE Name = '\(String(repeating: "x", count: 17_000))'")
    private let page = #"{"totalSize":1,"done":true,"records":[{"Id":"1"}]}"#

    private func client() throws -> RestClient { try .of(transport, clock: ManualClock()) }

    private func enqueue(part: String, status: Int = 200) {
        transport.enqueue(
            #"{"compositeResponse":[{"body":\#(part),"httpHeaders":{},"httpStatusCode":\#(status),"referenceId":"query"}]}"#
        )
    }

    @Test("a long query is the only part of a composite request, and the caller gets the query's own response")
    func composite() async throws {
        enqueue(part: page)
        let response = try await client().send(.query(query, batchSize: 200))
        #expect(response.payload["records"]?[0]?["Id"]?.string == "1")
        let sent = try #require(transport.requests.first)
        #expect(sent.method == .post)
        #expect(sent.url.target == "/services/data/v66.0/composite")
        #expect(sent.fields["Authorization"] == "Bearer token")
        guard case .bytes(let bytes) = sent.body else { return }
        let part = try #require(try JSONValue(parsing: bytes)["compositeRequest"]?[0])
        #expect(part["method"]?.string == "GET")
        #expect(part["url"]?.string?.hasPrefix("/services/data/v66.0/query?q=SELECT%20Id%20FROM%20Account") == true)
        #expect(part["url"]?.string?.utf8.count ?? 0 > 17_000)
        #expect(part["httpHeaders"]?["Sforce-Query-Options"]?.string == "batchSize=200")
        #expect(sent.fields["Sforce-Query-Options"] == nil)
    }

    @Test("a long query works in sequences, whose later pages have short URLs")
    func sequence() async throws {
        enqueue(
            part:
                #"{"totalSize":2,"done":false,"nextRecordsUrl":"/services/data/v66.0/query/0r8-1","records":[{"Id":"1"}]}"#
        )
        transport.enqueue(page)
        var count = 0
        for try await _ in try client().records(query) { count += 1 }
        #expect(count == 2)
        #expect(transport.requests.map(\.method) == [.post, .get])
    }

    @Test("a long query is rejected for a download before anything is sent", arguments: [true, false])
    func download(fitsAlone: Bool) async throws {
        let size = fitsAlone ? 16_384 - "/services/data/v66.0/query?q=SELECT%20".utf8.count : 17_000
        let long = SOQL(raw: "SELECT \(String(repeating: "x", count: size))")
        let error = await expectFailure(.invalidRequest) {
            try await client().download(.query(long), to: "/nowhere/to/be/found")
        }
        #expect(error?.message.hasPrefix("soql: ") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("a query that fits in a URL, but not together with the headers, is sent in a body")
    func headers() async throws {
        enqueue(part: page)
        let padding = String(repeating: "x", count: 16_384 - "/services/data/v66.0/query?q=SELECT%20".utf8.count)
        _ = try await client().send(.query(SOQL(raw: "SELECT \(padding)")))
        #expect(transport.requests.first?.method == .post)
    }

    @Test("an error of the part is the error of the query, and is retried like that of a read")
    func failures() async throws {
        enqueue(part: #"[{"errorCode":"MALFORMED_QUERY","message":"m"}]"#, status: 400)
        enqueue(part: #"[{"errorCode":"SERVER_UNAVAILABLE","message":"m"}]"#, status: 503)
        enqueue(part: page)
        let client = try client()
        let error = await expectFailure(.api) { try await client.send(.query(query)) }
        #expect(error?.faults.first?.errorCode == .malformedQuery)
        #expect(error?.outcome == nil)
        #expect(try await client.send(.query(query)).payload["totalSize"]?.int == 1)
        #expect(transport.requests.count == 3)
    }

    @Test("an org without composite requests and a malformed response are clear errors")
    func refused() async throws {
        transport.enqueue(status: 404, #"[{"errorCode":"NOT_FOUND","message":"no"}]"#)
        transport.enqueue("{}")
        let client = try client()
        let missing = await expectFailure(.tooLarge) { try await client.send(.query(query)) }
        #expect(missing?.message.contains("split the query") == true)
        await expectFailure(.decoding) { try await client.send(.query(query)) }
    }
}

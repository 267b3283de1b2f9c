// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestSQLite
import RestTesting
import RestTransport
import SOQLStore
import Testing

@Suite("Query resources")
struct QueryResourceTests {
    @Test("the org's own example query returns parents and children in order")
    func example() async throws {
        let client = try await OrgClient.start()
        let response = try client.query(
            """
            SELECT Id, Name, Owner.Name, (SELECT LastName FROM Contacts) FROM Account WHERE Industry = 'Banking'
            ORDER BY Name LIMIT 5
            """)
        #expect(response.status == 200)
        #expect(response.field("Sforce-Limit-Info") == "api-usage=1/15000")
        let page = response.json
        #expect(page["totalSize"]?.int == 5)
        #expect(page["done"]?.bool == true)
        #expect(page["nextRecordsUrl"] == nil)
        let records = page["records"]?.array ?? []
        try #require(records.count == 5)
        let names = records.compactMap { $0["Name"]?.string }
        #expect(names == names.sorted())
        for record in records {
            let id = try #require(record["Id"]?.string)
            #expect(record["attributes"]?["url"]?.string == "\(OrgClient.data)/sobjects/Account/\(id)")
            #expect(record["Owner"]?["attributes"]?["type"]?.string == "User")
            #expect(record["Owner"]?["Name"]?.string?.contains(" ") == true)
            let contacts = try #require(record["Contacts"])
            #expect(contacts["totalSize"]?.int == contacts["records"]?.array?.count)
            #expect(contacts["records"]?[0]?["LastName"]?.string?.isEmpty == false)
        }
    }

    @Test("both forms of the path and of a space are accepted, and a response to HEAD has no body")
    func spellings() async throws {
        let client = try await SharedOrg.client
        for path in [
            "/query?q=SELECT+Id+FROM+Profile", "/query/?q=SELECT%20Id%20FROM%20Profile",
            "/queryAll/?q=SELECT+Id%20FROM+Profile",
        ] {
            #expect(try client.get(path).json["totalSize"]?.int == 3)
        }
        let head = try client.send("HEAD", "\(OrgClient.data)/query?q=SELECT+Id+FROM+Profile")
        #expect(head.status == 200)
    }

    @Test(
        "a long result has pages of the requested size, with each record once and in order",
        arguments: [
            (nil, 2_000, 3), (250, 250, 21), (1, 200, 26), (9_999, 2_000, 3),
        ])
    func pages(wish: Int?, size: Int, count: Int) async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(records: 5_000))
        let fields = wish.map { ["Sforce-Query-Options: batchSize=\($0)"] } ?? []
        var page = try client.query("SELECT Id, Name FROM Account ORDER BY Id", batchSize: wish).json
        var (ids, pages): ([String], Int) = ([], 1)
        while true {
            #expect(page["totalSize"]?.int == 5_060)
            let records = page["records"]?.array ?? []
            ids += records.compactMap { $0["Id"]?.string }
            guard let next = page["nextRecordsUrl"]?.string else { break }
            #expect(page["done"]?.bool == false)
            #expect(records.count == size)
            #expect(next.contains("/query/0r8") && next.hasSuffix("-\(ids.count)"))
            page = try client.send("GET", next, fields: fields).json
            pages += 1
        }
        #expect(page["done"]?.bool == true)
        #expect(pages == count)
        #expect(ids.count == 5_060)
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
    }

    @Test("a result that fills its page exactly is done, and with one more record there is a cursor")
    func boundary() async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(records: 341))
        let exact = try client.query("SELECT Id FROM Account LIMIT 400", batchSize: 400).json
        #expect(exact["done"]?.bool == true)
        #expect(exact["totalSize"]?.int == 400)
        let more = try client.query("SELECT Id FROM Account LIMIT 401", batchSize: 400).json
        #expect(more["done"]?.bool == false)
        #expect(more["totalSize"]?.int == 401)
    }

    @Test("records that are changed, created and deleted between pages neither duplicate nor drop a row")
    func stability() async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(records: 500))
        let first = try client.query("SELECT Id, Name FROM Account ORDER BY Name", batchSize: 200).json
        var ids = (first["records"]?.array ?? []).compactMap { $0["Id"]?.string }
        let moved = ids[0]
        try client.send("PATCH", "\(OrgClient.data)/sobjects/Account/\(moved)", body: #"{"Name":"ZZZ"}"#)
        _ = try client.create("Account", #"{"Name":"AAA"}"#)
        var next = first["nextRecordsUrl"]?.string
        while let path = next {
            let page = try client.send("GET", path, fields: ["Sforce-Query-Options: batchSize=200"]).json
            ids += (page["records"]?.array ?? []).compactMap { $0["Id"]?.string }
            next = page["nextRecordsUrl"]?.string
        }
        #expect(ids.count == 560 && Set(ids).count == 560)
    }

    @Test("forged, expired and malformed locators are rejected")
    func locators() async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(records: 2_500))
        let next = try #require(try client.query("SELECT Id FROM Account").json["nextRecordsUrl"]?.string)
        let locator = try #require(next.split(separator: "/").last)
        for bad in [
            "0r8AAAAAAAAAAAAAAA-2000", "x", "-", "-2000", "\(locator)0", "\(locator.dropLast(4))0",
            "\(locator.dropLast(4))-1",
            "\(locator.dropLast(4))99999999999999999999", "%2e%2e", "..", "\(locator)-1", "%27%20OR%201=1",
        ] {
            let response = try client.get("/query/\(bad)")
            #expect(response.status == 400)
            #expect(response.errorCode == "INVALID_QUERY_LOCATOR")
        }
        #expect(try client.send("GET", next).json["records"]?.array?.count == 560)
        client.org.faults.forgetCursors()
        #expect(try client.send("GET", next).errorCode == "INVALID_QUERY_LOCATOR")
    }

    @Test("queries can count, group and include deleted rows")
    func countsAndDeleted() async throws {
        let client = try await OrgClient.start()
        let count = try client.query("SELECT COUNT() FROM Account WHERE Industry = 'Banking'").text
        #expect(count == #"{"totalSize":10,"done":true,"records":[]}"#)
        let groups = try client.query("SELECT Industry, COUNT(Id) n FROM Account GROUP BY Industry ORDER BY Industry")
            .json
        let banking = groups["records"]?.array?.first { $0["Industry"]?.string == "Banking" }
        #expect(banking?["n"]?.int == 10)
        #expect(banking?["attributes"]?["type"]?.string == "AggregateResult")
        let id = try client.create("Account", #"{"Name":"Gone"}"#)
        try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(id)")
        #expect(try client.query("SELECT Id FROM Account WHERE Name = 'Gone'").json["totalSize"]?.int == 0)
        let all = try client.query("SELECT Id, IsDeleted FROM Account WHERE Name = 'Gone'", resource: "queryAll").json
        #expect(all["records"]?[0]?["IsDeleted"]?.bool == true)
    }

    @Test("more groups than Salesforce allows are rejected")
    func manyGroups() async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(records: 2_100))
        let response = try client.query("SELECT Name, COUNT(Id) FROM Account GROUP BY Name")
        #expect(response.status == 400)
        #expect(response.errorCode == "EXCEEDED_ID_LIMIT")
    }

    @Test("a query with very many terms is answered or rejected as too complicated")
    func manyTerms() async throws {
        let client = try await SharedOrg.client
        let terms = (0..<500).map { "Site='\($0)'" }.joined(separator: " OR ")
        let nested = String(repeating: "(", count: 800) + "Site='x'" + String(repeating: ")", count: 800)
        for condition in [terms, nested, "Name LIKE '\(String(repeating: "%a", count: 500))'"] {
            let soql = "SELECT Id FROM Account WHERE \(condition)".replacing(" ", with: "+").replacing("%", with: "%25")
            let target = "\(OrgClient.data)/query?q=\(soql)"
            let response = try client.send("GET", target)
            let isRefused =
                response.status == 400 && ["QUERY_TOO_COMPLICATED", "MALFORMED_QUERY"].contains(response.errorCode)
            #expect(response.status == 200 || isRefused)
            // On this thread, whose processor time does not depend on other processes.
            let start = ProcessorTime.ofThread
            let direct = client.org.respond("GET", target, fields: ["Authorization": "Bearer \(client.token)"])
            #expect(direct.head.status == response.status)
            #expect(ProcessorTime.ofThread - start < .seconds(2))
        }
    }

    @Test("a query that runs too long is stopped, and the org continues")
    func timeLimit() async throws {
        var configuration = LocalOrgConfiguration(records: 20_000)
        configuration.queryTimeLimit = .zero
        let client = try await OrgClient.start(configuration)
        let slow = try client.query("SELECT COUNT() FROM Account WHERE Name LIKE '%a%b%c%d%e%f%'")
        #expect(slow.status == 400)
        #expect(slow.errorCode == "QUERY_TIMEOUT")
        #expect(try client.get("/sobjects/Account/001bZ0000000001").status == 200)
    }

    @Test("ten thousand records arrive completely although the session expires between pages")
    func expiryInTheMiddle() async throws {
        var client = try await OrgClient.start(LocalOrgConfiguration(records: 9_940))
        var page = try client.query("SELECT Id FROM Account").json
        var (count, refused) = (page["records"]?.array?.count ?? 0, 0)
        while let next = page["nextRecordsUrl"]?.string {
            if count == 4_000, refused == 0 { client.org.faults.expireAccessTokens() }
            let response = try client.send("GET", next)
            guard response.status == 200 else {
                #expect(response.errorCode == "INVALID_SESSION_ID")
                refused += 1
                client.token = client.org.issueCredential().accessToken
                continue
            }
            page = response.json
            count += page["records"]?.array?.count ?? 0
        }
        #expect(count == 10_000 && refused == 1)
        #expect(client.org.journal.entries.map(\.status) == [200, 200, 401, 200, 200, 200])
    }
}

@Suite("Cursors")
struct CursorTableTests {
    private let start = ContinuousClock.now

    private func cursor(_ rows: Int = 1) throws -> QueryCursor {
        let query = try QueryCompiler(schema: Catalogue.standard).compile(
            "SELECT Id FROM Account", options: QueryOptions(now: 0, version: 66))
        var numbers = RowNumbers()
        for number in (0..<Int64(rows)).reversed() { _ = numbers.append(number) }
        return QueryCursor(query: query, rows: numbers)
    }

    @Test("only the user who made a query can use its cursor")
    func makers() throws {
        var table = CursorTable(lifetime: .seconds(100))
        #expect(table.add(try cursor(), as: "one", of: "ann", now: start))
        #expect(table.cursor("one", of: "bob", now: start) == nil)
        #expect(table.cursor("one", of: "ann", now: start) != nil)
    }

    @Test("a cursor expires a given time after its last use")
    func lifetimes() throws {
        var table = CursorTable(lifetime: .seconds(100))
        _ = table.add(try cursor(), as: "one", of: "ann", now: start)
        #expect(table.cursor("one", of: "ann", now: start + .seconds(99)) != nil)
        #expect(table.cursor("one", of: "ann", now: start + .seconds(198)) != nil)
        #expect(table.cursor("one", of: "ann", now: start + .seconds(298)) == nil)
    }

    @Test("above the limits of number and size the oldest cursors end, and a cursor that is too large is not stored")
    func limits() throws {
        var table = CursorTable(lifetime: .seconds(100), most: 3, mostBytes: 20_000)
        for number in 0..<2_000 { #expect(table.add(try cursor(), as: "a\(number)", of: "ann", now: start)) }
        #expect(table.count == 3 && table.cursor("a1996", of: "ann", now: start) == nil)
        #expect(table.cursor("a1997", of: "ann", now: start) != nil)
        #expect(!table.add(try cursor(5_000), as: "huge", of: "bob", now: start))
        #expect(table.count == 3)
        #expect(table.add(try cursor(4_000), as: "long", of: "bob", now: start))
        #expect(table.add(try cursor(4_000), as: "longer", of: "bob", now: start))
        #expect(table.count == 1 && table.size <= 20_000)
        #expect(table.cursor("longer", of: "bob", now: start) != nil)
    }

    @Test("another app cannot use a query's cursor, and the cursor expires after a day")
    func overHTTP() async throws {
        let clock = ManualClock()
        var configuration = LocalOrgConfiguration(records: 400, accessTokenLifetime: .seconds(1_000_000))
        configuration.clock = clock
        configuration.connectedApps = [ConnectedApp(clientID: "other", clientSecret: "secret")]
        let client = try await OrgClient.start(configuration)
        let next = try #require(
            try client.query("SELECT Id FROM Account", batchSize: 200).json["nextRecordsUrl"]?.string)
        let grant = [("grant_type", "client_credentials"), ("client_id", "other"), ("client_secret", "secret")]
        let other = try #require(try client.form(grant).json["access_token"]?.string)
        #expect(try client.send("GET", next, token: other).errorCode == "INVALID_QUERY_LOCATOR")
        #expect(try client.send("GET", next, token: client.org.issueCredential().accessToken).status == 200)
        clock.advance(by: .seconds(2 * 86_400 - 1))
        #expect(try client.send("GET", next).status == 200)
        clock.advance(by: .seconds(2 * 86_400))
        #expect(try client.send("GET", next).errorCode == "INVALID_QUERY_LOCATOR")
    }
}

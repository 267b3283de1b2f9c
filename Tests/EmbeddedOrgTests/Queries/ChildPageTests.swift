// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSQLite
import Testing

@Suite("Pages of children")
struct ChildPageTests {
    private static let parent = "SELECT Name, (SELECT LastName FROM Contacts ORDER BY LastName DESC) FROM Account"

    /// Starts an org in which a page of children has 200 records, with one account that has `children` contacts.
    private func start(children: Int, pageSize: Int = 200) async throws -> (OrgClient, id: String) {
        let client = try await OrgClient.start { $0.childPageSize = pageSize }
        let id = try client.create("Account", #"{"Name":"Large"}"#)
        for number in 0..<children { try contact(client, id, number) }
        return (client, id)
    }

    @discardableResult
    private func contact(_ client: OrgClient, _ account: String, _ number: Int) throws -> String {
        try client.create("Contact", #"{"LastName":"Child \#(1_000 + number)","AccountId":"\#(account)"}"#)
    }

    @Test("a list that is longer than a page has its own locator, order and total")
    func pages() async throws {
        let (client, _) = try await start(children: 7, pageSize: 3)
        let record = try client.query("\(Self.parent) WHERE Name = 'Large'").json["records"]?[0]
        var list = try #require(record?["Contacts"])
        var names: [String] = []
        var sizes: [Int] = []
        while true {
            #expect(list["totalSize"]?.int == 7)
            let page = (list["records"]?.array ?? []).compactMap { $0["LastName"]?.string }
            names += page
            sizes.append(page.count)
            guard let next = list["nextRecordsUrl"]?.string else { break }
            #expect(list["done"]?.bool == false)
            #expect(next.hasPrefix("\(OrgClient.data)/query/0r8"))
            list = try client.send("GET", next).json
        }
        #expect(list["done"]?.bool == true)
        #expect(sizes == [3, 3, 1])
        #expect(names == (0..<7).reversed().map { "Child \(1_000 + $0)" })
    }

    @Test("a list that fits into a page is complete, and a list without records is null")
    func whole() async throws {
        let (client, id) = try await start(children: 3, pageSize: 3)
        let list = try client.query("\(Self.parent) WHERE Name = 'Large'").json["records"]?[0]?["Contacts"]
        #expect(list?["done"]?.bool == true && list?["nextRecordsUrl"] == nil && list?["totalSize"]?.int == 3)
        _ = try client.create("Account", #"{"Name":"Childless"}"#)
        let none = try client.query("\(Self.parent) WHERE Name = 'Childless'").json["records"]?[0]?["Contacts"]
        #expect(none?.isNull == true)
        let limited = "SELECT (SELECT LastName FROM Contacts LIMIT 2) FROM Account WHERE Id = '\(id)'"
        #expect(try client.query(limited).json["records"]?[0]?["Contacts"]?["totalSize"]?.int == 2)
    }

    @Test("records that are created and deleted after the query do not change the pages")
    func stable() async throws {
        let (client, id) = try await start(children: 5, pageSize: 2)
        let list = try client.query("\(Self.parent) WHERE Name = 'Large'").json["records"]?[0]?["Contacts"]
        let next = try #require(list?["nextRecordsUrl"]?.string)
        try contact(client, id, 900)
        let first = try #require(list?["records"]?[0]?["attributes"]?["url"]?.string)
        #expect(try client.send("DELETE", first).status == 204)
        let page = try client.send("GET", next).json
        #expect(page["totalSize"]?.int == 5)
        #expect(page["records"]?[0]?["LastName"]?.string == "Child 1002")
    }

    @Test("the LIMIT and the conditions of a child query apply to all its pages")
    func clauses() async throws {
        let (client, _) = try await start(children: 6, pageSize: 2)
        let soql = """
            SELECT (SELECT LastName FROM Contacts WHERE LastName != 'Child 1001' LIMIT 4) FROM Account
            WHERE Name = 'Large'
            """
        let list = try client.query(soql).json["records"]?[0]?["Contacts"]
        #expect(list?["totalSize"]?.int == 4)
        let next = try #require(list?["nextRecordsUrl"]?.string)
        let page = try client.send("GET", next).json
        #expect(page["done"]?.bool == true)
        #expect(page["records"]?.array?.compactMap { $0["LastName"]?.string } == ["Child 1003", "Child 1004"])
    }

    @Test("nested lists also have pages, including lists on a later page")
    func nested() async throws {
        let (client, id) = try await start(children: 3, pageSize: 1)
        let contacts = try client.query("SELECT Id FROM Contact WHERE AccountId = '\(id)' ORDER BY LastName").json
        for contact in contacts["records"]?.array ?? [] {
            for number in 0..<2 {
                _ = try client.create(
                    "Task", #"{"Subject":"Task \#(number)","WhoId":"\#(contact["Id"]?.string ?? "")"}"#)
            }
        }
        let soql = """
            SELECT (SELECT LastName, (SELECT Subject FROM Tasks ORDER BY Subject) FROM Contacts ORDER BY LastName)
            FROM Account WHERE Name = 'Large'
            """
        let outer = try client.query(soql).json["records"]?[0]?["Contacts"]
        let second = try client.send("GET", try #require(outer?["nextRecordsUrl"]?.string)).json
        #expect(second["records"]?[0]?["LastName"]?.string == "Child 1001")
        let inner = try #require(second["records"]?[0]?["Tasks"]?["nextRecordsUrl"]?.string)
        #expect(try client.send("GET", inner).json["records"]?[0]?["Subject"]?.string == "Task 1")
    }

    @Test("a locator that the client made up is invalid")
    func forged() async throws {
        let (client, _) = try await start(children: 3, pageSize: 1)
        let list = try client.query("\(Self.parent) WHERE Name = 'Large'").json["records"]?[0]?["Contacts"]
        let next = try #require(list?["nextRecordsUrl"]?.string)
        let locator = String(next.dropLast(2))
        for forged in [locator.dropLast() + "?-1", locator + "-0", locator + "-3", locator + "--1"] {
            #expect(try client.send("GET", String(forged)).errorCode == "INVALID_QUERY_LOCATOR")
        }
        client.org.faults.forgetCursors()
        #expect(try client.send("GET", next).errorCode == "INVALID_QUERY_LOCATOR")
    }
}

@Suite("Recently viewed records")
struct RecentRecordTests {
    private func names(_ response: RawClient.Response) -> [String] {
        (response.json.array ?? []).map { $0["Name"]?.string ?? $0["CaseNumber"]?.string ?? "?" }
    }

    @Test("FOR VIEW and FOR REFERENCE move records to the front, and other queries do not")
    func order() async throws {
        let client = try await OrgClient.start()
        #expect(names(try client.get("/recent")).isEmpty)
        var ids: [String] = []
        for name in ["One", "Two", "Three"] { ids.append(try client.create("Account", #"{"Name":"\#(name)"}"#)) }
        func see(_ name: String, _ clause: String) throws {
            let response = try client.query("SELECT Phone FROM Account WHERE Name = '\(name)' \(clause)")
            #expect(response.json["totalSize"]?.int == 1)
        }
        try see("One", "FOR VIEW")
        try see("Two", "FOR REFERENCE")
        try see("Three", "")
        #expect(names(try client.get("/recent")) == ["Two", "One"])
        try see("One", "LIMIT 1 FOR VIEW")
        #expect(names(try client.get("/recent")) == ["One", "Two"])
        #expect(names(try client.get("/recent?limit=1")) == ["One"])
        let first = try client.get("/recent").json[0]
        #expect(first?["Id"]?.string == ids[0] && first?["attributes"]?["type"]?.string == "Account")
        let basics = try client.get("/sobjects/Account").json["recentItems"]
        #expect(basics?.array?.compactMap { $0["Name"]?.string } == ["One", "Two"])
        #expect(try client.get("/sobjects/Contact").json["recentItems"]?.array?.isEmpty == true)
        #expect(try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(ids[0])").status == 204)
        #expect(names(try client.get("/recent")) == ["Two"])
    }

    @Test("RecentlyViewed has the user's records of all objects, and the records' own fields contain the times")
    func recentlyViewed() async throws {
        let client = try await OrgClient.start()
        func rows(_ soql: String) throws -> [JSONValue] {
            let response = try client.query(soql)
            #expect(response.status == 200, "\(response.text)")
            return Array(response.json["records"]?.array ?? [])
        }
        #expect(try rows("SELECT Id FROM RecentlyViewed").isEmpty)
        let account = try client.create("Account", #"{"Name":"One"}"#)
        let contact = try client.create("Contact", #"{"LastName":"Two","Email":"two@example.com"}"#)
        _ = try rows("SELECT Id FROM Account WHERE Id = '\(account)' FOR VIEW")
        _ = try rows("SELECT Id FROM Contact WHERE Id = '\(contact)' FOR REFERENCE")
        // Tasks are not in the list.
        _ = try rows("SELECT Id FROM Task LIMIT 1 FOR VIEW")
        let fields = "Id, Name, Type, Email, LastName, IsActive, LastViewedDate, LastReferencedDate"
        let seen = try rows("SELECT \(fields) FROM RecentlyViewed")
        #expect(seen.map { $0["Id"]?.string } == [contact, account])
        #expect(seen.map { $0["Type"]?.string } == ["Contact", "Account"])
        #expect(seen.first?["Email"]?.string == "two@example.com" && seen.first?["LastViewedDate"]?.isNull == true)
        #expect(
            seen.last?["LastName"]?.isNull == true && seen.last?["LastViewedDate"]?.string?.hasSuffix("+0000") == true)
        let own = try rows("SELECT Id, LastViewedDate FROM Account WHERE LastViewedDate = TODAY")
        #expect(own.map { $0["Id"]?.string } == [account] && own[0]["LastViewedDate"] == seen[1]["LastViewedDate"])
        let record = try client.get("/sobjects/Account/\(account)?fields=LastViewedDate,LastReferencedDate").json
        #expect(record["LastViewedDate"] == seen[1]["LastViewedDate"] && record["LastReferencedDate"]?.string != nil)
        #expect(try rows("SELECT Id FROM Contact WHERE Id IN (SELECT Id FROM RecentlyViewed)").count == 1)
        #expect(try client.query("SELECT COUNT() FROM RecentlyViewed WHERE Type = 'Lead'").json["totalSize"]?.int == 0)
        #expect(
            try rows("SELECT Type, COUNT(Id) n FROM RecentlyViewed GROUP BY Type ORDER BY Type").map { $0["n"]?.int }
                == [1, 1])
        let write = #"{"LastViewedDate":"2026-01-01T00:00:00Z"}"#
        #expect(try client.send("PATCH", "\(OrgClient.data)/sobjects/Account/\(account)", body: write).status == 400)
    }

    @Test("An org from a file keeps its recently viewed records after a restart")
    func restart() async throws {
        try await withTemporaryDirectory { folder in
            for count in 0..<2 {
                let client = try await OrgClient.start(LocalOrgConfiguration(storage: .file(folder + "/org.db")))
                #expect(try client.query("SELECT COUNT() FROM RecentlyViewed").json["totalSize"]?.int == count)
                #expect(try client.query("SELECT Id FROM Account ORDER BY Id LIMIT 1 FOR VIEW").status == 200)
                #expect(try client.get("/recent").json.array?.count == 1)
            }
        }
    }

    @Test("The list has at most 200 records of all objects, and begins with the last requested page in its order")
    func capacity() async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(records: 300))
        #expect(try client.query("SELECT Id FROM Case LIMIT 1 FOR VIEW").status == 200)
        #expect(try client.query("SELECT Id FROM Account ORDER BY Id LIMIT 199 FOR VIEW").status == 200)
        let recent = try client.get("/recent").json.array ?? []
        #expect(recent.count == 200 && recent.last?["attributes"]?["type"]?.string == "Case")
        let accounts = try client.query("SELECT Id FROM Account ORDER BY Id LIMIT 199").json["records"]?.array ?? []
        #expect(recent.dropLast().map { $0["Id"]?.string } == accounts.map { $0["Id"]?.string })
        #expect(try client.query("SELECT Id FROM Account ORDER BY Id DESC FOR VIEW").status == 200)
        #expect(try client.get("/recent").json.array?.contains { $0["attributes"]?["type"]?.string == "Case" } == false)
    }

    @Test(
        "The clause is rejected in queries without viewable records",
        arguments: [
            "SELECT COUNT() FROM Account FOR VIEW", "SELECT COUNT(Id) FROM Account FOR REFERENCE",
            "SELECT Id, (SELECT Id FROM Contacts FOR VIEW) FROM Account",
        ])
    func misuse(soql: String) async throws {
        let response = try await SharedOrg.client.query(soql)
        #expect(response.status == 400 && response.errorCode == "MALFORMED_QUERY")
    }

    @Test("An invalid limit is rejected", arguments: ["0", "201", "-1", "x", ""])
    func limits(limit: String) async throws {
        #expect(try await SharedOrg.client.get("/recent?limit=\(limit)").status == 400)
    }
}

@Suite("Indexes of the org")
struct IndexTests {
    /// Returns the fields by which the database finds a query's records.
    private func fields(_ query: String, _ client: OrgClient) throws -> [String] {
        let text = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let plan = try client.get("/query?explain=\(text)").json["plans"]?[0]
        return plan?["fields"]?.array?.compactMap(\.string) ?? []
    }

    static let searches: [(condition: String, field: String?)] = [
        ("Name = 'Alder Bank'", "Name"), ("Name = 'Zoë'", "Name"), ("Name LIKE 'al%k'", "Name"),
        ("Name IN ('a', 'b')", "Name"), ("CreatedDate = LAST_WEEK", "CreatedDate"),
        ("SystemModstamp = TODAY", "SystemModstamp"), ("OwnerId = '005000000000001'", "OwnerId"),
        ("Industry = 'Banking' AND AnnualRevenue > 5", "Industry"), ("Name LIKE '%bank'", nil),
        ("AnnualRevenue > 5", nil), ("BillingCity = 'Berlin'", nil),
    ]

    @Test("A condition uses an index if there is one", arguments: searches)
    func looked(condition: String, field: String?) async throws {
        let found = try fields("SELECT Id, Phone FROM Account WHERE \(condition)", try await SharedOrg.client)
        #expect(Set(found) == Set([field].compactMap(\.self)))
    }

    private func texts(_ query: String, _ field: String, _ client: OrgClient) throws -> [String] {
        let records = try client.query(query).json["records"]?.array ?? []
        #expect(!records.isEmpty, "\(query)")
        return records.map { $0[field]?.string ?? "" }
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    @Test("a query with an index has the same result as a scan of all records")
    func responses() async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(records: 900))
        let names = try texts("SELECT Name, Phone FROM Account", "Name", client)
        #expect(names.count == 960)
        let ordered = names.sorted { Self.precedes($0.uppercased(), $1.uppercased()) }
        #expect(try texts("SELECT Name FROM Account ORDER BY Name", "Name", client) == ordered)
        #expect(try texts("SELECT Name FROM Account ORDER BY Name DESC", "Name", client) == ordered.reversed())
        let blue = names.filter { $0.hasPrefix("Blue") && $0.hasSuffix("7") }
        #expect(try texts("SELECT Name FROM Account WHERE Name LIKE 'bLUE%7'", "Name", client) == blue)
        let distinct = try client.query("SELECT COUNT_DISTINCT(Name) n FROM Account").json["records"]?[0]?["n"]?.int
        #expect(distinct == Set(names).count)
        let industries = try texts("SELECT Industry, Phone FROM Account", "Industry", client)
        for having in ["", " HAVING COUNT(Id) > 1", " HAVING MAX(AnnualRevenue) > 0"] {
            let groups = try client.query("SELECT Industry i, COUNT(Id) n FROM Account GROUP BY Industry\(having)").json
            let counts = groups["records"]?.array?.map { ($0["i"]?.string ?? "", $0["n"]?.int ?? 0) } ?? []
            let expected = Dictionary(industries.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(Dictionary(uniqueKeysWithValues: counts) == expected)
        }
    }

    @Test("a semi-join without a condition finds the records that other records refer to")
    func references() async throws {
        let client = try await SharedOrg.client
        let parents = Set(try texts("SELECT AccountId FROM Contact WHERE AccountId != null", "AccountId", client))
        let all = try texts("SELECT Id FROM Account", "Id", client)
        let with = try texts("SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact)", "Id", client)
        let without = try texts("SELECT Id FROM Account WHERE Id NOT IN (SELECT AccountId FROM Contact)", "Id", client)
        #expect(with == all.filter(parents.contains) && without == all.filter { !parents.contains($0) })
        let children =
            "SELECT Id FROM Account WHERE ParentId NOT IN (SELECT AccountId FROM Contact) AND ParentId = null"
        #expect(try !texts(children, "Id", client).isEmpty)
    }

    @Test(
        "without ORDER BY, records are returned in the order of their creation on every page, whatever index finds them"
    )
    func natural() async throws {
        let client = try await OrgClient.start(LocalOrgConfiguration(records: 700))
        for condition in ["", " WHERE Name > 'C'", " WHERE Industry IN ('Energy', 'Banking')", " WHERE Rating = 'Hot'"]
        {
            var page = try client.query("SELECT Id FROM Account\(condition)", batchSize: 200).json
            var ids = page["records"]?.array?.compactMap { $0["Id"]?.string } ?? []
            while let next = page["nextRecordsUrl"]?.string {
                page = try client.send("GET", next, fields: ["Sforce-Query-Options: batchSize=200"]).json
                ids += page["records"]?.array?.compactMap { $0["Id"]?.string } ?? []
            }
            #expect(ids.count == page["totalSize"]?.int && ids == ids.sorted(by: Self.precedes))
        }
    }

    @Test("a database file without its indexes gets them when it is opened")
    func renewed() async throws {
        try await withTemporaryDirectory { folder in
            let configuration = LocalOrgConfiguration(storage: .file(folder + "/org.db"))
            await (try await LocalOrg.start(configuration)).stop()
            let connection = try SQLiteConnection(path: folder + "/org.db")
            for index in ["Account.by.Name", "Account.live"] { try connection.execute("DROP INDEX \"\(index)\"") }
            try connection.execute("DROP TABLE sqlite_stat1")
            let client = try await OrgClient.start(configuration)
            #expect(try fields("SELECT Id FROM Account WHERE Name = 'x'", client) == ["Name"])
        }
    }

    @Test("requested contacts are distributed evenly over the accounts")
    func contacts() async throws {
        var configuration = LocalOrgConfiguration(records: 140)
        configuration.contacts = 500
        let client = try await OrgClient.start(configuration)
        let query = "SELECT Name, Email, AccountId, Account.Name FROM Contact WHERE Email LIKE '%@example.com'"
        let records = try client.query(query).json["records"]?.array ?? []
        #expect(records.count == 500 && Set(records.compactMap { $0["Email"]?.string }).count == 500)
        #expect(records.allSatisfy { !($0["Account"]?["Name"]?.string ?? "").isEmpty })
        let counts = Dictionary(records.map { ($0["AccountId"]?.string ?? "", 1) }, uniquingKeysWith: +)
        #expect(counts.count == 200 && counts.values.allSatisfy { (2...3).contains($0) })
    }
}

// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Pages of children")
struct ChildPageTests {
    private static let parent = "SELECT Name, (SELECT LastName FROM Contacts ORDER BY LastName DESC) FROM Account"

    /// An org whose lists of children have pages of 200, with one account of so many contacts.
    private func start(children: Int, pageSize: Int = 200) async throws -> (OrgClient, id: String) {
        var configuration = LocalOrgConfiguration()
        configuration.childPageSize = pageSize
        let client = try await OrgClient.start(configuration)
        let id = try client.create("Account", #"{"Name":"Large"}"#)
        for number in 0..<children { try contact(client, id, number) }
        return (client, id)
    }

    @discardableResult
    private func contact(_ client: OrgClient, _ account: String, _ number: Int) throws -> String {
        try client.create("Contact", #"{"LastName":"Child \#(1_000 + number)","AccountId":"\#(account)"}"#)
    }

    @Test("a list longer than a page goes on under its own locator, in its own order, with its own total")
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
        await client.org.stop()
    }

    @Test("a list that fits its page is whole, and without children it is null")
    func whole() async throws {
        let (client, id) = try await start(children: 3, pageSize: 3)
        let list = try client.query("\(Self.parent) WHERE Name = 'Large'").json["records"]?[0]?["Contacts"]
        #expect(list?["done"]?.bool == true && list?["nextRecordsUrl"] == nil && list?["totalSize"]?.int == 3)
        _ = try client.create("Account", #"{"Name":"Childless"}"#)
        let none = try client.query("\(Self.parent) WHERE Name = 'Childless'").json["records"]?[0]?["Contacts"]
        #expect(none?.isNull == true)
        let limited = "SELECT (SELECT LastName FROM Contacts LIMIT 2) FROM Account WHERE Id = '\(id)'"
        #expect(try client.query(limited).json["records"]?[0]?["Contacts"]?["totalSize"]?.int == 2)
        await client.org.stop()
    }

    @Test("records made and deleted after the query do not move the pages")
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
        await client.org.stop()
    }

    @Test("a LIMIT and conditions of the child query hold on all its pages")
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
        await client.org.stop()
    }

    @Test("lists inside of lists have pages too, also those that stand on a later page")
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
        await client.org.stop()
    }

    @Test("a locator made up by the client is dead")
    func forged() async throws {
        let (client, _) = try await start(children: 3, pageSize: 1)
        let list = try client.query("\(Self.parent) WHERE Name = 'Large'").json["records"]?[0]?["Contacts"]
        let next = try #require(list?["nextRecordsUrl"]?.string)
        let locator = String(next.dropLast(2))
        for forged in [locator.dropLast() + "?-1", locator + "-0", locator + "-3", locator + "--1"] {
            #expect(try client.send("GET", String(forged)).errorCode == "INVALID_QUERY_LOCATOR")
        }
        client.org.faults.killCursors()
        #expect(try client.send("GET", next).errorCode == "INVALID_QUERY_LOCATOR")
        await client.org.stop()
    }
}

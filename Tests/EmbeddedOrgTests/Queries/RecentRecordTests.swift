// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Records looked at last")
struct RecentRecordTests {
    private func names(_ answer: RawClient.Answer) -> [String] {
        (answer.json.array ?? []).map { $0["Name"]?.string ?? $0["CaseNumber"]?.string ?? "?" }
    }

    @Test("FOR VIEW and FOR REFERENCE put records in front, and other queries do not")
    func order() async throws {
        let client = try await OrgClient.start()
        #expect(names(try client.get("/recent")).isEmpty)
        var ids: [String] = []
        for name in ["One", "Two", "Three"] { ids.append(try client.create("Account", #"{"Name":"\#(name)"}"#)) }
        func see(_ name: String, _ clause: String) throws {
            let answer = try client.query("SELECT Phone FROM Account WHERE Name = '\(name)' \(clause)")
            #expect(answer.json["totalSize"]?.int == 1)
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
        await client.org.stop()
    }

    @Test("RecentlyViewed has the user's records of all objects, and their own fields tell the times")
    func recentlyViewed() async throws {
        let client = try await OrgClient.start()
        func rows(_ soql: String) throws -> [JSONValue] {
            let answer = try client.query(soql)
            #expect(answer.status == 200, "\(answer.text)")
            return Array(answer.json["records"]?.array ?? [])
        }
        #expect(try rows("SELECT Id FROM RecentlyViewed").isEmpty)
        let account = try client.create("Account", #"{"Name":"One"}"#)
        let contact = try client.create("Contact", #"{"LastName":"Two","Email":"two@example.com"}"#)
        _ = try rows("SELECT Id FROM Account WHERE Id = '\(account)' FOR VIEW")
        _ = try rows("SELECT Id FROM Contact WHERE Id = '\(contact)' FOR REFERENCE")
        // Tasks have no such list.
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
        await client.org.stop()
    }

    @Test("An org from a file has them after a restart")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            for count in 0..<2 {
                let client = try await OrgClient.start(LocalOrgConfiguration(storage: .file(folder + "/org.db")))
                #expect(try client.query("SELECT COUNT() FROM RecentlyViewed").json["totalSize"]?.int == count)
                #expect(try client.query("SELECT Id FROM Account ORDER BY Id LIMIT 1 FOR VIEW").status == 200)
                #expect(try client.get("/recent").json.array?.count == 1)
                await client.org.stop()
            }
        }
    }

    @Test("There are 200 at most, of all objects, and the last page asked for is in front in its order")
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
        await client.org.stop()
    }

    @Test(
        "Where there are no records to look at, the clause is refused",
        arguments: [
            "SELECT COUNT() FROM Account FOR VIEW", "SELECT COUNT(Id) FROM Account FOR REFERENCE",
            "SELECT Id, (SELECT Id FROM Contacts FOR VIEW) FROM Account",
        ])
    func misuse(soql: String) async throws {
        let answer = try await SharedOrg.client.query(soql)
        #expect(answer.status == 400 && answer.errorCode == "MALFORMED_QUERY")
    }

    @Test("The number asked for has bounds", arguments: ["0", "201", "-1", "x", ""])
    func limits(limit: String) async throws {
        #expect(try await SharedOrg.client.get("/recent?limit=\(limit)").status == 400)
    }
}

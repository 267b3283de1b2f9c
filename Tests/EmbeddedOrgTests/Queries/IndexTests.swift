// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import LocalServer
import RestJSON
import Testing

@Suite("Indexes of the org")
struct IndexTests {
    /// The fields by which the database looks a query's records up.
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

    @Test("Conditions look records up by an index, where there is one", arguments: searches)
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

    @Test("what an index gives is what reading every record gives")
    func answers() async throws {
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
            #expect(
                Dictionary(uniqueKeysWithValues: counts)
                    == Dictionary(industries.map { ($0, 1) }, uniquingKeysWith: +).filter { having == "" || $1 > 0 })
        }
        await client.org.stop()
    }

    @Test("a semi-join without a condition finds the records that others refer to")
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

    @Test("records without an order come as they were made, on every page, whatever index finds them")
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
        await client.org.stop()
    }

    @Test("a file without its indexes gets them when it is opened")
    func renewed() async throws {
        try await withTemporaryFolder { folder in
            let configuration = LocalOrgConfiguration(storage: .file(folder + "/org.db"))
            await (try await LocalOrg.start(configuration)).stop()
            let connection = try SQLiteConnection(path: folder + "/org.db")
            for index in ["Account.by.Name", "Account.live"] { try connection.execute("DROP INDEX \"\(index)\"") }
            try connection.execute("DROP TABLE sqlite_stat1")
            let client = try await OrgClient.start(configuration)
            #expect(try fields("SELECT Id FROM Account WHERE Name = 'x'", client) == ["Name"])
            await client.org.stop()
        }
    }

    @Test("contacts on request belong to the accounts in turn")
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
        await client.org.stop()
    }
}

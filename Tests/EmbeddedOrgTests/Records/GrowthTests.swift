// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("An org does not grow with what is gone")
struct GrowthTests {
    /// Creates so many contacts and deletes them.
    private func churn(_ client: OrgClient, _ rounds: Int) throws {
        let records = (0..<200).map { number in
            #"{"attributes":{"type":"Contact"},"LastName":"\#(number)","Description":"\#(String(repeating: "x", count: 300))"}"#
        }
        let body = #"{"records":[\#(records.joined(separator: ","))]}"#
        for _ in 0..<rounds {
            let made = try client.send("POST", "\(OrgClient.data)/composite/sobjects", body: body).json.array ?? []
            let ids = made.compactMap { $0["id"]?.string }
            #expect(ids.count == 200)
            let list = ids.joined(separator: ",")
            let gone = try client.send("DELETE", "\(OrgClient.data)/composite/sobjects?ids=\(list)").json.array ?? []
            #expect(gone.count { $0["success"]?.bool == true } == 200)
        }
    }

    @Test("records created and deleted leave no more than a full bin, and no number comes twice")
    func bin() async throws {
        try await withTemporaryFolder { folder in
            var configuration = LocalOrgConfiguration(storage: .file(folder + "/org.db"))
            configuration.recycleBinCapacity = 100
            let client = try await OrgClient.start(configuration)
            let file = try SQLiteConnection(path: folder + "/org.db")
            func pages() throws -> Int64 {
                var pages: Int64 = 0
                try file.rows("PRAGMA page_count") { pages = $0.integer(0) }
                return pages
            }
            try churn(client, 2)
            let before = try pages()
            try churn(client, 4)
            #expect(try pages() <= before + before / 10)
            let left = try client.query("SELECT COUNT() FROM Contact WHERE IsDeleted = true", resource: "queryAll")
            #expect((100...200).contains(left.json["totalSize"]?.int ?? 0))
            let newest = try client.query(
                "SELECT Id FROM Contact WHERE IsDeleted = true ORDER BY Id DESC LIMIT 1", resource: "queryAll")
            let next = try client.create("Contact", #"{"LastName":"next"}"#)
            #expect(try next > #require(newest.json["records"]?[0]?["Id"]?.string))
            await client.org.stop()
        }
    }
}

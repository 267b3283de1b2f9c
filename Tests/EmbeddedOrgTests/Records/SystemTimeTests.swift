// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Times that the org writes")
struct SystemTimeTests {
    @Test("all of them have whole seconds, as on the platform")
    func wholeSeconds() async throws {
        try await withTemporaryFolder { folder in
            let client = try await OrgClient.start(LocalOrgConfiguration(storage: .file(folder + "/org.db")))
            let ids = try (0..<4).map { try client.create("Account", #"{"Name":"A\#($0)"}"#) }
            try client.send("PATCH", "\(OrgClient.data)/sobjects/Account/\(ids[0])", body: #"{"Site":"x"}"#)
            try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(ids[1])")
            #expect(try client.query("SELECT Id FROM Account WHERE Id = '\(ids[2])' FOR VIEW").status == 200)
            let job = #"{"operation":"query","query":"SELECT Id FROM Account"}"#
            #expect(try client.send("POST", "\(OrgClient.data)/jobs/query", body: job).status == 200)
            await client.org.stop()
            let file = try SQLiteConnection(path: folder + "/org.db")
            let times = try times(in: file)
            #expect(Set(times.map(\.column)).isSuperset(of: Self.names))
            for (column, time) in times { #expect(time.hasSuffix(".000+0000"), "\(column): \(time)") }
        }
    }

    private static let names: Set<String> = [
        "CreatedDate", "LastModifiedDate", "SystemModstamp", "Viewed", "Referenced", "Created", "Modified",
    ]

    /// All values of the columns with these names, in whatever table.
    private func times(in file: SQLiteConnection) throws -> [(column: String, time: String)] {
        var columns: [(table: String, name: String)] = []
        try file.rows(
            "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
        ) { row in
            if Self.names.contains(row.text(1)) { columns.append((row.text(0), row.text(1))) }
        }
        var times: [(column: String, time: String)] = []
        for (table, name) in columns {
            try file.rows("SELECT \"\(name)\" FROM \"\(table)\" WHERE \"\(name)\" IS NOT NULL") { row in
                times.append((name, row.text(0)))
            }
        }
        return times
    }

    @Test("changes are told of 30 days, deletions of 15, and an earlier start is rejected in the platform's words")
    func windows() async throws {
        let client = try await OrgClient.start()
        let id = try client.create("Account", #"{"Name":"A"}"#)
        let now = try #require(try client.get("/sobjects/Account/\(id)").json["SystemModstamp"]?.string)
        let stamp = try #require(JSONTimestamp(now)).seconds
        for (name, days) in [("updated", 30), ("deleted", 15)] {
            func ask(_ start: Int, _ end: Int) throws -> RawClient.Answer {
                let times = [start, end].map { JSONTimestamp(seconds: stamp + Int64($0)).text ?? "" }
                return try client.get("/sobjects/Account/\(name)?start=\(times[0])&end=\(times[1])")
            }
            let whole = try ask(-days * 86_400 + 600, 600)
            #expect(whole.status == 200)
            #expect(whole.json["latestDateCovered"]?.string?.hasSuffix(".000+0000") == true)
            for (start, end, words) in [
                (-days * 86_400 - 1, 0, "startDate cannot be more than \(days) days ago"),
                (0, -1, "startDate must be before endDate"), (0, 0, "startDate must be before endDate"),
            ] {
                let refused = try ask(start, end)
                #expect(refused.status == 400 && refused.errorCode == "INVALID_REPLICATION_DATE")
                #expect(refused.json[0]?["message"]?.string == words)
            }
        }
        await client.org.stop()
    }
}

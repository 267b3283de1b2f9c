// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("Differences between API versions")
struct VersionTests {
    private func get(_ client: OrgClient, _ version: Int, _ path: String) throws -> RawClient.Answer {
        try client.send("GET", "/services/data/v\(version).0\(path)")
    }

    @Test("the newest versions are listed and answered, and the ones after them are not")
    func newest() async throws {
        let client = try await SharedOrg.client
        let labels = try client.send("GET", "/services/data").json.array?.suffix(2).map { $0["label"]?.string }
        #expect(labels == ["Summer '26", "Winter '27"])
        for version in [67, 68] {
            let record = try get(client, version, "/query?q=SELECT+Id+FROM+Account+LIMIT+1").json["records"]?[0]
            let url = try #require(record?["attributes"]?["url"]?.string)
            #expect(url.hasPrefix("/services/data/v\(version).0/") && record?["Id"] != nil)
        }
        #expect(try get(client, 69, "/limits").status == 404)
    }

    @Test(
        "a resource is there from its version on",
        arguments: [
            ("/composite", 34), ("/parameterizedSearch?q=Alder", 36),
            ("/sobjects/Account/{id}/Owner", 36), ("/limits/recordCount", 40), ("/jobs/ingest", 41),
            ("/composite/sobjects/Account?ids={id}&fields=Id", 42), ("/jobs/query", 47),
        ])
    func resources(path: String, since: Int) async throws {
        let client = try await SharedOrg.client
        let id = try #require(
            try client.query("SELECT Id FROM Account ORDER BY Id LIMIT 1").json["records"]?[0]?["Id"]?.string)
        let path = path.replacing("{id}", with: id)
        let before = try get(client, since - 1, path)
        #expect(before.status == 404 && before.errorCode == "NOT_FOUND")
        #expect(try get(client, since, path).status == 200)
    }

    @Test(
        "a resource takes requests from its version on",
        arguments: [
            ("/composite/batch", 34), ("/composite/tree/Account", 34), ("/composite", 38), ("/composite/graph", 50),
        ])
    func posted(path: String, since: Int) async throws {
        let client = try await SharedOrg.client
        for (version, status) in [(since - 1, 404), (since, 400)] {
            let answer = try client.send("POST", "/services/data/v\(version).0\(path)", body: "{}")
            #expect(answer.status == status, "\(version)")
        }
    }

    @Test("the list of resources has those of the version")
    func list() async throws {
        let client = try await SharedOrg.client
        for (version, names) in [(33, []), (34, ["composite"]), (36, ["composite", "parameterizedSearch"])] {
            let list = try get(client, version, "").json
            let found = ["composite", "jobs", "parameterizedSearch"].filter { list[$0] != nil }
            #expect(found == names)
        }
        #expect(try get(client, 41, "/composite").json.object?.keys.sorted() == ["batch", "tree"])
        #expect(try get(client, 50, "/composite").json.object?.count == 4)
    }

    @Test(
        "a clause is there from its version on",
        arguments: [
            ("SELECT TYPEOF Who WHEN Contact THEN LastName END FROM Task LIMIT 1", 46),
            ("SELECT FIELDS(STANDARD) FROM Account LIMIT 1", 51),
            ("SELECT Id, (SELECT Id, (SELECT Id FROM Tasks) FROM Contacts) FROM Account LIMIT 1", 58),
        ])
    func clauses(query: String, since: Int) async throws {
        let client = try await SharedOrg.client
        let path = "/query?q=\(try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))"
        let before = try get(client, since - 1, path)
        #expect(before.status == 400 && before.errorCode == "MALFORMED_QUERY")
        #expect(try get(client, since, path).status == 200)
    }

    @Test("a search gives a bare array before version 37")
    func search() async throws {
        let client = try await SharedOrg.client
        let path = "/search?q=FIND+%7BAlder%7D+RETURNING+Account(Id)"
        let (bare, wrapped) = (try get(client, 36, path).json, try get(client, 37, path).json)
        #expect(bare.array?.isEmpty == false && bare.array?.count == wrapped["searchRecords"]?.array?.count)
    }
}

// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import Testing

@Suite("Sequences against the embedded org")
struct SequenceTests {
    private func client(of org: LocalOrg) throws -> RestClient {
        try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
    }

    @Test("lists of children that the org cut are completed, with the children that a query of their own gives")
    func children() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.childPageSize = 1
        let org = try await LocalOrg.start(configuration)
        let client = try client(of: org)
        var expected: [String: [String]] = [:]
        for try await contact in client.records("SELECT Id, AccountId FROM Contact ORDER BY Id") {
            expected[contact["AccountId"]?.string ?? "", default: []].append(contact.id ?? "")
        }
        var found: [String: [String]] = [:]
        for try await account in client.records("SELECT Id, (SELECT Id FROM Contacts ORDER BY Id) FROM Account") {
            let children = account["Contacts"]?["records"]?.array?.compactMap { $0["Id"]?.string } ?? []
            #expect(children.count == account["Contacts"]?["totalSize"]?.int ?? 0)
            found[account.id ?? ""] = children.isEmpty ? nil : children
        }
        #expect(found.values.contains { $0.count > 1 })
        #expect(found == expected.filter { !$0.key.isEmpty })
        await org.stop()
    }

    @Test("a list of a hundred times one id and an empty text, two kilobytes of query, finds the record once")
    func repeatedIdentifier() async throws {
        let org = try await LocalOrg.start()
        let client = try client(of: org)
        let id = try #require(try await client.records("SELECT Id FROM Account LIMIT 1").collect(limit: 1).first?.id)
        let query: SOQL = "SELECT Id, Name FROM Account WHERE Id IN \(Array(repeating: id, count: 100) + [""])"
        #expect((2_000...2_500).contains(query.text.utf8.count) && query.text.hasSuffix(",'')"))
        let payload = try await client.send(.query(query)).payload
        #expect(payload["totalSize"] == 1)
        #expect(payload["records"]?[0]?["Id"]?.string == id)
        #expect(org.journal.entries.last?.target.contains("/query?q=") == true)
        await org.stop()
    }

    @Test("a query too long for a URL gives the same records as its short form, in all pages")
    func longQuery() async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 500))
        let client = try client(of: org)
        let ids = try await client.records("SELECT Id FROM Account ORDER BY Id").collect(limit: 2_000).compactMap(\.id)
        let query: SOQL = "SELECT Id FROM Account WHERE Id IN \(ids + ids) ORDER BY Id"
        #expect(query.text.utf8.count > 16_384)
        let found = try await client.records(query, batchSize: 200).collect(limit: 2_000).compactMap(\.id)
        #expect(found == ids)
        #expect(org.journal.entries.filter { $0.pathHasSuffix("/composite") }.count == 1)
        let wrong: SOQL = "SELECT Nmae FROM Account WHERE Id IN \(ids + ids)"
        let error = await #expect(throws: RestError.self) { try await client.send(.query(wrong)) }
        #expect(error?.faults.first?.errorCode == .invalidField)
        await org.stop()
    }
}

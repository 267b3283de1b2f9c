// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Synchronization
import Testing

@Suite("Slow queries do not delay other requests")
struct SlowQueryTests {
    private static func patterns(_ count: Int) -> String {
        (0..<count).map { "Name LIKE '%z\($0)%x%'" }.joined(separator: " OR ")
    }

    /// As many patterns as fit into a URL, which take seconds for the accounts of the tests.
    private static let slow = "SELECT COUNT() FROM Account WHERE \(patterns(250))"

    private static func start() async throws -> OrgClient {
        try await OrgClient.start(LocalOrgConfiguration(records: 100_000))
    }

    /// The org of the tests that wait for all their responses.
    private static let shared = Task { try await start() }

    /// Sends `count` slow queries at once, and runs the body when the org has received all of them.
    ///
    /// - Returns: the number of queries that were answered before the body was finished.
    private func beside(
        _ count: Int, _ client: OrgClient, _ body: () async throws -> Void
    ) async throws -> Int {
        // Read first, because the loop below would never end if the org had already counted a query.
        let before = try calls(client)
        let answered = Atomic(0)
        for _ in 0..<count {
            // In separate threads, which wait for the responses.
            DispatchQueue(label: "slow").async {
                guard (try? client.query(Self.slow).status) == 200 else { return }
                answered.add(1, ordering: .relaxed)
            }
        }
        var asked = 1
        while try calls(client) < before + count + asked {
            asked += 1
            await Task.yield()
        }
        try await body()
        return answered.load(ordering: .relaxed)
    }

    /// Returns the number of calls that the org has counted, including this call.
    private func calls(_ client: OrgClient) throws -> Int {
        let field = try client.get("/limits").field("Sforce-Limit-Info") ?? ""
        return field.split(separator: "=").last?.split(separator: "/").first.flatMap { Int($0) } ?? 0
    }

    @Test("four concurrent slow queries delay neither short queries nor writes")
    func fourAtOnce() async throws {
        let client = try await Self.start()
        let answered = try await beside(4, client) {
            for number in 0..<20 {
                #expect(try client.query("SELECT Id FROM Account LIMIT 1").json["totalSize"]?.int == 1)
                let id = try client.create("Account", #"{"Name":"healthy \#(number)"}"#)
                let found = try client.query("SELECT Id FROM Account WHERE Id = '\(id)'")
                #expect(found.json["totalSize"]?.int == 1)
                let changed = try client.send(
                    "POST", "\(OrgClient.data)/composite/sobjects",
                    body: #"{"records":[{"attributes":{"type":"Account"},"Name":"together"}]}"#)
                #expect(changed.json[0]?["success"]?.bool == true)
            }
        }
        #expect(answered == 0)
    }

    @Test("a slow query inside a transaction is stopped soon, and the transaction is undone")
    func insideTransaction() async throws {
        let client = try await Self.shared.value
        let url = Self.slow.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let body = """
            {"allOrNone":true,"compositeRequest":[{"method":"POST","url":"\(OrgClient.data)/sobjects/Account",
            "referenceId":"a","body":{"Name":"undone"}},{"method":"GET","referenceId":"b",
            "url":"\(OrgClient.data)/query?q=\(url)"}]}
            """
        let response = try client.send("POST", "\(OrgClient.data)/composite", body: body)
        let last = response.json["compositeResponse"]?[1]
        #expect(last?["httpStatusCode"]?.int == 400 && last?["body"]?[0]?["errorCode"]?.string == "QUERY_TIMEOUT")
        #expect(try client.query("SELECT Id FROM Account WHERE Name = 'undone'").json["totalSize"]?.int == 0)
    }

    @Test("a transaction's queries see its writes, and other queries see them only after its end")
    func ownWrites() async throws {
        let client = try await SharedOrg.client
        let body = """
            {"allOrNone":true,"compositeRequest":[{"method":"POST","url":"\(OrgClient.data)/sobjects/Account",
            "referenceId":"a","body":{"Name":"seen inside"}},{"method":"GET","referenceId":"b",
            "url":"\(OrgClient.data)/query?q=SELECT+COUNT()+FROM+Account+WHERE+Name='seen+inside'"},
            {"method":"GET","referenceId":"c","url":"\(OrgClient.data)/sobjects/Nope"}]}
            """
        let response = try client.send("POST", "\(OrgClient.data)/composite", body: body)
        #expect(response.json["compositeResponse"]?[2]?["httpStatusCode"]?.int == 404)
        let kept = body.replacing("Nope", with: "Account")
        let second = try client.send("POST", "\(OrgClient.data)/composite", body: kept)
        #expect(second.json["compositeResponse"]?[1]?["body"]?["totalSize"]?.int == 1)
        let found = try client.query("SELECT COUNT() FROM Account WHERE Name = 'seen inside'")
        #expect(found.json["totalSize"]?.int == 1)
    }

    @Test("a query that takes too long is repeated on another thread, and counts as one call")
    func begunAnew() async throws {
        let client = try await Self.shared.value
        let before = try calls(client)
        client.org.journal.clear()
        let response = try client.query("SELECT COUNT() FROM Account WHERE \(Self.patterns(40))")
        #expect(response.status == 200)
        #expect(response.field("Sforce-Limit-Info") == "api-usage=\(before + 1)/15000")
        #expect(client.org.journal.count == 1)
    }

    @Test("an org can stop while slow queries run, and ends them")
    func stopping() async throws {
        let client = try await Self.start()
        let answered = try await beside(6, client) { await client.org.stop() }
        #expect(answered == 0)
    }
}

// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Testing

@Suite("Collections of any length")
struct CollectionRunTests {
    private static func drafts(_ count: Int, _ name: String) -> [RecordDraft] {
        (0..<count).map { RecordDraft("Account", ["Name": "\(name) \($0)"]) }
    }

    @Test("records are written, read and deleted in calls of as many as the server takes, joined in their order")
    func lifeCycle() async throws {
        try await withClient { client, org in
            let ids = try await client.createAll(Self.drafts(450, "Run")).get()
            #expect(Set(ids).count == 450)
            let read = try await client.retrieveAll("Account", ids: ids, fields: ["Name"])
            let names = (0..<450).map { "Run \($0)" }
            #expect(read.map { $0?["Name"]?.string ?? "" } == names)
            let changes = ids.map { RecordDraft("Account", id: $0, ["Site": "There"]) }
            #expect(try await client.updateAll(changes).get() == ids)
            #expect(try await client.deleteAll(ids: ids).get() == ids)
            #expect(try await client.retrieveAll("Account", ids: ids, fields: ["Name"]).allSatisfy { $0 == nil })
            let targets = org.journal.entries.map(\.target).filter { $0.contains("/composite/sobjects") }
            #expect(targets.count == 11)
        }
    }

    @Test("types that take turns are cut where the server's limit of runs is")
    func turns() async throws {
        try await withClient { client, org in
            let drafts = (0..<25).map { number in
                number.isMultiple(of: 2)
                    ? RecordDraft("Account", ["Name": "Turn"]) : RecordDraft("Contact", ["LastName": "Turn"])
            }
            let ids = try await client.createAll(drafts).get()
            let prefixes = (0..<25).map { $0.isMultiple(of: 2) ? "001" : "003" }
            #expect(ids.map { String($0.prefix(3)) } == prefixes)
            #expect(org.journal.entries.filter { $0.target.contains("/composite/sobjects") }.count == 3)
        }
    }

    @Test(
        "a record that is refused stops the later calls, or not, by choice",
        arguments: [CollectionResults.AfterFailure.stops, .goesOn])
    func refusal(afterFailure: CollectionResults.AfterFailure) async throws {
        try await withClient { client, _ in
            var drafts = Self.drafts(450, "Refused")
            drafts[10] = RecordDraft("Account", ["Colour": "x"])
            let results = try await client.createAll(drafts, afterFailure: afterFailure)
            #expect(results.count == 450)
            let failures = afterFailure == .stops ? [10] + Array(200..<450) : [10]
            #expect(results.failures == failures)
            #expect(results[10].outcome == .notApplied)
            let error = #expect(throws: RestError.self) { try results.get() }
            #expect(error?.code == .api)
            #expect(error?.faults.map(\.reference) == ["records[10]"])
            #expect(error?.outcome == .unknown)
            let count = try await client.send(.query("SELECT COUNT() FROM Account WHERE Name LIKE 'Refused %'"))
            let saved = results.count { $0.id != nil }
            #expect(count.payload["totalSize"]?.int == saved)
        }
    }

    @Test("with all or none, the error names the record that was refused, not one that was undone with it")
    func cause() async throws {
        try await withClient { client, _ in
            var drafts = Self.drafts(450, "Undone")
            drafts[250] = RecordDraft("Account", ["Colour": "x"])
            let results = try await client.createAll(drafts, allOrNone: true)
            let error = #expect(throws: RestError.self) { try results.get() }
            #expect(error?.message.contains("records[250]") == true, "\(String(describing: error))")
            #expect(error?.message.contains("ROLLED_BACK") == false && (error?.faults.count ?? 0) == 200)
        }
    }

    @Test("the records of a run whose answer was lost are unknown, and the org has them or not")
    func lostAnswer() async throws {
        try await withClient { client, org in
            org.faults.add(.closeAfterHandling, matching: "/composite/sobjects", skipping: 1)
            let results = try await client.createAll(Self.drafts(600, "Lost"), afterFailure: .goesOn)
            #expect(results.prefix(200).allSatisfy { $0.outcome == .applied })
            #expect(results[200..<400].allSatisfy { $0.outcome == .unknown && $0.id == nil })
            #expect(results[400...].allSatisfy { $0.outcome == .applied })
            let error = #expect(throws: RestError.self) { try results.get() }
            #expect(error?.code == .transport)
            #expect(error?.outcome == .unknown)
            #expect(error?.message.hasPrefix("200 of 600 records were not saved: ") == true)
            let count = try await client.send(.query("SELECT COUNT() FROM Account WHERE Name LIKE 'Lost %'"))
            #expect(count.payload["totalSize"] == 600)
        }
    }

    @Test("a login that ended ends the work whatever is to happen after failures")
    func everyCall() async throws {
        let stub = StubTransport()
        stub.enqueue(status: 401, #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]"#)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: stub))
        let results = try await client.createAll(Self.drafts(401, "x"), afterFailure: .goesOn)
        #expect(stub.requests.count == 1)
        #expect(results.allSatisfy { $0.outcome == .notApplied })
        let states = [results[0], results[200], results[400]].map { "\($0)".prefix(6) }
        #expect(states == ["failed", "notSen", "notSen"])
        #expect(throws: RestError.self) { try results.get() }
    }

    @Test("one wrong argument anywhere is refused by its place, and nothing is sent")
    func invalid() async throws {
        let stub = StubTransport()
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: stub))
        var drafts = Self.drafts(300, "x")
        drafts[250].type = " "
        let error = await #expect(throws: RestError.self) { try await client.createAll(drafts) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasPrefix("records[250].type: ") == true, "\(error?.message ?? "")")
        let ids = Array(repeating: "001000000000001AAA", count: 201) + ["x"]
        let other = await #expect(throws: RestError.self) { try await client.deleteAll(ids: ids) }
        #expect(other?.message.hasPrefix("ids[201]: ") == true, "\(other?.message ?? "")")
        #expect(stub.requests.isEmpty)
        #expect(try await client.createAll([]).get().isEmpty)
    }
}

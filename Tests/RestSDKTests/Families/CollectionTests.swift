// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Testing

@Suite("Record collections and trees of the client")
struct CollectionRequestTests {
    @Test("records are created, read, updated and deleted in one call each, in order")
    func lifeCycle() async throws {
        try await withClient { client, _ in
            let drafts = (0..<200).map { Record.Draft("Account", ["Name": "\("Bulk") \($0)"]) }
            let ids = try await client.send(.create(drafts)).get()
            #expect(ids.count == 200)
            let changes = ids.prefix(2).map { Record.Draft("Account", id: $0, ["Site": "Here"]) }
            #expect(try await client.send(.update(changes, allOrNone: true)).get() == Array(ids.prefix(2)))
            let gone = try await client.send(.delete(ids: [ids[1]])).get()
            #expect(gone == [ids[1]])
            let read = try await client.send(
                .retrieve("Account", ids: Array(ids.prefix(3)), fields: ["Id", "Name", "Site"]))
            #expect(read.map { $0?.id } == [ids[0], nil, ids[2]])
            #expect(read[0]?["Site"] == "Here")
            #expect(read[2]?["Name"] == "Bulk 2")
        }
    }

    @Test("one record that is rejected is found by its index, and the others are kept")
    func someRefused() async throws {
        try await withClient { client, _ in
            let drafts = [
                Record.Draft("Account", ["Name": "Kept"]), Record.Draft("Account", ["Colour": "x"]),
                Record.Draft("Contact", ["LastName": "Kept"]),
            ]
            let results = try await client.send(.create(drafts))
            #expect(results.map(\.isSuccess) == [true, false, true])
            #expect(results.failures.map(\.position) == [1])
            #expect(throws: APIFault.self) { try results[1].get() }
            let error = #expect(throws: RestError.self) { try results.get() }
            #expect(error?.code == .api)
            #expect(error?.faults.map(\.errorCode) == [.invalidField])
            #expect(error?.faults.first?.reference == "records[1]")
            #expect(error?.outcome == .unknown)
            #expect(error?.status == 200)
        }
    }

    @Test("all or none: the rejected record is reported first, and nothing was applied")
    func allOrNone() async throws {
        try await withClient { client, _ in
            let drafts = [Record.Draft("Account", ["Name": "Undone"]), Record.Draft("Account", ["Colour": "x"])]
            let results = try await client.send(.create(drafts, allOrNone: true))
            #expect(results.map(\.isSuccess) == [false, false])
            let error = #expect(throws: RestError.self) { try results.get() }
            #expect(error?.faults.map(\.errorCode) == [.allOrNoneOperationRolledBack, .invalidField])
            #expect(error?.message.contains("INVALID_FIELD") == true)
            #expect(error?.outcome == .notApplied)
            let left = try await client.send(.query("SELECT COUNT() FROM Account WHERE Name = 'Undone'"))
            #expect(left.payload["totalSize"] == 0)
        }
    }

    @Test("records are created or updated by an external id, and the results say which")
    func upsert() async throws {
        try await withClient { client, _ in
            let field = try await Self.externalID(of: "Account", client)
            let first = try await client.send(.upsert("Account", externalID: field, [["Name": "A", field: "k1"]]))
            #expect(first.map(\.isCreated) == [true])
            let both = try await client.send(
                .upsert(
                    "Account", externalID: field, [["Name": "B", field: "k1"], ["Name": "C", field: "k2"]]))
            #expect(both.map(\.isCreated) == [false, true])
            #expect(both[0].id == first[0].id)
        }
    }

    private static func externalID(of type: String, _ client: RestClient) async throws -> String {
        try #require(try await client.send(.describe(type)).fields.first(where: \.isExternalID)?.name)
    }

    @Test("a tree is created as a whole, and its children are linked")
    func tree() async throws {
        try await withClient { client, _ in
            let ids = try await client.send(
                .createTree([
                    Record.Tree(
                        "Account", as: "top", ["Name": "Tree"],
                        children: ["Contacts": [Record.Tree("Contact", as: "leaf", ["LastName": "Roe"])]])
                ]))
            #expect(Set(ids.keys) == ["top", "leaf"])
            let leaf = try await client.send(.retrieve("Contact", id: ids["leaf"] ?? "", fields: ["AccountId"]))
            #expect(leaf.payload["AccountId"]?.string == ids["top"])
        }
    }

    @Test("several child lists with one relationship become one list in the tree")
    func listsOfOneRelationship() async throws {
        try await withClient { client, _ in
            func contact(_ name: String) -> Record.Tree {
                Record.Tree("Contact", as: name, ["LastName": JSONValue(name)])
            }
            let tree = Record.Tree(
                "Account", as: "top", ["Name": "Tree"],
                children: ["Contacts": [contact("a")], "contacts": [contact("b"), contact("c")]])
            let ids = try await client.send(.createTree([tree]))
            #expect(Set(ids.keys) == ["top", "a", "b", "c"])
            #expect(tree.json["Contacts"]?["records"]?.array?.count == 3)
        }
    }

    @Test("a rejected record of a tree is named, and nothing was applied")
    func refusedTree() async throws {
        try await withClient { client, _ in
            let error = await expectFailure(.api, outcome: .notApplied) {
                try await client.send(
                    .createTree([
                        Record.Tree(
                            "Account", as: "top", ["Name": "Undone tree"],
                            children: ["Contacts": [Record.Tree("Contact", as: "leaf", ["Colour": "x"])]])
                    ]))
            }
            #expect(error?.faults.map(\.reference) == ["leaf"])
            #expect(error?.faults.map(\.errorCode) == [.invalidField])
        }
    }

    @Test("after a lost response, a create or delete is never repeated, and an upsert or read is")
    func retries() async throws {
        let id = "001000000000001AAA"
        let cases: [(RestRequest, Int)] = [
            (RestRequest.Typed.delete(ids: [id]).request, 1),
            (RestRequest.Typed.create([Record.Draft("Account", [:])]).request, 1),
            (RestRequest.Typed.createTree([Record.Tree("Account", as: "a", [:])]).request, 1),
            (RestRequest.Typed.upsert("Account", externalID: "K__c", [["K__c": "1"]]).request, 2),
            (RestRequest.Typed.retrieve("Account", ids: [id], fields: ["Id"]).request, 2),
        ]
        for (request, count) in cases {
            let stub = StubTransport()
            stub.enqueue(.failure(TransportError(.connectionLost, "reset", mayHaveReachedServer: true)))
            stub.enqueue("[]")
            let client = try RestClient.of(stub)
            _ = try? await client.send(request)
            #expect(stub.requests.count == count, "\(request.name)")
        }
    }

    @Test(
        "a response that has no result for each record is not a success",
        arguments: ["{}", "[]", #"[{"success":true,"errors":[]}]"#, #"[{"id":"x"}]"#, "[1]", "[null,null]"])
    func otherShapes(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        let client = try RestClient.of(stub)
        await expectFailure(.decoding, outcome: .unknown) {
            try await client.send(.create([Record.Draft("Account", [:])]))
        }
    }
}

@Suite("Record collections of any length")
struct CollectionRunTests {
    private static func drafts(_ count: Int, _ name: String) -> [Record.Draft] {
        (0..<count).map { Record.Draft("Account", ["Name": "\(name) \($0)"]) }
    }

    @Test("records are written, read and deleted in calls of the maximum size, and the results are joined in order")
    func lifeCycle() async throws {
        try await withClient { client, org in
            let ids = try await client.createAll(Self.drafts(450, "Run")).get()
            #expect(Set(ids).count == 450)
            let read = try await client.retrieveAll("Account", ids: ids, fields: ["Name"])
            let names = (0..<450).map { "Run \($0)" }
            #expect(read.map { $0?["Name"]?.string ?? "" } == names)
            let changes = ids.map { Record.Draft("Account", id: $0, ["Site": "There"]) }
            #expect(try await client.updateAll(changes).get() == ids)
            #expect(try await client.deleteAll(ids: ids).get() == ids)
            #expect(try await client.retrieveAll("Account", ids: ids, fields: ["Name"]).allSatisfy { $0 == nil })
            let targets = org.journal.entries.map(\.target).filter { $0.contains("/composite/sobjects") }
            #expect(targets.count == 11)
        }
    }

    @Test("alternating types are split at the server's limit of type changes")
    func turns() async throws {
        try await withClient { client, org in
            let drafts = (0..<25).map { number in
                number.isMultiple(of: 2)
                    ? Record.Draft("Account", ["Name": "Turn"]) : Record.Draft("Contact", ["LastName": "Turn"])
            }
            let ids = try await client.createAll(drafts).get()
            let prefixes = (0..<25).map { $0.isMultiple(of: 2) ? "001" : "003" }
            #expect(ids.map { String($0.prefix(3)) } == prefixes)
            #expect(org.journal.entries.filter { $0.target.contains("/composite/sobjects") }.count == 3)
        }
    }

    @Test(
        "a rejected record stops the later calls, or not, depending on the option",
        arguments: [CollectionResults.AfterFailure.stops, .goesOn])
    func rejection(afterFailure: CollectionResults.AfterFailure) async throws {
        try await withClient { client, _ in
            var drafts = Self.drafts(450, "Refused")
            drafts[10] = Record.Draft("Account", ["Colour": "x"])
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

    @Test("with all or none, the error names the rejected record and not one that was rolled back with it")
    func cause() async throws {
        try await withClient { client, _ in
            var drafts = Self.drafts(450, "Undone")
            drafts[250] = Record.Draft("Account", ["Colour": "x"])
            let results = try await client.createAll(drafts, allOrNone: true)
            let error = #expect(throws: RestError.self) { try results.get() }
            #expect(error?.message.contains("records[250]") == true, "\(String(describing: error))")
            #expect(error?.message.contains("ROLLED_BACK") == false && (error?.faults.count ?? 0) == 200)
        }
    }

    @Test("records of a call whose response was lost have an unknown outcome, whether or not the org has them")
    func lostResponse() async throws {
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

    @Test("an ended login stops the work, regardless of the option for failures")
    func everyCall() async throws {
        let stub = StubTransport()
        stub.enqueue(status: 401, #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]"#)
        let client = try RestClient.of(stub)
        let results = try await client.createAll(Self.drafts(401, "x"), afterFailure: .goesOn)
        #expect(stub.requests.count == 1)
        #expect(results.allSatisfy { $0.outcome == .notApplied })
        let states = [results[0], results[200], results[400]].map { "\($0)".prefix(6) }
        #expect(states == ["failed", "notSen", "notSen"])
        #expect(throws: RestError.self) { try results.get() }
    }

    @Test("an invalid argument in any record is rejected with its index, and nothing is sent")
    func invalid() async throws {
        let stub = StubTransport()
        let client = try RestClient.of(stub)
        var drafts = Self.drafts(300, "x")
        drafts[250].type = " "
        let error = await expectFailure(.invalidRequest) { try await client.createAll(drafts) }
        #expect(error?.message.hasPrefix("records[250].type: ") == true, "\(error?.message ?? "")")
        let ids = Array(repeating: "001000000000001AAA", count: 201) + ["x"]
        let other = await #expect(throws: RestError.self) { try await client.deleteAll(ids: ids) }
        #expect(other?.message.hasPrefix("ids[201]: ") == true, "\(other?.message ?? "")")
        #expect(stub.requests.isEmpty)
        #expect(try await client.createAll([]).get().isEmpty)
    }
}

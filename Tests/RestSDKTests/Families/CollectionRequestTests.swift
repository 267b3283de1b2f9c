// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("Collections and trees of records of the client")
struct CollectionRequestTests {
    @Test("records are created, read, changed and deleted in one call each, in order")
    func lifeCycle() async throws {
        try await withClient { client, _ in
            let drafts = (0..<200).map { RecordDraft("Account", ["Name": "\("Bulk") \($0)"]) }
            let ids = try await client.create(drafts).get()
            #expect(ids.count == 200)
            let changes = ids.prefix(2).map { RecordDraft("Account", id: $0, ["Site": "Here"]) }
            #expect(try await client.update(changes, allOrNone: true).get() == Array(ids.prefix(2)))
            let gone = try await client.delete(ids: [ids[1]]).get()
            #expect(gone == [ids[1]])
            let read = try await client.retrieve("Account", ids: Array(ids.prefix(3)), fields: ["Id", "Name", "Site"])
            #expect(read.map { $0?.id } == [ids[0], nil, ids[2]])
            #expect(read[0]?["Site"] == "Here")
            #expect(read[2]?["Name"] == "Bulk 2")
        }
    }

    @Test("one record that is refused is seen, by its place, and the others are kept")
    func someRefused() async throws {
        try await withClient { client, _ in
            let drafts = [
                RecordDraft("Account", ["Name": "Kept"]), RecordDraft("Account", ["Colour": "x"]),
                RecordDraft("Contact", ["LastName": "Kept"]),
            ]
            let results = try await client.create(drafts)
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

    @Test("all or none: the record that was refused comes first, and nothing was applied")
    func allOrNone() async throws {
        try await withClient { client, _ in
            let drafts = [RecordDraft("Account", ["Name": "Undone"]), RecordDraft("Account", ["Colour": "x"])]
            let results = try await client.create(drafts, allOrNone: true)
            #expect(results.map(\.isSuccess) == [false, false])
            let error = #expect(throws: RestError.self) { try results.get() }
            #expect(error?.faults.map(\.errorCode) == [.allOrNoneOperationRolledBack, .invalidField])
            #expect(error?.message.contains("INVALID_FIELD") == true)
            #expect(error?.outcome == .notApplied)
            let left = try await client.send(.query("SELECT COUNT() FROM Account WHERE Name = 'Undone'"))
            #expect(left.payload["totalSize"] == 0)
        }
    }

    @Test("records are created or changed by an external id, and say which")
    func upsert() async throws {
        try await withClient { client, _ in
            let field = try await Self.externalID(of: "Account", client)
            let first = try await client.upsert("Account", externalID: field, [["Name": "A", field: "k1"]])
            #expect(first.map(\.isCreated) == [true])
            let both = try await client.upsert(
                "Account", externalID: field, [["Name": "B", field: "k1"], ["Name": "C", field: "k2"]])
            #expect(both.map(\.isCreated) == [false, true])
            #expect(both[0].id == first[0].id)
        }
    }

    private static func externalID(of type: String, _ client: RestClient) async throws -> String {
        let fields = try await client.send(.describe(type)).payload["fields"]?.array ?? []
        return try #require(fields.first { $0["externalId"]?.bool == true }?["name"]?.string)
    }

    @Test("a tree is created as a whole, and its children are linked")
    func tree() async throws {
        try await withClient { client, _ in
            let ids = try await client.createTree([
                RecordTree(
                    "Account", as: "top", ["Name": "Tree"],
                    children: ["Contacts": [RecordTree("Contact", as: "leaf", ["LastName": "Roe"])]])
            ])
            #expect(Set(ids.keys) == ["top", "leaf"])
            let leaf = try await client.send(.retrieve("Contact", id: ids["leaf"] ?? "", fields: ["AccountId"]))
            #expect(leaf.payload["AccountId"]?.string == ids["top"])
        }
    }

    @Test("several lists of one relationship are one list of the tree")
    func listsOfOneRelationship() async throws {
        try await withClient { client, _ in
            func contact(_ name: String) -> RecordTree {
                RecordTree("Contact", as: name, ["LastName": JSONValue(name)])
            }
            let tree = RecordTree(
                "Account", as: "top", ["Name": "Tree"],
                children: ["Contacts": [contact("a")], "contacts": [contact("b"), contact("c")]])
            let ids = try await client.createTree([tree])
            #expect(Set(ids.keys) == ["top", "a", "b", "c"])
            #expect(tree.json["Contacts"]?["records"]?.array?.count == 3)
        }
    }

    @Test("a record of a tree that is refused is named, and nothing was applied")
    func refusedTree() async throws {
        try await withClient { client, _ in
            let error = await #expect(throws: RestError.self) {
                try await client.createTree([
                    RecordTree(
                        "Account", as: "top", ["Name": "Undone tree"],
                        children: ["Contacts": [RecordTree("Contact", as: "leaf", ["Colour": "x"])]])
                ])
            }
            #expect(error?.code == .api)
            #expect(error?.faults.map(\.reference) == ["leaf"])
            #expect(error?.faults.map(\.errorCode) == [.invalidField])
            #expect(error?.outcome == .notApplied)
        }
    }

    @Test("a lost answer to a delete or a create is never sent again, one to an upsert or a read is")
    func retries() async throws {
        let id = "001000000000001AAA"
        let cases: [(RestRequest, Int)] = [
            (.delete(ids: [id]), 1), (.create([RecordDraft("Account", [:])]), 1),
            (.createTree([RecordTree("Account", as: "a", [:])]), 1),
            (.upsert("Account", externalID: "K__c", [["K__c": "1"]]), 2),
            (.retrieve("Account", ids: [id], fields: ["Id"]), 2),
        ]
        for (request, count) in cases {
            let stub = StubTransport()
            stub.enqueue(.failure(TransportError(.connectionLost, "reset", mayHaveReachedServer: true)))
            stub.enqueue("[]")
            let client = try RestClient(
                instanceURL: "https://example.my.salesforce.com", accessToken: "t",
                configuration: RestClient.Configuration(transport: stub))
            _ = try? await client.send(request)
            #expect(stub.requests.count == count, "\(request.name)")
        }
    }

    @Test(
        "an answer that has no result for each record is no success",
        arguments: ["{}", "[]", #"[{"success":true,"errors":[]}]"#, #"[{"id":"x"}]"#, "[1]", "[null,null]"])
    func otherShapes(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: stub))
        let error = await #expect(throws: RestError.self) {
            try await client.create([RecordDraft("Account", [:])])
        }
        #expect(error?.code == .decoding)
        #expect(error?.outcome == .unknown)
    }
}

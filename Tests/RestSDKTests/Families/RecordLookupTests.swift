// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("Records by external id, by relationship, and those looked at last")
struct RecordLookupTests {
    @Test("a record is read, changed and deleted by its external id, whatever is in it")
    func externalID() async throws {
        try await withClient { client, _ in
            let value = "a/b ?&#%2F'\\"
            _ = try await client.send(.upsert("Account", externalID: "ExternalId__c", value, ["Name": "Harbour"]))
            _ = try await client.send(.update("Account", externalID: "ExternalId__c", value, ["Site": "Quay"]))
            let record = try await client.send(
                .retrieve("Account", externalID: "ExternalId__c", value, fields: ["Name", "Site"]))
            #expect(record.payload["Name"] == "Harbour" && record.payload["Site"] == "Quay")
            _ = try await client.send(.delete("Account", externalID: "ExternalId__c", value))
            let gone = await #expect(throws: RestError.self) {
                try await client.send(.retrieve("Account", externalID: "ExternalId__c", value))
            }
            #expect(gone?.code == .notFound)
            let missing = await #expect(throws: RestError.self) {
                try await client.send(.update("Account", externalID: "ExternalId__c", "none", ["Site": "Quay"]))
            }
            #expect(missing?.code == .notFound)
            let count = try await client.send(.query("SELECT COUNT() FROM Account WHERE ExternalId__c = 'none'"))
            #expect(count.payload["totalSize"] == 0)
        }
    }

    @Test("relationships lead to a parent's fields and to children")
    func related() async throws {
        try await withClient { client, _ in
            let account = try await client.create([RecordDraft("Account", ["Name": "Parent"])]).get()[0]
            let contact = try await client.create([
                RecordDraft("Contact", ["LastName": "Child", "AccountId": JSONValue(account)])
            ]).get()[0]
            let parent = try await client.send(.related("Contact", id: contact, ["Account"], fields: ["Name"]))
            #expect(parent.payload["Name"] == "Parent")
            let children = try await client.send(.related("Account", id: account, ["Contacts"]))
            #expect(children.payload["records"]?[0]?["LastName"] == "Child")
        }
    }

    @Test("records that were looked at come back, the latest first")
    func recent() async throws {
        try await withClient { client, _ in
            let ids = try await client.create((0..<2).map { RecordDraft("Account", ["Name": "Seen \($0)"]) }).get()
            for id in ids { _ = try await client.send(.query("SELECT Id FROM Account WHERE Id = \(id) FOR VIEW")) }
            let records = try await client.recentRecords(limit: 2)
            #expect(records.map(\.id) == Array(ids.reversed()))
            #expect(records.map(\.type) == ["Account", "Account"])
        }
    }

    @Test("a query is explained: an index for an id, the whole table for most else")
    func explain() async throws {
        try await withClient { client, _ in
            let id = try await client.create([RecordDraft("Account", ["Name": "Explained"])]).get()[0]
            let byID = try await client.explain("SELECT Name FROM Account WHERE Id = \(id)")
            #expect(byID.first?.leadingOperation == "Index")
            #expect(byID.first?.type == "Account")
            #expect((byID.first?.objectCardinality ?? 0) > 0)
            let scan = try await client.explain("SELECT Name FROM Account WHERE Site LIKE '%x%'")
            #expect(scan.first?.leadingOperation == "TableScan")
        }
        let stub = StubTransport()
        stub.enqueue(#"{"plans":[]}"#)
        _ = try await RestClient.of(stub).send(.explain(id: "00B000000000001AAA"))
        #expect(stub.requests.map(\.url.target) == ["/services/data/v66.0/query?explain=00B000000000001AAA"])
    }

    @Test(
        "plans with numbers that no org has are errors",
        arguments: [
            #"{"plans":[{}]}"#, "{}",
            #"{"plans":[{"sobjectType":"A","leadingOperationType":"x","cardinality":1e300,"sobjectCardinality":1,"relativeCost":1}]}"#,
            #"{"plans":[{"sobjectType":"A","leadingOperationType":"x","cardinality":-1,"sobjectCardinality":1,"relativeCost":1}]}"#,
            #"{"plans":[{"sobjectType":"A","leadingOperationType":"x","cardinality":1,"sobjectCardinality":1,"relativeCost":1e999}]}"#,
        ])
    func oddPlans(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: stub))
        let error = await #expect(throws: RestError.self) { try await client.explain("SELECT Id FROM A") }
        #expect(error?.code == .decoding)
    }

    @Test(
        "wrong arguments are refused, naming them",
        arguments: [
            (.retrieve("Account", externalID: " ", "x"), "externalID"),
            (.delete("Account", externalID: "X__c", ""), "value"),
            (.update(" ", externalID: "X__c", "x", [:]), "type"), (.related("Account", id: "x", ["Owner"]), "id"),
            (.related("Account", id: "001000000000001AAA", []), "path"), (.recent(limit: 0), "limit"),
            (.recent(limit: 201), "limit"), (.explain(" "), "soql"), (.explain(id: "x"), "id"),
        ] as [(RestRequest, String)])
    func refused(request: RestRequest, argument: String) async throws {
        let stub = StubTransport()
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: stub))
        let error = await #expect(throws: RestError.self) { try await client.send(request) }
        #expect(error?.message.hasPrefix("\(argument): ") == true, "\(error?.message ?? "")")
        #expect(stub.requests.isEmpty)
    }
}

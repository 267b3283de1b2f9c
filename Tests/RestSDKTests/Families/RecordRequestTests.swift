// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON
import RestSDK
import RestTesting
import Simulation
import Testing

@Suite("Records by external id, by relationship, and recently viewed records")
struct RecordLookupTests {
    @Test("a record is read, updated and deleted by its external id, whatever characters it contains")
    func externalID() async throws {
        try await withClient { client, _ in
            let value = "a/b ?&#%2F'\\"
            _ = try await client.send(.upsert("Account", externalID: "ExternalId__c", value, ["Name": "Harbour"]))
            _ = try await client.send(.update("Account", externalID: "ExternalId__c", value, ["Site": "Quay"]))
            let record = try await client.send(
                .retrieve("Account", externalID: "ExternalId__c", value, fields: ["Name", "Site"]))
            #expect(record.payload["Name"] == "Harbour" && record.payload["Site"] == "Quay")
            _ = try await client.send(.delete("Account", externalID: "ExternalId__c", value))
            await expectFailure(.notFound) {
                try await client.send(.retrieve("Account", externalID: "ExternalId__c", value))
            }
            await expectFailure(.notFound) {
                try await client.send(.update("Account", externalID: "ExternalId__c", "none", ["Site": "Quay"]))
            }
            let count = try await client.send(.query("SELECT COUNT() FROM Account WHERE ExternalId__c = 'none'"))
            #expect(count.payload["totalSize"] == 0)
        }
    }

    @Test("relationships lead to a parent's fields and to children")
    func related() async throws {
        try await withClient { client, _ in
            let account = try await client.send(.create([Record.Draft("Account", ["Name": "Parent"])])).get()[0]
            let contact = try await client.send(
                .create([
                    Record.Draft("Contact", ["LastName": "Child", "AccountId": JSONValue(account)])
                ])
            ).get()[0]
            let parent = try await client.send(.related("Contact", id: contact, ["Account"], fields: ["Name"]))
            #expect(parent.payload["Name"] == "Parent")
            let children = try await client.send(.related("Account", id: account, ["Contacts"]))
            #expect(children.payload["records"]?[0]?["LastName"] == "Child")
        }
    }

    @Test("recently viewed records are returned, the latest first")
    func recent() async throws {
        try await withClient { client, _ in
            let ids = try await client.send(.create((0..<2).map { Record.Draft("Account", ["Name": "Seen \($0)"]) }))
                .get()
            for id in ids { _ = try await client.send(.query("SELECT Id FROM Account WHERE Id = \(id) FOR VIEW")) }
            let records = try await client.send(.recent(limit: 2))
            #expect(records.map(\.id) == Array(ids.reversed()))
            #expect(records.map(\.type) == ["Account", "Account"])
        }
    }

    @Test("an explained query uses an index for an id, and the whole table for most other conditions")
    func explain() async throws {
        try await withClient { client, _ in
            let id = try await client.send(.create([Record.Draft("Account", ["Name": "Explained"])])).get()[0]
            let byID = try await client.send(.explain("SELECT Name FROM Account WHERE Id = \(id)"))
            #expect(byID.first?.leadingOperation == "Index")
            #expect(byID.first?.type == "Account")
            #expect((byID.first?.objectCardinality ?? 0) > 0)
            let scan = try await client.send(.explain("SELECT Name FROM Account WHERE Site LIKE '%x%'"))
            #expect(scan.first?.leadingOperation == "TableScan")
        }
        let stub = StubTransport()
        stub.enqueue(#"{"plans":[]}"#)
        _ = try await RestClient.of(stub).send(.explain(id: "00B000000000001AAA"))
        #expect(stub.requests.map(\.url.target) == ["/services/data/v66.0/query?explain=00B000000000001AAA"])
    }

    @Test(
        "plans with impossible numbers are errors",
        arguments: [
            #"{"plans":[{}]}"#, "{}",
            #"{"plans":[{"sobjectType":"A","leadingOperationType":"x","cardinality":1e300,"sobjectCardinality":1,"relativeCost":1}]}"#,
            #"{"plans":[{"sobjectType":"A","leadingOperationType":"x","cardinality":-1,"sobjectCardinality":1,"relativeCost":1}]}"#,
            #"{"plans":[{"sobjectType":"A","leadingOperationType":"x","cardinality":1,"sobjectCardinality":1,"relativeCost":1e999}]}"#,
        ])
    func oddPlans(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        let client = try RestClient.of(stub)
        await expectFailure(.decoding) { try await client.send(.explain("SELECT Id FROM A")) }
    }

    @Test(
        "invalid arguments are rejected by name",
        arguments: [
            (.retrieve("Account", externalID: " ", "x"), "externalID"),
            (.delete("Account", externalID: "X__c", ""), "value"),
            (.update(" ", externalID: "X__c", "x", [:]), "type"), (.related("Account", id: "x", ["Owner"]), "id"),
            (.related("Account", id: "001000000000001AAA", []), "path"),
            (RestRequest.Typed.recent(limit: 0).request, "limit"),
            (RestRequest.Typed.recent(limit: 201).request, "limit"),
            (RestRequest.Typed.explain(" ").request, "soql"), (RestRequest.Typed.explain(id: "x").request, "id"),
        ] as [(RestRequest, String)])
    func refused(request: RestRequest, argument: String) async throws {
        let stub = StubTransport()
        let client = try RestClient.of(stub)
        let error = await #expect(throws: RestError.self) { try await client.send(request) }
        #expect(error?.message.hasPrefix("\(argument): ") == true, "\(error?.message ?? "")")
        #expect(stub.requests.isEmpty)
    }
}

@Suite("Records of custom types")
struct EncodedRecordTests {
    private struct Deal: Codable, Equatable, Sendable {
        var Name: String
        var Amount: Decimal
        var ClosedAt: Date
        var Page: URL
        var Seal: Data
        var Note: String?
    }

    private let deal = Deal(
        Name: "A", Amount: Decimal(string: "19.99") ?? 0, ClosedAt: Date(timeIntervalSince1970: 1_769_681_472.345),
        Page: URL(fileURLWithPath: "/a"), Seal: Data([0, 255]))
    private let fields: JSONObject = [
        "Name": "A", "Amount": JSONValue(numberText: "19.99") ?? .null, "ClosedAt": "2026-01-29T10:11:12.345Z",
        "Page": "file:///a", "Seal": "AP8=",
    ]
    private let id = "001000000000001AAA"

    private func text(_ request: RestRequest) -> String {
        guard case .bytes(let bytes) = request.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a value is sent as the equivalent JSON object")
    func single() {
        #expect(RestRequest.create("Deal__c", deal) == .create("Deal__c", fields))
        #expect(RestRequest.update("Deal__c", id: id, deal) == .update("Deal__c", id: id, fields))
        #expect(
            RestRequest.upsert("Deal__c", externalID: "X__c", "1", deal)
                == .upsert("Deal__c", externalID: "X__c", "1", fields))
        #expect(text(.create("Deal__c", deal)).contains(#""Amount":19.99,"#))
    }

    @Test("a dictionary literal is sent as a JSON object with its members in order")
    func literals() {
        #expect(text(.create("A", ["z": "1", "a": "2", "m": "3"])) == #"{"z":"1","a":"2","m":"3"}"#)
        #expect(text(.create("A", ["z": 1, "a": nil])) == #"{"z":1,"a":null}"#)
    }

    @Test("several values, drafts and trees are sent as the equivalent JSON objects")
    func several() throws {
        let drafts = [Record.Draft("Deal__c", fields), Record.Draft("Deal__c", fields)]
        #expect(RestRequest.Typed.create("Deal__c", [deal, deal]).request == RestRequest.Typed.create(drafts).request)
        #expect(
            RestRequest.Typed.upsert("Deal__c", externalID: "Name", [deal]).request
                == RestRequest.Typed.upsert("Deal__c", externalID: "Name", [fields]).request)
        #expect(try Record.Draft("Deal__c", id: id, deal) == Record.Draft("Deal__c", id: id, fields))
        #expect(try Record.Tree("Deal__c", as: "d", deal) == Record.Tree("Deal__c", as: "d", fields))
    }

    @Test("a value that cannot be encoded is rejected with its path before anything is sent")
    func refused() async throws {
        let transport = StubTransport()
        let client = try RestClient.of(transport)
        var endless = deal
        endless.Amount = .nan
        for (request, part) in [
            (RestRequest.create("Deal__c", endless), "record: invalid-value at Amount"),
            (.update("Deal__c", id: id, 5), "record: must be written as a JSON object"),
            (RestRequest.Typed.create("Deal__c", [deal, endless]).request, "records[1]: invalid-value at Amount"),
            (RestRequest(method: .post, resource: .data(["x"])).body(Double.nan), "body: invalid-value at $"),
        ] {
            let error = await expectFailure(.invalidRequest, outcome: .notApplied) { try await client.send(request) }
            #expect(error?.message.hasPrefix(part) == true, "\(error?.message ?? "")")
        }
        #expect(throws: RestError.self) { try Record.Draft("Deal__c", [1, 2]) }
        #expect(transport.requests.isEmpty)
    }

    @Test("a value survives encoding and decoding, also from a part of a response")
    func roundTrip() throws {
        let value = try JSONValue(encoding: deal)
        #expect(value == JSONValue(fields))
        #expect(try value.decode(Deal.self) == deal)
        let text = String(decoding: try JSONValue(encoding: [deal.Amount]).bytes(), as: UTF8.self)
        #expect(text == "[19.99]")
    }

    @Test("a body made from a value is JSON, with its content type")
    func body() {
        let request = RestRequest(method: .post, resource: .data(["x"])).body(["a": deal.ClosedAt])
        #expect(text(request) == #"{"a":"2026-01-29T10:11:12.345Z"}"#)
        #expect(request.fields["Content-Type"] == "application/json; charset=UTF-8")
    }
}

@Suite("URL-encoded forms")
struct FormRequestTests {
    private func form(_ items: RestRequest.QueryItem...) -> String {
        guard case .bytes(let bytes) = RestRequest(method: .post, resource: .data(["x"])).form(items).body else {
            return ""
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("the bytes are those of the URL Standard")
    func standard() {
        // The serializer of the URL Standard, applied to every ASCII character.
        let ascii = String(String.UnicodeScalarView((0..<0x80).compactMap { Unicode.Scalar($0) }))
        #expect(
            form(.init("a", ascii)) == "a="
                + (0..<0x20).map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
                + "+%21%22%23%24%25%26%27%28%29*%2B%2C-.%2F0123456789%3A%3B%3C%3D%3E%3F%40"
                + "ABCDEFGHIJKLMNOPQRSTUVWXYZ%5B%5C%5D%5E_%60abcdefghijklmnopqrstuvwxyz%7B%7C%7D%7E%7F")
        #expect(form(.init("é", "日本")) == "%C3%A9=%E6%97%A5%E6%9C%AC")
        #expect(form() == "")
        #expect(form(.init("a", ""), .init("", "b"), .init("a", "2")) == "a=&=b&a=2")
    }

    @Test(
        "no value can add a field, and a server reads the value that was given",
        arguments: ["a&b=c", "a=b&a=c", "%26x=1", "+", "\r\nX-Injected: 1", "\0", "e\u{301}", "🇩🇪", "a;b", "~*"])
    func hostile(value: String) throws {
        let text = form(.init("name", value), .init(value, "x"))
        #expect(text.split(separator: "&").count == 2)
        let pairs = try PercentEncoding.formPairs(text)
        #expect(
            pairs.map(\.name.unicodeScalars).map(Array.init) == [
                Array("name".unicodeScalars), Array(value.unicodeScalars),
            ])
        #expect(Array((pairs.first?.value ?? "").unicodeScalars) == Array(value.unicodeScalars))
    }

    @Test("the content type is that of a form")
    func type() {
        let request = RestRequest(method: .post, resource: .data(["x"])).form([.init("a", "b")])
        #expect(request.fields["Content-Type"] == "application/x-www-form-urlencoded")
    }
}

@Suite("The effect of a call on the server")
struct EffectTests {
    @Test(
        "the HTTP method determines the default effect",
        arguments: [
            ("GET", RestRequest.Effect.reads), ("HEAD", .reads), ("OPTIONS", .reads), ("TRACE", .reads),
            ("PUT", .writes(idempotent: true)), ("DELETE", .writes(idempotent: true)),
            ("POST", .writes(idempotent: false)), ("PATCH", .writes(idempotent: false)),
            ("get", .writes(idempotent: false)),
        ])
    func methods(method: String, effect: RestRequest.Effect) {
        var request = RestRequest(method: HTTPMethod(rawValue: method), resource: .data(["x"]))
        #expect(request.effect == effect)
        request.method = .put
        #expect(request.effect == .writes(idempotent: true))
        request.effect = .reads
        request.method = .post
        #expect(request.effect == .reads)
    }

    @Test(
        "the factories set a more precise effect",
        arguments: [
            (RestRequest.query("SELECT Id FROM Account"), RestRequest.Effect.reads),
            (.create("Account", ["Name": "A"]), .writes(idempotent: false)),
            (.update("Account", id: "001000000000001AAA", [:]), .writes(idempotent: false)),
            (.upsert("Account", externalID: "X__c", "1", [:]), .writes(idempotent: true)),
            (.upsert("Account", externalID: "Id", nil, [:]), .writes(idempotent: false)),
            (.delete("Account", id: "001000000000001AAA"), .writes(idempotent: true)),
            (RestRequest.Typed.delete(ids: ["001000000000001AAA"]).request, .writes(idempotent: false)),
            (RestRequest.Typed.retrieve("Account", ids: ["001000000000001AAA"], fields: ["Id"]).request, .reads),
            (Batch([.plainLimits]).request, .reads),
            (Batch([.plainLimits, .create("Account", [:])]).request, .writes(idempotent: false)),
            (.notificationAction("approve", of: "001000000000001AAA"), .writes(idempotent: false)),
        ])
    func factories(request: RestRequest, effect: RestRequest.Effect) {
        #expect(request.effect == effect)
    }

    @Test("the effect decides about retries, and whether an error has a write outcome")
    func sentAgain() async throws {
        let post = RestRequest(method: .post, resource: .data(["x"]))
        for (request, attempts, outcome) in [
            (post, 1, RestError.WriteOutcome.unknown), (post.effect(.writes(idempotent: true)), 3, .unknown),
            (post.effect(.reads), 3, nil),
        ] {
            let transport = StubTransport()
            for _ in 0..<3 { transport.enqueue(status: 500) }
            let client = try RestClient.of(transport, clock: ManualClock(alarmsBeyond: .seconds(20)))
            let error = await #expect(throws: RestError.self) { try await client.send(request) }
            #expect(transport.requests.count == attempts)
            #expect(error?.outcome == outcome)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Simulation
import Testing

@Suite("Composite requests and batches of the client")
struct CompositeRequestTests {
    private func accountAndContact(
        allOrNone: Bool, query: SOQL = "SELECT Nope FROM Account", using references: [Composite.Reference] = []
    ) -> Composite {
        var composite = Composite(allOrNone: allOrNone)
        let account = composite.add(.create("Account", ["Name": "Composed & Co"]), as: "account")
        composite.add(
            .create("Contact", ["LastName": "Roe", "AccountId": account["id"].json]), as: "contact",
            using: [account["id"]])
        composite.add(.query(query), as: "query", using: references)
        return composite
    }

    @Test("parts use values of earlier ones in bodies, paths and bound queries, and each has its own response")
    func references() async throws {
        try await withClient { client, org in
            let id = Composite.Reference("account", "id")
            var composite = accountAndContact(
                allOrNone: true,
                query: "SELECT Id, (SELECT LastName FROM Contacts) FROM Account WHERE Id = \(id)",
                using: [id])
            composite.add(.update("Account", id: id.text, ["Site": "A/b c?"]), as: "change", using: [id])
            let read = composite.add(
                .retrieve("Account", id: id.text, fields: ["Id", "Site"]), as: "read", using: [id])
            let response = try await client.send(composite)
            #expect(response.parts.map(\.head.status) == [201, 201, 200, 204, 200])
            #expect(response.parts.map(\.reference) == ["account", "contact", "query", "change", "read"])
            let parts = try response.get()
            let created = parts[0].payload["id"]?.string
            #expect(parts[0].head.fields["Location"]?.hasSuffix(created ?? "?") == true)
            #expect(parts[2].payload["records"]?[0]?["Contacts"]?["records"]?[0]?["LastName"] == "Roe")
            #expect(parts[3].payload == .empty)
            #expect(try response[read]?.get().payload["Id"]?.string == created)
            #expect(try response["read"]?.get().payload["Site"] == "A/b c?")
            #expect(org.journal.entries.filter { $0.target.contains("/composite") }.count == 1)
        }
    }

    @Test("all or none: every part fails, the cause comes first, and nothing was applied")
    func allOrNone() async throws {
        try await withClient { client, org in
            let response = try await client.send(accountAndContact(allOrNone: true))
            #expect(response.response.head.status == 200)
            #expect(response.failures.map(\.head.status) == [400, 400, 400])
            #expect(response.failures.compactMap { $0.failure?.outcome } == [.notApplied, .notApplied])
            let error = #expect(throws: RestError.self) { try response.get() }
            #expect(error?.code == .api)
            #expect(error?.faults.map(\.errorCode) == [.processingHalted, .processingHalted, .invalidField])
            #expect(error?.faults.map(\.reference) == ["account", "contact", "query"])
            #expect(error?.message.hasPrefix("3 parts failed: query: INVALID_FIELD") == true, "\(error?.message ?? "")")
            #expect(error?.outcome == .notApplied)
            let left = try await client.send(.query("SELECT COUNT() FROM Account WHERE Name = 'Composed & Co'"))
            #expect(left.payload["totalSize"] == 0)
        }
    }

    @Test("not all or none: the other parts are kept, and the error says that something was applied")
    func someKept() async throws {
        try await withClient { client, _ in
            let response = try await client.send(accountAndContact(allOrNone: false))
            #expect(response.parts.map(\.head.status) == [201, 201, 400])
            #expect(response.failures.map(\.reference) == ["query"])
            #expect(response["query"]?.failure?.faults.first?.errorCode == .invalidField)
            let error = #expect(throws: RestError.self) { try response.get() }
            #expect(error?.outcome == .unknown)
        }
    }

    @Test(
        "a batch has a response for each part, and halts at an error if requested",
        arguments: [(true, 412), (false, 200)])
    func batch(halts: Bool, last: Int) async throws {
        try await withClient { client, _ in
            let batch = Batch(
                [
                    .create("Account", ["Name": "Batch"]), .query("SELECT Id FROM Account WHERE Name = \("a&b=c")"),
                    .query("SELECT Nope FROM Account"), RestRequest.Typed.objects.request,
                ], haltsOnError: halts)
            let response = try await client.send(batch)
            #expect(response.parts.map(\.head.status) == [201, 200, 400, last])
            #expect(try response.parts[1].get().payload["totalSize"] == 0)
            #expect(response.parts[2].failure?.faults.first?.errorCode == .invalidField)
            if halts { #expect(response.parts[3].failure?.faults.first?.errorCode == .batchProcessingHalted) }
            #expect(response.failures.count == (halts ? 2 : 1))
            let error = #expect(throws: RestError.self) { try response.get() }
            #expect(error?.faults.first?.errorCode == .invalidField)
            #expect(error?.outcome == .unknown)
        }
    }

    /// Untrusted strings in every position that the server reads, by scalars and not by `Character`.
    private static let injected: [RestRequest] = [
        "@{a.id}", "Dear @{a.Name}!", "@{a.records[0].Id}", "@{a.id}\u{301}", "@{a.id\u{301}}\u{20DD}",
        "@{a.id}\u{200D}x",
    ].flatMap { text in
        [
            .create("Account", ["Name": JSONValue(text)]),
            .create("Account", ["Names": ["Inner": [JSONValue(text)]]]),
            .create("Account", [text: 1]),
            RestRequest.Typed.create([Record.Draft("Account", ["Name": JSONValue(text)])]).request,
            .query("SELECT Id FROM Account WHERE Name = \(text)"),
            RestRequest(
                method: .post, resource: .data(["x"]), fields: ["Content-Type": "application/json"],
                body: .bytes(Array("{\"a\":\"\(text.replacing("@", with: "\\u0040"))\"}".utf8))),
        ]
    }

    @Test(
        "an untrusted string that the server would replace is rejected, even if it is a valid reference",
        arguments: injected)
    func injection(request: RestRequest) async throws {
        let stub = StubTransport()
        let client = try RestClient.of(stub)
        var composite = Composite()
        let first = composite.add(.create("Account", ["Name": "Acme"]), as: "a")
        composite.add(request, as: "b")
        let error = await expectFailure(.invalidRequest) { try await client.send(composite) }
        #expect(error?.message.contains("add(_:as:using:)") == true)
        // A reference that is declared once covers one string, and not another string with the same reference.
        var twice = Composite()
        twice.add(.create("Account", ["Name": "Acme"]), as: "a")
        let fields: JSONObject = ["ParentId": first["id"].json, "Name": first["id"].json]
        twice.add(.create("Account", fields), as: "b", using: [first["id"]])
        await expectFailure(.invalidRequest) { try await client.send(twice) }
        var nowhere = Composite()
        nowhere.add(.create("Account", ["Name": "Acme"]), as: "a")
        nowhere.add(.create("Account", ["Name": "Bolt"]), as: "b", using: [first["id"]])
        let third = await #expect(throws: RestError.self) { try await client.send(nowhere) }
        #expect(third?.message.contains("parts.b.using") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test("a combining mark inside a reference does not hide it")
    func hidden() async throws {
        let stub = StubTransport()
        let client = try RestClient.of(stub)
        var composite = Composite()
        composite.add(.create("Account", ["Name": "Acme"]), as: "a")
        composite.add(.create("Account", ["Name": "@{\u{301}a.id}"]), as: "b")
        let error = await #expect(throws: RestError.self) { try await client.send(composite) }
        #expect(error?.message.contains("refers to no earlier part") == true && stub.requests.isEmpty)
    }

    @Test("headers of a part are sent, except those that describe its body")
    func fields() async throws {
        let stub = StubTransport()
        stub.enqueue(#"{"compositeResponse":[{"httpStatusCode":200,"referenceId":"a","body":{}}]}"#)
        let client = try RestClient.of(stub)
        var composite = Composite()
        composite.isCollated = false
        composite.add(.query("SELECT Id FROM Account WHERE Name = 'a+b'", batchSize: 250), as: "a")
        _ = try await client.send(composite).get()
        guard case .bytes(let bytes)? = stub.requests.first?.body else { return #expect(Bool(false)) }
        let body = try JSONValue(parsing: bytes)
        #expect(
            body == [
                "allOrNone": false, "collateSubrequests": false,
                "compositeRequest": [
                    [
                        "method": "GET", "referenceId": "a", "httpHeaders": ["Sforce-Query-Options": "batchSize=250"],
                        "url":
                            "/services/data/v66.0/query?q=SELECT%20Id%20FROM%20Account%20WHERE%20Name%20%3D%20%27a%2Bb%27",
                    ]
                ],
            ])
    }

    @Test("a composite request of reads is retried after a lost response, and one with a write is not")
    func retries() async throws {
        for (request, isRead) in [(RestRequest.plainLimits, true), (.create("Account", [:]), false)] {
            let stub = StubTransport()
            stub.enqueue(.failure(TransportError(.connectionLost, "reset", mayHaveReachedServer: true)))
            stub.enqueue(#"{"compositeResponse":[{"httpStatusCode":200,"referenceId":"a","body":{}}]}"#)
            let client = try RestClient.of(stub)
            var composite = Composite()
            composite.add(request, as: "a")
            do throws(RestError) {
                _ = try await client.send(composite)
                #expect(isRead)
            } catch {
                #expect(!isRead)
                #expect(error.outcome == .unknown)
            }
            #expect(stub.requests.count == (isRead ? 2 : 1))
        }
    }

    @Test(
        "a response of another shape is not a success",
        arguments: [
            "[]", "{}", #"{"compositeResponse":{}}"#, #"{"compositeResponse":[]}"#,
            #"{"compositeResponse":[{"httpStatusCode":201,"referenceId":"b","body":{}}]}"#,
            #"{"compositeResponse":[{"httpStatusCode":20100,"referenceId":"a","body":{}}]}"#,
            #"{"compositeResponse":[{"referenceId":"a","body":{}}]}"#,
            #"{"results":[],"hasErrors":false}"#, #"{"results":[{"result":null}]}"#,
        ])
    func otherShapes(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        stub.enqueue(body)
        let client = try RestClient.of(stub)
        var composite = Composite()
        composite.add(.create("Account", [:]), as: "a")
        await expectFailure(.decoding, outcome: .unknown) { try await client.send(composite) }
        await expectFailure(.decoding, outcome: .some(nil)) { try await client.send(Batch([.plainLimits])) }
    }
}

@Suite("Composite graphs")
struct GraphRequestTests {
    private static func graph(_ name: String, contact: JSONObject = ["LastName": "Roe"]) -> Composite {
        var graph = Composite(allOrNone: true)
        let account = graph.add(.create("Account", ["Name": JSONValue(name)]), as: "account")
        var contact = contact
        contact["AccountId"] = account["id"].json
        graph.add(.create("Contact", contact), as: "contact", using: [account["id"]])
        return graph
    }

    @Test("each graph is all or none, and a failed graph does not affect the others")
    func separate() async throws {
        try await withClient { client, org in
            var graphs = Composite.Graphs()
            graphs.add(Self.graph("Graph A"), as: "a")
            graphs.add(Self.graph("Graph B", contact: ["Colour": "x"]), as: "b")
            let response = try await client.send(graphs)
            #expect(response.graphs.map(\.isSuccess) == [true, false])
            #expect(response.failures.map(\.id) == ["b"])
            let parts = try #require(try response["a"]?.get())
            let id = try #require(parts[0].payload["id"]?.string)
            let contacts = try await client.send(.query("SELECT LastName FROM Contact WHERE AccountId = \(id)"))
            #expect(contacts.payload["records"]?[0]?["LastName"] == "Roe")
            #expect(response["b"]?.parts["contact"]?.failure?.faults.first?.errorCode == .invalidField)
            let error = #expect(throws: RestError.self) { try response.get() }
            #expect(error?.outcome == .unknown)
            #expect(error?.message.hasPrefix("graph 'b': ") == true)
            let left = try await client.send(.query("SELECT COUNT() FROM Account WHERE Name = 'Graph B'"))
            #expect(left.payload["totalSize"] == 0)
            #expect(org.journal.entries.filter { $0.target.contains("/composite/graph") }.count == 1)
        }
    }

    @Test("five hundred parts fit in one request")
    func many() async throws {
        try await withClient { client, _ in
            var graphs = Composite.Graphs()
            for number in 0..<10 {
                var graph = Composite(allOrNone: true)
                for part in 0..<50 { graph.add(.create("Account", ["Name": "Many graphs"]), as: "p\(part)") }
                graphs.add(graph, as: "g\(number)")
            }
            #expect(try await client.send(graphs).get().map(\.count) == Array(repeating: 50, count: 10))
            let count = try await client.send(.query("SELECT COUNT() FROM Account WHERE Name = 'Many graphs'"))
            #expect(count.payload["totalSize"] == 500)
        }
    }

    private static let rejections: [(String, Composite.Graphs)] = {
        var cases: [(String, Composite.Graphs)] = [("graphs: there are 0", Composite.Graphs())]
        func add(_ reason: String, _ fill: (inout Composite.Graphs) -> Void) {
            var graphs = Composite.Graphs()
            fill(&graphs)
            cases.append((reason, graphs))
        }
        add("graphs.x: the name is used twice") { graphs in
            for _ in 0..<2 { graphs.add(graph("A"), as: "x") }
        }
        add("graphs. : a graph needs a name") { $0.add(graph("A"), as: " ") }
        add("graphs.x: it has no parts") { $0.add(Composite(allOrNone: true), as: "x") }
        add("graphs.x: a graph must be all or none") { graphs in
            var one = Composite()
            one.add(.create("Account", [:]), as: "a")
            graphs.add(one, as: "x")
        }
        add("graphs.x: the part 'q' is not a request for a single record") { graphs in
            var one = Composite(allOrNone: true)
            one.add(.query("SELECT Id FROM Account"), as: "q")
            graphs.add(one, as: "x")
        }
        add("graphs.x: there is a chain of 16 parts") { graphs in
            var one = Composite(allOrNone: true)
            var last = one.add(.create("Account", ["Name": "0"]), as: "p0")
            for number in 1..<16 {
                let id = last["id"]
                last = one.add(.create("Account", ["ParentId": id.json]), as: "p\(number)", using: [id])
            }
            graphs.add(one, as: "x")
        }
        add("graphs.x: there are 16 kinds of parts") { graphs in
            var one = Composite(allOrNone: true)
            for number in 0..<16 { one.add(.create("Thing\(number)__c", [:]), as: "p\(number)") }
            graphs.add(one, as: "x")
        }
        add("graphs: there are 501 parts") { graphs in
            var one = Composite(allOrNone: true)
            for part in 0..<501 { one.add(.create("Account", [:]), as: "p\(part)") }
            graphs.add(one, as: "x")
        }
        add("graphs.x.parts.a.type: must not be empty") { graphs in
            var one = Composite(allOrNone: true)
            one.add(.create(" ", [:]), as: "a")
            graphs.add(one, as: "x")
        }
        return cases
    }()

    @Test("graphs that the server would reject are rejected before they are sent", arguments: rejections.indices)
    func refused(index: Int) async throws {
        let (reason, graphs) = Self.rejections[index]
        let stub = StubTransport()
        let error = await expectFailure(.invalidRequest) { try await client(stub).send(graphs) }
        #expect(error?.message.hasPrefix(reason) == true, "\(error?.message ?? "")")
        #expect(stub.requests.isEmpty)
    }

    @Test(
        "a response of another shape is not a success",
        arguments: [
            "{}", #"{"graphs":[]}"#, #"{"graphs":[{"graphId":"y"}]}"#, #"{"graphs":[{"graphId":"x"}]}"#,
            #"{"graphs":[{"graphId":"x","isSuccessful":true,"graphResponse":{"compositeResponse":[]}}]}"#,
            #"""
            {"graphs":[{"graphId":"x","isSuccessful":true,"graphResponse":{"compositeResponse":[
            {"body":[{"errorCode":"X","message":""}],"httpStatusCode":400,"referenceId":"account"},
            {"body":null,"httpStatusCode":400,"referenceId":"contact"}]}}]}
            """#,
        ])
    func otherShapes(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        var graphs = Composite.Graphs()
        graphs.add(Self.graph("A"), as: "x")
        await expectFailure(.decoding, outcome: .unknown) { try await client(stub).send(graphs) }
    }

    private func client(_ stub: StubTransport) throws -> RestClient { try .of(stub) }
}

// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Testing

@Suite("Graphs of calls")
struct GraphRequestTests {
    private static func graph(_ name: String, contact: JSONObject = ["LastName": "Roe"]) -> Composite {
        var graph = Composite(allOrNone: true)
        let account = graph.add(.create("Account", ["Name": JSONValue(name)]), as: "account")
        var contact = contact
        contact["AccountId"] = account["id"].json
        graph.add(.create("Contact", contact), as: "contact", using: [account["id"]])
        return graph
    }

    @Test("each graph is all or none, and one that fails leaves the others alone")
    func separate() async throws {
        try await withClient { client, org in
            var graphs = Composite.Graphs()
            graphs.add(Self.graph("Graph A"), as: "a")
            graphs.add(Self.graph("Graph B", contact: ["Colour": "x"]), as: "b")
            let answer = try await client.send(graphs)
            #expect(answer.graphs.map(\.isSuccess) == [true, false])
            #expect(answer.failures.map(\.id) == ["b"])
            let parts = try #require(try answer["a"]?.get())
            let id = try #require(parts[0].payload["id"]?.string)
            let contacts = try await client.send(.query("SELECT LastName FROM Contact WHERE AccountId = \(id)"))
            #expect(contacts.payload["records"]?[0]?["LastName"] == "Roe")
            #expect(answer["b"]?.parts["contact"]?.failure?.faults.first?.errorCode == .invalidField)
            let error = #expect(throws: RestError.self) { try answer.get() }
            #expect(error?.outcome == .unknown)
            #expect(error?.message.hasPrefix("graph 'b': ") == true)
            let left = try await client.send(.query("SELECT COUNT() FROM Account WHERE Name = 'Graph B'"))
            #expect(left.payload["totalSize"] == 0)
            #expect(org.journal.entries.filter { $0.target.contains("/composite/graph") }.count == 1)
        }
    }

    @Test("five hundred parts in one request")
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

    private static let refusals: [(String, Composite.Graphs)] = {
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
        add("graphs.x: a graph is all or none") { graphs in
            var one = Composite()
            one.add(.create("Account", [:]), as: "a")
            graphs.add(one, as: "x")
        }
        add("graphs.x: the part 'q' is none about a single record") { graphs in
            var one = Composite(allOrNone: true)
            one.add(.query("SELECT Id FROM Account"), as: "q")
            graphs.add(one, as: "x")
        }
        add("graphs.x: a chain of 16 parts") { graphs in
            var one = Composite(allOrNone: true)
            var last = one.add(.create("Account", ["Name": "0"]), as: "p0")
            for number in 1..<16 {
                let id = last["id"]
                last = one.add(.create("Account", ["ParentId": id.json]), as: "p\(number)", using: [id])
            }
            graphs.add(one, as: "x")
        }
        add("graphs.x: 16 kinds of parts") { graphs in
            var one = Composite(allOrNone: true)
            for number in 0..<16 { one.add(.create("Thing\(number)__c", [:]), as: "p\(number)") }
            graphs.add(one, as: "x")
        }
        add("graphs: they have 501 parts") { graphs in
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

    @Test("what the server would refuse is refused before it is sent", arguments: refusals.indices)
    func refused(index: Int) async throws {
        let (reason, graphs) = Self.refusals[index]
        let stub = StubTransport()
        let error = await #expect(throws: RestError.self) { try await client(stub).send(graphs) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasPrefix(reason) == true, "\(error?.message ?? "")")
        #expect(stub.requests.isEmpty)
    }

    @Test(
        "an answer of another shape is no success",
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
        let error = await #expect(throws: RestError.self) { try await client(stub).send(graphs) }
        #expect(error?.code == .decoding)
        #expect(error?.outcome == .unknown)
    }

    private func client(_ stub: StubTransport) throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: stub))
    }
}

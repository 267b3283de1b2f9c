// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import RestTransport
import Simulation
import Testing

@Suite("Salesforce headers of a call")
struct CallOptionTests {
    private static var all: RestRequest.CallOptions {
        var options = RestRequest.CallOptions(clientName: "My App/1.0")
        options.defaultNamespace = "ns"
        options.autoAssign = .off
        options.duplicateRule = .init(allowsSave: true, includesRecordDetails: false, runsAsCurrentUser: true)
        options.updatesRecentlyUsed = true
        options.batchSize = 500
        options.disablesBatchRetry = true
        options.packageVersions = ["b": "2.10", "a": "1.0"]
        return options
    }

    @Test("each option is a header, for all calls of a client")
    func perClient() async throws {
        let stub = StubTransport()
        stub.enqueue("{}")
        stub.enqueue("{}")
        let client = try RestClient.of(stub) { $0.options = Self.all }
        _ = try await client.send(.plainLimits)
        let expected = [
            "Sforce-Call-Options": "client=My App/1.0, defaultNamespace=ns", "Sforce-Auto-Assign": "FALSE",
            "Sforce-Duplicate-Rule-Header": "allowSave=true, includeRecordDetails=false, runAsCurrentUser=true",
            "Sforce-Mru": "updateMru=true", "Sforce-Query-Options": "batchSize=500",
            "Sforce-Disable-Batch-Retry": "TRUE",
            "x-sfdc-packageversion-a": "1.0", "x-sfdc-packageversion-b": "2.10",
        ]
        for (name, value) in expected { #expect(stub.requests[0].fields[name] == value, "\(name)") }
        var own = RestRequest.CallOptions()
        own.defaultNamespace = "other"
        own.autoAssign = .rule("01Q000000000001AAA")
        _ = try await client.send(.query("SELECT Id FROM A", batchSize: 200).options(own))
        let fields = stub.requests[1].fields
        #expect(fields["Sforce-Call-Options"] == "client=My App/1.0, defaultNamespace=other")
        #expect(fields["Sforce-Auto-Assign"] == "01Q000000000001AAA")
        #expect(fields["Sforce-Query-Options"] == "batchSize=200")
        #expect(fields["Sforce-Mru"] == "updateMru=true")
    }

    @Test("the org pages by them, also on later pages and in parts of a composite request")
    func atTheOrg() async throws {
        try await withClient { client, org in
            let drafts = (0..<450).map { Record.Draft("Account", ["Name": JSONValue("Option \($0)")]) }
            _ = try await client.createAll(drafts).get()
            var options = RestRequest.CallOptions()
            options.batchSize = 200
            options.clientName = "pager"
            var sizes: [Int] = []
            let first = RestRequest.query("SELECT Id FROM Account WHERE Name LIKE 'Option %'").options(options)
            var page = try await client.send(first)
            sizes.append(page.payload["records"]?.array?.count ?? 0)
            while let next = page.payload["nextRecordsUrl"]?.string {
                page = try await client.send(.nextPage(next).options(options))
                sizes.append(page.payload["records"]?.array?.count ?? 0)
            }
            #expect(sizes == [200, 200, 50])
            let fields = org.journal.entries.filter { $0.target.contains("/query") }.map {
                $0.field("Sforce-Call-Options")
            }
            #expect(fields == ["client=pager", "client=pager", "client=pager"])
            var composite = Composite()
            composite.add(first, as: "page")
            let part = try await client.send(composite).get()[0]
            #expect(part.payload["records"]?.array?.count == 200)
        }
    }

    private static let rejections: [(String, @Sendable (inout RestRequest.CallOptions) -> Void)] = [
        ("options.clientName", { $0.clientName = "a\r\nX: y" }), ("options.clientName", { $0.clientName = "" }),
        ("options.defaultNamespace", { $0.defaultNamespace = "a,b=c" }),
        ("options.autoAssign", { $0.autoAssign = .rule("x") }),
        ("options.batchSize", { $0.batchSize = 1 }),
        ("options.packageVersions", { $0.packageVersions = ["a b": "1.0"] }),
        ("options.packageVersions", { $0.packageVersions = ["a": "1\r\n"] }),
    ]

    @Test(
        "a value that is invalid in a header is rejected, for calls, clients and parts", arguments: rejections.indices)
    func refused(index: Int) async throws {
        let (argument, change) = Self.rejections[index]
        var options = RestRequest.CallOptions()
        change(&options)
        let stub = StubTransport()
        var composite = Composite()
        composite.add(.plainLimits.options(options), as: "part")
        let part = composite
        let errors = [
            await #expect(throws: RestError.self) { try await RestClient.of(stub).send(.plainLimits.options(options)) },
            await #expect(throws: RestError.self) {
                try await RestClient.of(stub) { $0.options = options }.send(.plainLimits)
            },
            await #expect(throws: RestError.self) { try await RestClient.of(stub).send(part) },
        ]
        #expect(errors.allSatisfy { $0?.message.contains("\(argument): ") == true }, "\(errors)")
        #expect(stub.requests.isEmpty)
    }

    @Test("a batch cannot have headers for its parts, so it rejects options")
    func batches() async throws {
        let batch = Batch([.plainLimits.options(Self.all)])
        await expectFailure(.invalidRequest) { try await RestClient.of(StubTransport()).send(batch) }
    }
}

@Suite("Traces (W3C Trace Context)")
struct TraceContextTests {
    @Test("with tracing enabled, each call is a span of a trace, and its events have the ids that were sent")
    func calls() async throws {
        let org = try await LocalOrg.start()
        let events = RestEvent.Stream()
        var configuration = RestClient.Configuration(eventSink: events)
        configuration.tracesCalls = true
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: configuration)
        org.faults.add(.status(503, code: "SERVER_UNAVAILABLE"), matching: "/limits")
        _ = try await client.send(.plainLimits)
        let sent = org.journal.entries.filter { $0.target.hasSuffix("/limits") }.map { $0.field("traceparent") ?? "" }
        #expect(sent.count == 2 && Set(sent).count == 1)
        let trace = try #require(RestRequest.TraceContext(parent: sent[0]))
        #expect(trace.isSampled)
        for await event in events.events {
            #expect(event.trace?.parent == sent[0])
            #expect(event.description.contains(trace.traceID))
            if case .callSucceeded = event.kind { break }
        }
        await org.stop()
    }

    @Test("a call can be a span of a given trace")
    func parent() async throws {
        let stub = StubTransport()
        for _ in 0..<3 { stub.enqueue("{}") }
        let client = try RestClient.of(stub)
        let parent = try #require(
            RestRequest.TraceContext(
                parent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", state: "vendor=1"))
        var request = RestRequest.plainLimits
        request.trace = parent
        _ = try await client.send(request)
        let sent = try #require(stub.requests[0].fields["traceparent"].flatMap { RestRequest.TraceContext(parent: $0) })
        #expect(sent.traceID == parent.traceID && sent.spanID != parent.spanID && !sent.isSampled)
        #expect(stub.requests[0].fields["tracestate"] == "vendor=1")
        _ = try await client.send(request.field("traceparent", "own"))
        #expect(stub.requests[1].fields["traceparent"] == "own")
        _ = try await client.send(.plainLimits)
        #expect(stub.requests[2].fields["traceparent"] == nil)
    }

    @Test(
        "an invalid trace header starts no trace",
        arguments: [
            "", "00", "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
        ])
    func malformed(text: String) {
        #expect(RestRequest.TraceContext(parent: text) == nil)
    }

    @Test("a later version of the header is read as far as it is known, and an invalid state is dropped")
    func laterVersions() throws {
        let later = try #require(
            RestRequest.TraceContext(
                parent: "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", state: "a\r\nb"))
        #expect(later.isSampled && later.state == nil)
        #expect(RestRequest.TraceContext().traceID != RestRequest.TraceContext().traceID)
    }
}

// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Testing

@Suite("Limits, list views, actions and Apex of the org")
struct OrgResourceTests {
    @Test("limits and record counts are typed")
    func limits() async throws {
        try await withClient { client, _ in
            let limits = try await client.send(.limits)
            let daily = try #require(limits.dailyAPIRequests)
            #expect(daily.remaining < daily.maximum)
            #expect(limits.dataStorage != nil && limits["None"] == nil)
            let counts = try await client.send(.recordCounts(of: ["Account", "Contact", "None"]))
            #expect(Set(counts.keys) == ["Account", "Contact"])
            _ = try await client.send(.create([Record.Draft("Account", ["Name": "Counted"])])).get()
            let after = try await client.send(.recordCounts(of: ["Account"]))["Account"]
            #expect(after == (counts["Account"] ?? 0) + 1)
        }
    }

    @Test("limits of single apps are read, and a response has the usage of its app")
    func appUsage() async throws {
        let stub = StubTransport()
        stub.enqueue(
            fields: ["Sforce-Limit-Info": "api-usage=18/5000; per-app-api-usage=17/250(appName=sample app)"],
            #"{"DailyApiRequests":{"Max":5000,"Remaining":-2,"My App":{"Max":0,"Remaining":0}}}"#)
        let client = try RestClient.of(stub)
        let limits = try await client.send(.limits)
        #expect(limits.dailyAPIRequests?.remaining == -2)
        #expect(limits.dailyAPIRequests?.apps["My App"]?.maximum == 0)
        #expect(client.allowance?.app == RestClient.APIAllowance.App(name: "sample app", used: 17, allowed: 250))
    }

    @Test(
        "malformed limits are errors",
        arguments: [
            "[]", #"{"A":1}"#, #"{"A":{"Max":-1,"Remaining":0}}"#, #"{"A":{"Max":1,"Remaining":1e300}}"#,
            #"{"A":{"Max":1,"Remaining":1,"App":{"Max":"x"}}}"#,
        ])
    func oddLimits(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        await expectFailure(.decoding) { try await RestClient.of(stub).send(.limits) }
    }

    private static let root = "/services/data/v66.0"

    private func targets(_ stub: StubTransport) -> [String] {
        stub.requests.map { "\($0.method.rawValue) \($0.url.target.dropFirst(Self.root.count))" }
    }

    @Test("actions are listed, described and invoked, and each input has its own result")
    func actions() async throws {
        try await withClient { client, org in
            org.actions.handle(
                .apex, "Halve", inputs: [.init("number", .number, isRequired: true)], outputs: [.init("half", .number)]
            ) { input in .success(["half": JSONValue((input["number"]?.int ?? 0) / 2)]) }
            let action = try await client.send(.describeAction(.custom("apex", "Halve")))
            #expect(action.inputs.map(\.name) == ["number"] && action.inputs[0].isRequired)
            let done = try await client.send(.invoke(.custom("apex", "Halve"), [["number": 8]]))
            #expect(done.map(\.isSuccess) == [true])
            #expect(try done[0].get()["half"] == 4)
            let mixed = try await client.send(.invoke(.custom("apex", "Halve"), [["number": 8], [:]]))
            #expect(mixed.map(\.isSuccess) == [true, false])
            let fault = #expect(throws: APIFault.self) { try mixed[1].get() }
            #expect(fault?.message.contains("number") == true)
            await expectFailure(.notFound) { try await client.send(.invoke(.custom("apex", "No"), [[:]])) }
        }
        let stub = StubTransport()
        stub.enqueue(
            #"{"actions":[{"label":"Send Email","name":"emailSimple","type":"EMAILSIMPLE","url":"/services/data/x"}]}"#)
        #expect(try await RestClient.of(stub).send(.standardActions).map(\.name) == ["emailSimple"])
        #expect(targets(stub) == ["GET /actions/standard"])
    }

    @Test("methods and URLs of list views, reports, quick actions and layouts are as documented")
    func addresses() async throws {
        let view = "/sobjects/Account/listviews"
        let below = "/sobjects/Account/quickActions"
        let requests: [(RestRequest, String)] = [
            (.listViews(of: "Account"), "GET \(view)"),
            (.describeListView(Self.id, of: "Account"), "GET \(view)/\(Self.id)/describe"),
            (
                .listViewResults(Self.id, of: "Account", limit: 1, offset: 2),
                "GET \(view)/\(Self.id)/results?limit=1&offset=2"
            ),
            (.reports, "GET /analytics/reports"),
            (.describeReport(Self.id), "GET /analytics/reports/\(Self.id)/describe"),
            (.runReport(Self.id, includesDetails: false), "GET /analytics/reports/\(Self.id)?includeDetails=false"),
            (.quickActions(), "GET /quickActions"), (.quickActions(of: "Account"), "GET \(below)"),
            (.describeQuickAction("New", of: "Account"), "GET \(below)/New/describe"),
            (
                .quickActionDefaults("New", of: "Account", for: Self.id),
                "GET \(below)/New/defaultValues/\(Self.id)"
            ),
            (.performQuickAction("New", of: "Account", for: Self.id, ["LastName": "Quick"]), "POST \(below)/New"),
            (.layouts(of: "Account"), "GET /sobjects/Account/describe/layouts"),
            (.layouts(of: "Account", recordType: Self.id), "GET /sobjects/Account/describe/layouts/\(Self.id)"),
            (.compactLayouts(of: "Contact"), "GET /sobjects/Contact/describe/compactLayouts"),
            (.primaryCompactLayouts(of: ["Account", "Contact"]), "GET /compactLayouts?q=Account%2CContact"),
        ]
        let stub = StubTransport()
        let client = try RestClient.of(stub)
        for (request, _) in requests {
            stub.enqueue("{}")
            _ = try await client.send(request)
        }
        #expect(targets(stub) == requests.map(\.1))
        let performed = try #require(stub.requests.first { $0.method == .post }?.body.inMemory)
        let sent = try JSONValue(parsing: performed)
        #expect(sent["contextId"]?.string == Self.id && sent["record"]?["LastName"] == "Quick")
    }

    @Test("Apex REST code can be called with any path and a body")
    func apexREST() async throws {
        try await withClient { client, org in
            org.apex.handle("/orders/*") { request in
                let text = "\(request.method) \(request.path) \(request.query.map { "\($0.name)=\($0.value)" })"
                return ApexResponse(
                    body: JSONValue(["echo": JSONValue(text), "size": JSONValue(request.body.count)]).bytes())
            }
            let read = try await client.send(.apex(["orders", "a/b ?#"], query: [.init("q", "1&2")]))
            #expect(read.payload["echo"]?.string?.contains("GET /orders/a/b ?# [\"q=1&2\"]") == true)
            let written = try await client.send(.apex(["orders"], method: .post, body: ["x": 1]))
            #expect(written.payload["size"] == 7)
            #expect(RestRequest.apex(["orders"], method: .post).effect == .writes(idempotent: false))
        }
    }

    private static let id = "001000000000001AAA"

    @Test(
        "invalid arguments are rejected by name",
        arguments: [
            (.listViews(of: " "), "type"), (.describeListView("", of: "A"), "id"),
            (.listViewResults("x", of: "A", limit: 0), "limit"),
            (.listViewResults("x", of: "A", offset: 2_001), "offset"),
            (RestRequest.Typed.invoke(.standard("x"), []).request, "inputs"),
            (RestRequest.Typed.describeAction(.custom("apex", " ")).request, "action"),
            (.quickActions(of: ""), "type"), (.performQuickAction(" ", [:]), "name"),
            (.performQuickAction("x", for: "y", [:]), "id"), (.quickActionDefaults("x", for: "y"), "id"),
            (.apex([]), "path"), (.apex(["..", "data"]), "path"),
            (RestRequest.Typed.executeAnonymous(" ").request, "code"),
            (.namedQuery(" "), "name"), (.namedQuery("x", batchSize: 1), "batchSize"),
            (.layouts(of: "A", recordType: "x"), "recordType"), (.compactLayouts(of: ""), "type"),
            (.primaryCompactLayouts(of: []), "types"), (.runReport("x"), "id"), (.describeReport(""), "id"),
        ] as [(RestRequest, String)])
    func refused(request: RestRequest, argument: String) async throws {
        let stub = StubTransport()
        let error = await #expect(throws: RestError.self) { try await RestClient.of(stub).send(request) }
        #expect(error?.message.hasPrefix("\(argument): ") == true, "\(error?.message ?? "")")
        #expect(stub.requests.isEmpty)
    }
}

// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Testing

@Suite("Limits, list views, actions, tooling and code of the org")
struct OrgResourceTests {
    @Test("limits and counts of records, typed")
    func limits() async throws {
        try await withClient { client, _ in
            let limits = try await client.limits()
            let daily = try #require(limits.dailyAPIRequests)
            #expect(daily.remaining < daily.maximum)
            #expect(limits.dataStorage != nil && limits["None"] == nil)
            let counts = try await client.recordCounts(of: ["Account", "Contact", "None"])
            #expect(Set(counts.keys) == ["Account", "Contact"])
            _ = try await client.create([RecordDraft("Account", ["Name": "Counted"])]).get()
            let after = try await client.recordCounts(of: ["Account"])["Account"]
            #expect(after == (counts["Account"] ?? 0) + 1)
        }
    }

    @Test("limits of single apps, and what an app used as an answer tells it")
    func appUsage() async throws {
        let stub = StubTransport()
        stub.enqueue(
            fields: ["Sforce-Limit-Info": "api-usage=18/5000; per-app-api-usage=17/250(appName=sample app)"],
            #"{"DailyApiRequests":{"Max":5000,"Remaining":-2,"My App":{"Max":0,"Remaining":0}}}"#)
        let client = try RestClient.of(stub)
        let limits = try await client.limits()
        #expect(limits.dailyAPIRequests?.remaining == -2)
        #expect(limits.dailyAPIRequests?.apps["My App"]?.maximum == 0)
        #expect(client.allowance?.app == APIAllowance.App(name: "sample app", used: 17, allowed: 250))
    }

    @Test(
        "limits that no org has are errors",
        arguments: [
            "[]", #"{"A":1}"#, #"{"A":{"Max":-1,"Remaining":0}}"#, #"{"A":{"Max":1,"Remaining":1e300}}"#,
            #"{"A":{"Max":1,"Remaining":1,"App":{"Max":"x"}}}"#,
        ])
    func oddLimits(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        await expectFailure(.decoding) { try await RestClient.of(stub).limits() }
    }

    private static let root = "/services/data/v66.0"

    /// The targets of the requests that a transport got.
    private func targets(_ stub: StubTransport) -> [String] {
        stub.requests.map { "\($0.method.rawValue) \($0.url.target.dropFirst(Self.root.count))" }
    }

    @Test("list views: their list, their columns, their results, and all of their records")
    func listViews() async throws {
        let stub = StubTransport()
        let id = "00B000000000001AAA"
        stub.enqueue(
            #"""
            {"done":true,"nextRecordsUrl":null,"size":1,"listviews":[{"id":"00B000000000001AAA","label":"All Accounts",
            "developerName":"AllAccounts","soqlCompatible":true,"describeUrl":"/d","resultsUrl":"/r","url":"/u"}]}
            """#)
        let describe = #"""
            {"id":"00B000000000001AAA","sobjectType":"Account","query":"SELECT Name, Id FROM Account","scope":null,
            "columns":[{"fieldNameOrPath":"Name","label":"Account Name","hidden":false,"sortable":true,"type":"string"},
            {"fieldNameOrPath":"Id","label":"Id","hidden":true,"sortable":false,"type":"id"}],"orderBy":[],"whereCondition":null}
            """#
        stub.enqueue(describe)
        stub.enqueue(
            #"""
            {"done":false,"id":"00B000000000001AAA","size":1,"columns":[{"fieldNameOrPath":"Name","label":"Account Name",
            "hidden":false,"sortable":true,"type":"string"}],"records":[{"columns":[{"fieldNameOrPath":"Name","value":"A"},
            {"fieldNameOrPath":"Id","value":"001000000000001AAA"}]}]}
            """#)
        stub.enqueue(describe)
        stub.enqueue(#"{"totalSize":1,"done":true,"records":[{"Name":"A","Id":"001000000000001AAA"}]}"#)
        let client = try RestClient.of(stub)
        let views = try await client.listViews(of: "Account")
        #expect(views.map(\.developerName) == ["AllAccounts"] && views.map(\.id) == [id])
        let definition = try await client.describeListView(id, of: "Account")
        #expect(definition.columns.contains { $0.path == "Name" && !$0.isHidden && $0.isSortable })
        let page = try await client.listViewResults(id, of: "Account", limit: 1, offset: 2)
        #expect(page.rows.map { $0["Name"] } == ["A"])
        var names: [String?] = []
        for try await record in try await client.records(ofListView: id, of: "Account") {
            names.append(record["Name"]?.string)
        }
        #expect(names == ["A"])
        let view = "GET /sobjects/Account/listviews/\(id)"
        #expect(
            targets(stub) == [
                "GET /sobjects/Account/listviews", view + "/describe", view + "/results?limit=1&offset=2",
                view + "/describe", "GET /query?q=SELECT%20Name%2C%20Id%20FROM%20Account",
            ])
    }

    @Test("pages of list views that lead in a circle are an error")
    func circle() async throws {
        let stub = StubTransport()
        for _ in 0..<3 {
            stub.enqueue(
                #"{"listviews":[{"id":"1"}],"nextRecordsUrl":"/services/data/v66.0/sobjects/A/listviews?x"}"#)
        }
        await expectFailure(.decoding) { try await RestClient.of(stub).listViews(of: "A") }
        #expect(stub.requests.count == 2)
    }

    @Test("actions are listed, described and invoked, each input with its own result")
    func actions() async throws {
        try await withClient { client, org in
            org.actions.handle(
                .apex, "Halve", inputs: [.init("number", .number, isRequired: true)], outputs: [.init("half", .number)]
            ) { input in .success(["half": JSONValue((input["number"]?.int ?? 0) / 2)]) }
            let action = try await client.describeAction(.custom("apex", "Halve"))
            #expect(action.inputs.map(\.name) == ["number"] && action.inputs[0].isRequired)
            let done = try await client.invoke(.custom("apex", "Halve"), [["number": 8]])
            #expect(done.map(\.isSuccess) == [true])
            #expect(try done[0].get()["half"] == 4)
            let mixed = try await client.invoke(.custom("apex", "Halve"), [["number": 8], [:]])
            #expect(mixed.map(\.isSuccess) == [true, false])
            let fault = #expect(throws: APIFault.self) { try mixed[1].get() }
            #expect(fault?.message.contains("number") == true)
            await expectFailure(.notFound) { try await client.invoke(.custom("apex", "No"), [[:]]) }
        }
        let stub = StubTransport()
        stub.enqueue(
            #"{"actions":[{"label":"Send Email","name":"emailSimple","type":"EMAILSIMPLE","url":"/services/data/x"}]}"#)
        #expect(try await RestClient.of(stub).standardActions().map(\.name) == ["emailSimple"])
        #expect(targets(stub) == ["GET /actions/standard"])
    }

    @Test("quick actions are listed, described and performed, below an object too")
    func quickActions() async throws {
        let stub = StubTransport()
        let summary = #"{"label":"New Contact","name":"Account.NewContact","type":"Create","urls":{}}"#
        stub.enqueue("[\(summary)]")
        stub.enqueue("[\(summary)]")
        stub.enqueue(
            #"""
            {"label":"New Contact","name":"Account.NewContact","type":"Create","targetSobjectType":"Contact",
            "contextSobjectType":"Account","targetParentField":"AccountId","layout":null}
            """#)
        stub.enqueue(
            status: 201,
            #"{"contextId":"001000000000001AAA","created":true,"errors":[],"id":"003000000000001AAA","success":true}"#)
        stub.enqueue(#"{"attributes":{"type":"Contact"},"AccountId":"001000000000001AAA"}"#)
        let client = try RestClient.of(stub)
        #expect(try await client.quickActions().map(\.name) == ["Account.NewContact"])
        let name = try #require(try await client.quickActions(of: "Account").first).name
        let description = try await client.describeQuickAction(name, of: "Account")
        #expect(description.target == "Contact" && description.parentField == "AccountId")
        let contact = try await client.performQuickAction(name, of: "Account", for: Self.id, ["LastName": "Quick"])
        #expect(contact == "003000000000001AAA")
        let defaults = try await client.send(.quickActionDefaults(name, of: "Account", for: Self.id))
        #expect(defaults.payload["attributes"]?["type"] == "Contact")
        let below = "/sobjects/Account/quickActions"
        #expect(
            targets(stub) == [
                "GET /quickActions", "GET \(below)", "GET \(below)/\(name)/describe", "POST \(below)/\(name)",
                "GET \(below)/\(name)/defaultValues/\(Self.id)",
            ])
        guard case .bytes(let body) = stub.requests[3].body else { return #expect(Bool(false), "no body") }
        let sent = try JSONValue(parsing: body)
        #expect(sent["contextId"]?.string == Self.id && sent["record"]?["LastName"] == "Quick")
    }

    @Test("reports are listed, described and run, with and without their rows")
    func reports() async throws {
        let stub = StubTransport()
        let id = "00O000000000001AAA"
        stub.enqueue(#"[{"id":"00O000000000001AAA","name":"All Accounts","url":"/u","describeUrl":"/d"}]"#)
        stub.enqueue(
            #"""
            {"reportMetadata":{"id":"00O000000000001AAA","name":"All Accounts","reportFormat":"TABULAR",
            "detailColumns":["Account.Name"]},"reportExtendedMetadata":{"detailColumnInfo":{"Account.Name":
            {"label":"Account Name","dataType":"string"}}}}
            """#)
        let aggregates = #""aggregates":[{"label":"1","value":1}]"#
        let metadata = #""reportMetadata":{"detailColumns":["Account.Name"],"reportFormat":"TABULAR"}"#
        stub.enqueue(
            #"""
            {"allData":true,\#(metadata),"factMap":{"T!T":{"rows":[{"dataCells":[{"label":"A",
            "value":"001000000000001AAA"}]}],\#(aggregates)}}}
            """#)
        stub.enqueue(#"{"allData":true,\#(metadata),"factMap":{"T!T":{\#(aggregates)}}}"#)
        stub.enqueue(status: 404, #"[{"errorCode":"NOT_FOUND","message":"no report"}]"#)
        let client = try RestClient.of(stub) { $0.retryPolicy = .never }
        #expect(try await client.reports().map(\.name) == ["All Accounts"])
        let definition = try await client.describeReport(id)
        #expect(definition.format == "TABULAR" && definition.columns.first?.name == "Account.Name")
        let results = try await client.runReport(id)
        #expect(results.rows.count == 1 && results.isComplete)
        #expect(results.rows.first?.first?.value.string == Self.id)
        let sums = try await client.runReport(id, includesDetails: false)
        #expect(sums.rows.isEmpty && sums.facts["T!T"]?.aggregates.first?.value.int == 1)
        await expectFailure(.notFound) { try await client.runReport(id) }
        #expect(targets(stub).prefix(2) == ["GET /analytics/reports", "GET /analytics/reports/\(id)/describe"])
        #expect(targets(stub)[3].hasSuffix("/analytics/reports/\(id)?includeDetails=false"))
    }

    @Test("groups of a report, and answers that are none")
    func groupedReports() async throws {
        let stub = StubTransport()
        stub.enqueue(
            #"""
            {"reportMetadata":{"detailColumns":["A"],"reportFormat":"SUMMARY"},"factMap":{"0!T":{"rows":[],"aggregates":[{"label":"2","value":2}]}},
            "groupingsDown":{"groupings":[{"key":"0","label":"Energy","groupings":[{"key":"0_0","label":"x"}]}]}}
            """#)
        let client = try RestClient.of(stub)
        let results = try await client.runReport("00O000000000001AAA")
        #expect(results.groupingsDown.map(\.label) == ["Energy"] && results.facts["0!T"]?.aggregates.first?.value == 2)
        #expect(results.groupingsDown[0].groupings.map(\.key) == ["0_0"])
        for body in [
            "{}", "[]", #"{"reportMetadata":{"detailColumns":[]}}"#,
            #"{"reportMetadata":{"detailColumns":[]},"factMap":{"T!T":{"rows":1}}}"#,
        ] {
            stub.enqueue(body)
            let error = await #expect(throws: RestError.self) { try await client.runReport("00O000000000001AAA") }
            #expect(error?.code == .decoding, "\(body)")
        }
    }

    @Test("code of the org that answers REST requests, with any path and a body")
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

    @Test("the Tooling API: queries of any length and descriptions")
    func tooling() async throws {
        let stub = StubTransport()
        let next = "/services/data/v66.0/tooling/query/01g-200"
        stub.enqueue(#"{"totalSize":2,"done":false,"nextRecordsUrl":"\#(next)","records":[{"Id":"1"}]}"#)
        stub.enqueue(#"{"totalSize":2,"done":true,"records":[{"Id":"2"}]}"#)
        stub.enqueue(#"{"name":"ApexClass","fields":[]}"#)
        stub.enqueue(#"{"encoding":"UTF-8","sobjects":[{"name":"ApexClass"}]}"#)
        let client = try RestClient.of(stub)
        var ids: [String?] = []
        for try await record in client.toolingRecords("SELECT Id FROM ApexClass", batchSize: 200) {
            ids.append(record["Id"]?.string)
        }
        #expect(ids == ["1", "2"])
        #expect(try await client.toolingDescribe("ApexClass").name == "ApexClass")
        #expect(try await client.send(.toolingObjects).payload["sobjects"]?.array?.isEmpty == false)
        #expect(
            targets(stub) == [
                "GET /tooling/query?q=SELECT%20Id%20FROM%20ApexClass", "GET /tooling/query/01g-200",
                "GET /tooling/sobjects/ApexClass/describe", "GET /tooling/sobjects",
            ])
    }

    @Test("what came of code that was run: done, not compiled, thrown")
    func anonymous() async throws {
        let stub = StubTransport()
        stub.enqueue(
            #"{"line":-1,"column":-1,"compiled":true,"success":true,"compileProblem":null,"exceptionMessage":null}"#)
        stub.enqueue(#"{"line":2,"column":7,"compiled":false,"success":false,"compileProblem":"Unexpected token"}"#)
        stub.enqueue(
            #"{"line":1,"column":1,"compiled":true,"success":false,"exceptionMessage":"System.NullPointerException"}"#)
        stub.enqueue(#"{"success":true}"#)
        let client = try RestClient.of(stub)
        let done = try await client.executeAnonymous("System.debug('x');")
        #expect(done.isSuccess && done.position == nil)
        try done.get()
        let broken = try await client.executeAnonymous("System.")
        let error = #expect(throws: RestError.self) { try broken.get() }
        #expect(error?.message == "Unexpected token (line 2, column 7)" && error?.outcome == .notApplied)
        let thrown = try await client.executeAnonymous("x();")
        #expect(thrown.isCompiled && !thrown.isSuccess && thrown.exceptionMessage != nil)
        await expectFailure(.decoding) { try await client.executeAnonymous("y();") }
        #expect(RestRequest.executeAnonymous("x").effect == .writes(idempotent: false))
    }

    private static let id = "001000000000001AAA"

    @Test(
        "wrong arguments are refused, naming them",
        arguments: [
            (.listViews(of: " "), "type"), (.describeListView("", of: "A"), "id"),
            (.listViewResults("x", of: "A", limit: 0), "limit"),
            (.listViewResults("x", of: "A", offset: 2_001), "offset"),
            (.invoke(.standard("x"), []), "inputs"), (.describeAction(.custom("apex", " ")), "action"),
            (.quickActions(of: ""), "type"), (.performQuickAction(" ", [:]), "name"),
            (.performQuickAction("x", for: "y", [:]), "id"), (.quickActionDefaults("x", for: "y"), "id"),
            (.apex([]), "path"), (.apex(["..", "data"]), "path"), (.executeAnonymous(" "), "code"),
            (.toolingQuery(" "), "soql"), (.namedQuery(" "), "name"), (.namedQuery("x", batchSize: 1), "batchSize"),
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

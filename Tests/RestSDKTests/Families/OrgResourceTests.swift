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
        let error = await #expect(throws: RestError.self) { try await RestClient.of(stub).limits() }
        #expect(error?.code == .decoding)
    }

    @Test("list views: their list, their columns, their results, and all of their records")
    func listViews() async throws {
        try await withClient { client, _ in
            let views = try await client.listViews(of: "Account")
            let all = try #require(views.first { $0.developerName.hasPrefix("All") })
            let definition = try await client.describeListView(all.id, of: "Account")
            #expect(definition.columns.contains { $0.path == "Name" && !$0.isHidden && $0.isSortable })
            let first = try await client.listViewResults(all.id, of: "Account", limit: 2)
            let second = try await client.listViewResults(all.id, of: "Account", limit: 2, offset: 2)
            #expect(first.rows.count == 2)
            #expect(Set((first.rows + second.rows).map { $0["Id"] }).count == 4)
            var names: [String?] = []
            for try await record in try await client.records(ofListView: all.id, of: "Account") {
                names.append(record["Name"]?.string)
            }
            let shown: [String?] = (first.rows + second.rows).map { $0["Name"] }
            #expect(Array(names.prefix(4)) == shown)
            let count = try await client.recordCounts(of: ["Account"])["Account"]
            #expect(names.count == count)
        }
    }

    @Test("pages of list views that lead in a circle are an error")
    func circle() async throws {
        let stub = StubTransport()
        for _ in 0..<3 {
            stub.enqueue(
                #"{"listviews":[{"id":"1"}],"nextRecordsUrl":"/services/data/v66.0/sobjects/A/listviews?x"}"#)
        }
        let error = await #expect(throws: RestError.self) { try await RestClient.of(stub).listViews(of: "A") }
        #expect(error?.code == .decoding)
        #expect(stub.requests.count == 2)
    }

    @Test("standard actions are listed, described and invoked, each input with its own result")
    func actions() async throws {
        try await withClient { client, _ in
            #expect(try await client.standardActions().contains { $0.name == "emailSimple" })
            let action = try await client.describeAction(.standard("emailSimple"))
            #expect(action.inputs.contains { $0.name == "emailBody" && $0.isRequired })
            let good: JSONObject = ["emailAddresses": "a@example.com", "emailSubject": "S", "emailBody": "B"]
            let done = try await client.invoke(.standard("emailSimple"), [good])
            #expect(done.map(\.isSuccess) == [true])
            #expect(try done[0].get().isEmpty == false)
            let mixed = try await client.invoke(.standard("emailSimple"), [good, ["emailSubject": "S"]])
            #expect(mixed.map(\.isSuccess) == [true, false])
            let fault = #expect(throws: APIFault.self) { try mixed[1].get() }
            #expect(fault?.message.contains("emailAddresses") == true)
            let error = await #expect(throws: RestError.self) { try await client.invoke(.standard("none"), [good]) }
            #expect(error?.code == .notFound)
        }
    }

    @Test("quick actions make records, below an object too")
    func quickActions() async throws {
        try await withClient { client, _ in
            #expect(try await client.quickActions().contains { $0.name == "NewAccount" })
            let actions = try await client.quickActions(of: "Account")
            let action = try #require(actions.first { $0.name.hasSuffix("NewContact") })
            let description = try await client.describeQuickAction(action.name, of: "Account")
            #expect(description.target == "Contact" && description.parentField == "AccountId")
            let account = try await client.create([RecordDraft("Account", ["Name": "Quick"])]).get()[0]
            let contact = try await client.performQuickAction(
                action.name, of: "Account", for: account, ["LastName": "Quick"])
            let read = try await client.send(.retrieve("Contact", id: contact, fields: ["AccountId"]))
            #expect(read.payload["AccountId"]?.string == account)
            let defaults = try await client.send(.quickActionDefaults(action.name, of: "Account", for: account))
            #expect(defaults.payload["attributes"]?["type"] == "Contact")
        }
    }

    @Test("reports are listed, described and run, with and without their rows")
    func reports() async throws {
        try await withClient { client, _ in
            let report = try #require(try await client.reports().first { $0.name == "All Accounts" })
            let definition = try await client.describeReport(report.id)
            #expect(definition.format == "TABULAR" && definition.columns.first?.name == "Account.Name")
            let results = try await client.runReport(report.id)
            let count = try await client.recordCounts(of: ["Account"])["Account"]
            #expect(results.rows.count == count && results.isComplete)
            #expect(results.rows.first?.count == definition.columns.count)
            #expect(results.rows.first?.first?.value.string?.hasPrefix("001") == true)
            let sums = try await client.runReport(report.id, includesDetails: false)
            #expect(sums.rows.isEmpty && sums.facts["T!T"]?.aggregates.first?.value.int == count)
            let error = await #expect(throws: RestError.self) { try await client.runReport("00O000000000999AAA") }
            #expect(error?.code == .notFound)
        }
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
        try await withClient { client, _ in
            var count = 0
            for try await _ in client.toolingRecords("SELECT Id FROM Contact", batchSize: 200) { count += 1 }
            let contacts = try await client.recordCounts(of: ["Contact"])["Contact"]
            #expect(count == contacts)
            #expect(try await client.toolingDescribe("Account").name == "Account")
            #expect(try await client.send(.toolingObjects).payload["sobjects"]?.array?.isEmpty == false)
        }
    }

    @Test("code is run by the org: done, not compiled, thrown")
    func anonymousAtTheOrg() async throws {
        try await withClient { client, org in
            org.apex.handleAnonymous { code in
                switch code {
                case "fail();": .failure("System.Exception: no")
                case "wrong": .notCompiled("unexpected token")
                default: .success
                }
            }
            try await client.executeAnonymous("x();").get()
            let failed = try await client.executeAnonymous("fail();")
            #expect(failed.isCompiled && failed.exceptionMessage == "System.Exception: no")
            let wrong = try await client.executeAnonymous("wrong")
            #expect(!wrong.isCompiled && wrong.compileProblem == "unexpected token")
        }
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
        let odd = await #expect(throws: RestError.self) { try await client.executeAnonymous("y();") }
        #expect(odd?.code == .decoding)
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

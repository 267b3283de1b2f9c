// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Simulation
import Testing

@testable import RestSDK

@Suite("Tooling API", .timeLimit(.minutes(2)))
struct ToolingTests {
    private static let id = "707000000000001AAA"
    private static let root = "/services/data/v66.0"

    private let stub = StubTransport()

    private func targets() -> [String] {
        stub.requests.map { "\($0.method.rawValue) \($0.url.target.dropFirst(Self.root.count))" }
    }

    private func body(_ position: Int) throws -> JSONValue {
        try JSONValue(parsing: #require(stub.requests[position].body.inMemory))
    }

    @Test("one word addresses queries, their pages, records, descriptions and collections to the Tooling API")
    func view() async throws {
        stub.enqueue(
            #"{"totalSize":2,"done":false,"nextRecordsUrl":"\#(Self.root)/tooling/query/01g-200","records":[{"Id":"1"}]}"#
        )
        stub.enqueue(#"{"totalSize":2,"done":true,"records":[{"Id":"2"}]}"#)
        stub.enqueue(#"{"name":"ApexClass","fields":[]}"#)
        stub.enqueue(#"{"encoding":"UTF-8","sobjects":[{"name":"ApexClass"}]}"#)
        stub.enqueue(status: 201, #"{"id":"7tf000000000001AAA","success":true,"errors":[]}"#)
        stub.enqueue(#"[{"id":"7dl000000000001AAA","success":true,"errors":[]}]"#)
        stub.enqueue(#"{"totalSize":0,"done":true,"records":[]}"#)
        let client = try RestClient.of(stub)
        var ids: [String?] = []
        for try await record in client.tooling.records("SELECT Id FROM ApexClass", batchSize: 200) {
            ids.append(record.id)
        }
        #expect(ids == ["1", "2"])
        #expect(try await client.tooling.send(.describe("ApexClass")).name == "ApexClass")
        #expect(try await client.tooling.send(.objects).map(\.name) == ["ApexClass"])
        _ = try await client.tooling.send(.create("TraceFlag", ["LogType": "USER_DEBUG"]))
        _ = try await client.tooling.createAll([Record.Draft("DebugLevel", ["MasterLabel": "All"])]).get()
        _ = try await client.send(.query("SELECT Id FROM Account"))
        #expect(
            targets() == [
                "GET /tooling/query?q=SELECT%20Id%20FROM%20ApexClass", "GET /tooling/query/01g-200",
                "GET /tooling/sobjects/ApexClass/describe", "GET /tooling/sobjects",
                "POST /tooling/sobjects/TraceFlag", "POST /tooling/composite/sobjects",
                "GET /query?q=SELECT%20Id%20FROM%20Account",
            ])
        let built = try client.tooling.httpRequest(for: .retrieve("ApexClass", id: "01p000000000001AAA"))
        #expect(built.url.target == "\(Self.root)/tooling/sobjects/ApexClass/01p000000000001AAA")
    }

    @Test("the parts of composite requests and batches are addressed to the Tooling API, paths of the server stay")
    func parts() async throws {
        let created = #"{"id":"1dc000000000001AAA","success":true,"errors":[]}"#
        stub.enqueue(
            #"{"compositeResponse":[{"body":\#(created),"httpStatusCode":201,"referenceId":"box"},"#
                + #"{"body":\#(created),"httpStatusCode":201,"referenceId":"member"}]}"#)
        stub.enqueue(#"{"hasErrors":false,"results":[{"statusCode":204,"result":null}]}"#)
        let client = try RestClient.of(stub).tooling
        var composite = Composite(allOrNone: true)
        let box = composite.add(.create("MetadataContainer", ["Name": "Box"]), as: "box")["id"]
        composite.add(
            .create("ApexClassMember", ["MetadataContainerId": box.json, "Body": "class A {}"]), as: "member",
            using: [box])
        #expect(try await client.send(composite).get().count == 2)
        let page = RestRequest.nextPage("\(Self.root)/tooling/query/01g-200")
        _ = try await client.send(Batch([.delete("ApexLog", id: "07L000000000001AAA")]))
        #expect(targets() == ["POST /tooling/composite", "POST /tooling/composite/batch"])
        #expect(
            try body(0)["compositeRequest"]?.array?.map { $0["url"]?.string } == [
                "\(Self.root)/tooling/sobjects/MetadataContainer", "\(Self.root)/tooling/sobjects/ApexClassMember",
            ])
        #expect(
            try body(1)["batchRequests"]?[0]?["url"]?.string
                == "v66.0/tooling/sobjects/ApexLog/07L000000000001AAA")
        #expect(page.tooling == page && page.isQueryOrCollection)
        #expect(RestRequest.query("SELECT Id FROM ApexClass").tooling.isQueryOrCollection)
    }

    @Test("a query that is too long for a URL is a part of a composite request of the Tooling API")
    func longQuery() async throws {
        let rows = #"{"totalSize":0,"done":true,"records":[]}"#
        stub.enqueue(#"{"compositeResponse":[{"body":\#(rows),"httpStatusCode":200,"referenceId":"query"}]}"#)
        let names = (0..<2_000).map { "Class\($0)" }
        let query: SOQL = "SELECT Id FROM ApexClass WHERE Name IN \(names)"
        #expect(try await RestClient.of(stub).tooling.send(.count(query)) == 0)
        #expect(targets() == ["POST /tooling/composite"])
        let url = try body(0)["compositeRequest"]?[0]?["url"]?.string
        #expect(url?.hasPrefix("\(Self.root)/tooling/query?q=SELECT") == true)
        let old = try RestClient.of(stub) { $0.apiVersion = APIVersion(39) }
        let error = await expectFailure(.invalidRequest) { try await old.tooling.send(.query(query)) }
        #expect(error?.message.contains("from version v40.0 on") == true)
    }

    @Test(
        "a resource that the API version lacks is rejected with the version that introduced it",
        arguments: [
            (39, Composite.one.request, "v40.0"), (44, RestRequest.Typed.delete(ids: [id]).request, "v45.0"),
            (29, RestRequest.Typed.startTests(.local).request, "v30.0"),
            (28, RestRequest.Typed.executeAnonymous("x();").request, "v29.0"),
        ])
    func versions(version: Int, request: RestRequest, first: String) async throws {
        let client = try RestClient.of(stub) { $0.apiVersion = APIVersion(version) }.tooling
        let error = await expectFailure(.invalidRequest) { try await client.send(request) }
        #expect(
            error?.message.hasPrefix("apiVersion: \(request.name) exists from version \(first) on") == true,
            "\(error?.message ?? "")")
        #expect(stub.requests.isEmpty)
    }

    @Test("the result of anonymous Apex is success, a compile error or an exception")
    func anonymous() async throws {
        stub.enqueue(
            #"{"line":-1,"column":-1,"compiled":true,"success":true,"compileProblem":null,"exceptionMessage":null}"#)
        stub.enqueue(#"{"line":2,"column":7,"compiled":false,"success":false,"compileProblem":"Unexpected token"}"#)
        stub.enqueue(
            #"{"line":99999999999999999999,"column":1,"compiled":true,"success":false,"exceptionMessage":"Null"}"#)
        stub.enqueue(#"{"success":true}"#)
        let client = try RestClient.of(stub)
        let done = try await client.send(.executeAnonymous("System.debug('x');"))
        #expect(done.isSuccess && done.position == nil)
        try done.get()
        let broken = try await client.send(.executeAnonymous("System."))
        let error = #expect(throws: RestError.self) { try broken.get() }
        #expect(error?.message == "Unexpected token (line 2, column 7)" && error?.outcome == .notApplied)
        let thrown = try await client.tooling.send(.executeAnonymous("x();"))
        #expect(thrown.isCompiled && !thrown.isSuccess && thrown.exceptionMessage == "Null" && thrown.position == nil)
        await expectFailure(.decoding) { try await client.send(.executeAnonymous("y();")) }
        #expect(RestRequest.Typed.executeAnonymous("x").request.effect == .writes(idempotent: false))
        #expect(targets()[2] == "GET /tooling/executeAnonymous?anonymousBody=x%28%29%3B")
    }

    /// The response of a real org, with shorter lists.
    private static let results = """
        {"apexLogId":"07L4H00000SpGroUAF","codeCoverage":[{"id":"01q4H000000WjD8QAK","locationsNotCovered":[\
        {"column":0,"line":2,"numExecutions":0,"time":-1.0},{"line":1e30}],"name":"StateTrigger","namespace":null,\
        "numLocations":2,"numLocationsNotCovered":2,"type":"Trigger"}],"codeCoverageWarnings":[{"id":"01q4H000000WjD8",\
        "message":"Test coverage is 0%","name":"StateTrigger","namespace":null}],"failures":[{"id":"01p4H000009PEFI",\
        "message":"System.AssertException","methodName":"total","name":"OrderTest","namespace":null,"seeAllData":false,\
        "stackTrace":"Class.OrderTest.total: line 7, column 1","time":12.5,"type":"Class"}],"numFailures":1,\
        "numTestsRun":2,"successes":[{"id":"01p4H000009PEFI","methodName":"empty","name":"OrderTest",\
        "namespace":"ns","seeAllData":false,"time":-3}],"totalTime":53.0}
        """

    @Test("a synchronous run returns results, coverage and warnings")
    func synchronous() async throws {
        stub.enqueue(Self.results)
        stub.enqueue(#"{"numTestsRun":0,"failures":[],"successes":[],"codeCoverage":null,"totalTime":0.0}"#)
        let client = try RestClient.of(stub)
        var tests = RestClient.ApexTests.methods(["total", "empty"], of: "OrderTest")
        tests.maximumFailures = 0
        tests.measuresCoverage = false
        let results = try await client.send(.runTests(tests))
        #expect(
            try body(0) == [
                "tests": [["className": "OrderTest", "testMethods": ["total", "empty"]]], "maxFailedTests": 0,
                "skipCodeCoverage": true,
            ])
        #expect(results.tests.map(\.method) == ["total", "empty"] && results.failures.count == 1)
        let failed = try #require(results.failures.first)
        #expect(failed.className == "OrderTest" && failed.duration == .microseconds(12_500) && !failed.isPassed)
        #expect(failed.message == "System.AssertException" && failed.stackTrace?.hasSuffix("column 1") == true)
        #expect(results.tests[1].namespace == "ns" && results.tests[1].duration == nil && results.tests[1].isPassed)
        #expect(results.duration == .milliseconds(53) && results.logID == "07L4H00000SpGroUAF")
        #expect(results.coverage.map(\.uncoveredLines) == [[2]] && results.coverage[0].lines == 2)
        #expect(results.warnings == ["StateTrigger: Test coverage is 0%"])
        let error = #expect(throws: RestError.self) { try results.get() }
        #expect(error?.message == "1 of 2 tests failed: OrderTest.total: System.AssertException")
        try await client.send(.runTests(.classes(["Empty"]))).get()
        #expect(targets() == Array(repeating: "POST /tooling/runTestsSynchronous", count: 2))
    }

    @Test(
        "malformed results of a synchronous run are errors",
        arguments: [
            "[]", "{}", #"{"numTestsRun":-1,"failures":[],"successes":[]}"#,
            #"{"numTestsRun":1,"failures":null,"successes":[]}"#,
            #"{"numTestsRun":1,"failures":[null],"successes":[]}"#,
            #"{"numTestsRun":1,"failures":[],"successes":[{"name":7}]}"#,
            #"{"numTestsRun":1,"failures":[],"successes":[],"codeCoverage":{}}"#,
            #"{"numTestsRun":1,"failures":[],"successes":[],"codeCoverage":[{"name":"A","numLocations":1e99}]}"#,
            #"{"numTestsRun":1,"failures":[],"successes":[],"codeCoverageWarnings":[{"message":null}]}"#,
        ])
    func malformed(body: String) async throws {
        stub.enqueue(body)
        await expectFailure(.decoding) { try await RestClient.of(stub).send(.runTests(.classes(["A"]))) }
    }

    private static func run(_ status: String, failed: Int = 0) -> String {
        """
        {"totalSize":1,"done":true,"records":[{"Status":"\(status)","ClassesEnqueued":2,"ClassesCompleted":1,\
        "MethodsEnqueued":9,"MethodsCompleted":4,"MethodsFailed":\(failed),"TestTime":null}]}
        """
    }

    @Test("a run in the org is started, awaited at growing intervals through errors, and its results are read")
    func asynchronous() async throws {
        stub.enqueue(#""707000000000001AAA""#)
        stub.enqueue(Self.run("Queued"))
        stub.enqueue(status: 503, "unavailable")
        stub.enqueue(Self.run("Processing"))
        stub.enqueue(Self.run("Failed", failed: 1))
        stub.enqueue(
            """
            {"totalSize":2,"done":true,"records":[{"ApexClass":{"Name":"A","NamespacePrefix":null},"MethodName":"a",\
            "Outcome":"Pass","Message":null,"StackTrace":null,"RunTime":7,"ApexLogId":"07L000000000001AAA"},\
            {"ApexClass":{"Name":"B","NamespacePrefix":"ns"},"MethodName":null,"Outcome":"CompileFail","RunTime":null}]}
            """)
        let clock = ManualClock(alarmsBeyond: .seconds(60))
        let client = try RestClient.of(stub, retryPolicy: .never, clock: clock)
        let id = try await client.send(.startTests(.suites(["Nightly", "Fast"])))
        #expect(try id == Self.id && body(0) == ["suiteNames": "Nightly,Fast"])
        var states: [String] = []
        let run = try await client.finishTests(id) { states.append($0.status) }
        #expect(states == ["Queued", "Processing", "Failed"])
        #expect(run.methodsFailed == 1 && run.classes == 2 && run.methodsFinished == 4 && run.duration == nil)
        #expect(throws: RestError.self) { try run.get() }
        let sleeps = clock.sleeps.suffix(3)
        #expect(sleeps.count == 3 && zip(sleeps, [1.0, 1.5, 2.25]).allSatisfy { abs($0 / .seconds($1) - 1) <= 0.2 })
        var outcomes: [RestClient.ApexTests.Outcome] = []
        for try await outcome in client.testOutcomes(of: id) { outcomes.append(outcome) }
        #expect(outcomes.map(\.isPassed) == [true, false] && outcomes.map(\.isFailed) == [false, true])
        #expect(outcomes[0].duration == .milliseconds(7) && outcomes[0].logID == "07L000000000001AAA")
        #expect(outcomes[1].namespace == "ns" && outcomes[1].method.isEmpty)
        #expect(targets().allSatisfy { $0.contains(" /tooling/") })
    }

    @Test("waiting for a run ends at the limit, when it is cancelled, and if there is no such run")
    func patience() async throws {
        let clock = ManualClock(alarmsBeyond: .seconds(60))
        for _ in 0..<20 { stub.enqueue(Self.run("Processing")) }
        let client = try RestClient.of(stub, clock: clock)
        let begin = clock.now
        await expectFailure(.timedOut) { try await client.finishTests(Self.id, within: .seconds(30)) }
        #expect(clock.now - begin == .seconds(30))
        let alarms = ManualClock(alarmsBeyond: .milliseconds(500))
        let slow = try RestClient.of(stub, clock: alarms)
        let task = Task { try await slow.finishTests(Self.id) }
        while alarms.alarms == 0 { await Task.yield() }
        task.cancel()
        let error = await expectFailure(.cancelled) { try await task.value }
        #expect(error?.message == "cancelled while waiting; the work continues in the org")
        let other = StubTransport()
        other.enqueue(#"{"totalSize":0,"done":true,"records":[]}"#)
        await expectFailure(.notFound) { try await RestClient.of(other).finishTests(Self.id) }
    }

    @Test("a list of results without an end, or with malformed rows, is an error")
    func endless() async throws {
        let page = #"{"totalSize":1,"done":false,"nextRecordsUrl":"\#(Self.root)/tooling/query/01g-1","records":[]}"#
        for _ in 0..<3 { stub.enqueue(page) }
        let client = try RestClient.of(stub)
        await expectFailure(.decoding) {
            for try await _ in client.testOutcomes(of: Self.id) {}
        }
        for row in ["{}", #"{"ApexClass":{"Name":"A"},"Outcome":null}"#, #"{"ApexClass":null,"Outcome":"Pass"}"#, "7"] {
            let stub = StubTransport()
            stub.enqueue(#"{"totalSize":1,"done":true,"records":[\#(row)]}"#)
            let client = try RestClient.of(stub)
            await expectFailure(.decoding) {
                for try await _ in client.testOutcomes(of: Self.id) {}
            }
        }
    }

    @Test("a response without the id of a run is an error", arguments: ["7", #""x' OR 1""#, "null", "[]", "{}", ""])
    func noID(body: String) async throws {
        stub.enqueue(body)
        await expectFailure(.decoding, outcome: .unknown) {
            try await RestClient.of(stub).send(.startTests(.classes(["A", "B"])))
        }
    }

    @Test("the content of a log is a stream of lines")
    func log() async throws {
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 23\r\n\r\n66.0 APEX_"),
            .send("CODE,DEBUG\r\nq"),
        ])
        let client = try RestClient(instanceURL: "\(server.url().origin)", accessToken: "t")
        var lines: [String] = []
        for try await line in try await client.stream(.apexLog("07L000000000001AAA")).lines { lines.append(line) }
        #expect(lines == ["66.0 APEX_CODE,DEBUG", "q"])
        let request = server.journal.requests.first
        #expect(request?.hasPrefix("GET \(Self.root)/tooling/sobjects/ApexLog/07L000000000001AAA/Body ") == true)
        await server.stop()
    }

    @Test(
        "invalid arguments are rejected by name",
        arguments: [
            (RestRequest.Typed.runTests(.classes([])).request, "tests"),
            (RestRequest.Typed.runTests(.classes(["A", "B"])).request, "tests"),
            (RestRequest.Typed.runTests(.local).request, "tests"),
            (RestRequest.Typed.startTests(.classes([" "])).request, "tests"),
            (RestRequest.Typed.startTests(.methods([], of: "")).request, "tests"),
            (RestRequest.Typed.startTests(.suites(["A,B"])).request, "tests"),
            (RestRequest.Typed.startTests(.failing(-1)).request, "maximumFailures"),
            (RestRequest.Typed.startTests(.failing(.max)).request, "maximumFailures"),
            (RestRequest.Typed.testRun("x' OR Status != '").request, "id"), (.apexLog("../x"), "id"),
        ])
    func refused(request: RestRequest, argument: String) async throws {
        let error = await expectFailure(.invalidRequest) { try await RestClient.of(stub).send(request) }
        #expect(error?.message.hasPrefix("\(argument): ") == true, "\(error?.message ?? "")")
        #expect(stub.requests.isEmpty)
    }
}

extension RestClient.ApexTests {
    fileprivate static func failing(_ maximum: Int) -> Self {
        var tests = all
        tests.maximumFailures = maximum
        return tests
    }
}

extension Composite {
    fileprivate static var one: Composite {
        var composite = Composite()
        composite.add(.object("ApexClass"), as: "a")
        return composite
    }
}

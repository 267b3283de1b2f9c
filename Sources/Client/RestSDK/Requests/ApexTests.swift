// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

extension RestClient {
    /// A choice of Apex tests to run.
    ///
    /// ```swift
    /// let results = try await client.send(.runTests(.methods(["testTotal"], of: "OrderTest")))
    /// for test in results.failures { print(test.className, test.method, test.message ?? "") }
    ///
    /// let id = try await client.send(.startTests(.local))
    /// let run = try await client.finishTests(id)
    /// for try await test in client.testOutcomes(of: id) where !test.isPassed { print(test.method) }
    /// ```
    /// Salesforce: Tooling API, "REST Resources for Unit Testing".
    public struct ApexTests: Sendable, Hashable {
        private enum Choice: Sendable, Hashable {
            case classes([String])
            case methods([String], className: String)
            case suites([String])
            case level(String)
        }

        private let choice: Choice
        /// The number of failed tests after which no further test starts, or `nil` to run all tests.
        public var maximumFailures: Int?
        /// Whether the org measures the coverage of code, which takes time.
        public var measuresCoverage = true

        private init(_ choice: Choice) { self.choice = choice }

        /// All tests of classes, with the namespace of a package before a dot: `ns.OrderTest`.
        public static func classes(_ names: [String]) -> Self { Self(.classes(names)) }
        /// Some tests of one class.
        public static func methods(_ methods: [String], of className: String) -> Self {
            Self(.methods(methods, className: className))
        }
        /// The tests of test suites.
        public static func suites(_ names: [String]) -> Self { Self(.suites(names)) }
        /// All tests of the org without those of installed packages.
        public static let local = Self(.level("RunLocalTests"))
        /// All tests of the org, with those of installed packages.
        public static let all = Self(.level("RunAllTestsInOrg"))
    }
}

extension RestClient.ApexTests {
    /// The maximum number of failures that the server accepts.
    private static let mostFailures = 1_000_000

    fileprivate func request(_ name: String, _ resource: String) -> RestRequest {
        var body: JSONObject
        var names: [String] = []
        switch choice {
        case .classes(let classes):
            names = classes
            body = ["tests": JSONValue(JSONArray(classes.map { ["className": JSONValue($0)] }))]
        case .methods(let methods, let className):
            names = methods + [className]
            let methods = JSONValue(JSONArray(methods.map { JSONValue($0) }))
            body = ["tests": [["className": JSONValue(className), "testMethods": methods]]]
        case .suites(let suites):
            names = suites
            body = ["suiteNames": JSONValue(suites.joined(separator: ","))]
        case .level(let level): body = ["testLevel": JSONValue(level)]
        }
        if let maximumFailures { body["maxFailedTests"] = JSONValue(maximumFailures) }
        if !measuresCoverage { body["skipCodeCoverage"] = true }
        var isNamed = true
        if case .level = choice { isNamed = false }
        let isTooLarge = maximumFailures.map { !(0...Self.mostFailures).contains($0) } ?? false
        return RestRequest(name: name, method: .post, resource: .data(["tooling", resource])).json(JSONValue(body))
            .refused("tests", isNamed && names.isEmpty || names.contains(where: \.isBlank) ? "must not be empty" : nil)
            .refused("tests", names.contains { $0.hasBytes(",") } ? "a name must not contain a comma" : nil)
            .refused("maximumFailures", isTooLarge ? "must be in 0...\(Self.mostFailures)" : nil)
    }

    /// Whether the tests are of one class, as a synchronous run requires.
    fileprivate var isOneClass: Bool {
        switch choice {
        case .classes(let names): names.count <= 1
        case .methods: true
        case .suites, .level: false
        }
    }
}

extension RestClient.ApexTests {
    /// The result of one test method.
    public struct Outcome: Sendable, Hashable {
        /// The name of the class, and the namespace of its package, if any.
        public let className: String, namespace: String?
        /// The name of the method, which is empty if the class does not compile.
        public let method: String
        /// The result as the org names it: `Pass`, `Fail`, `CompileFail` or `Skip`.
        public let result: String
        /// The message and the stack trace of the failure.
        public let message: String?, stackTrace: String?
        /// The time that the method took, in the org's precision of a millisecond, if it is known.
        public let duration: Duration?
        /// The id of the debug log, for ``RestRequest/apexLog(_:)``, if the org wrote one.
        public let logID: String?

        /// Whether the test passed.
        public var isPassed: Bool { result == "Pass" }
        /// Whether the test failed, as opposed to a test that was skipped.
        public var isFailed: Bool { result == "Fail" || result == "CompileFail" }
    }

    /// The coverage of one class or trigger by a run.
    public struct Coverage: Sendable, Hashable {
        /// The name of the class or trigger, and the namespace of its package, if any.
        public let name: String, namespace: String?
        /// The number of lines that can be covered, and the number of those that no test ran.
        public let lines: Int, uncovered: Int
        /// The numbers of the lines that no test ran, counted from 1, as far as the org lists them.
        public let uncoveredLines: [Int]
    }

    /// The results of a synchronous run.
    public struct Results: Sendable, Hashable {
        /// The results of all methods, the failed ones first.
        public let tests: [Outcome]
        /// The time of the run.
        public let duration: Duration?
        /// The id of the debug log, for ``RestRequest/apexLog(_:)``, if the org wrote one.
        public let logID: String?
        /// The coverage, which is empty if it was not measured.
        public let coverage: [Coverage]
        /// The warnings about too little coverage.
        public let warnings: [String]

        /// The failed tests.
        public var failures: [Outcome] { tests.filter(\.isFailed) }

        /// Throws if a test failed.
        ///
        /// - Throws: ``RestError/Code/api`` with the first failure. Tests change no data, so there is no outcome.
        public func get() throws(RestError) {
            guard let first = failures.first else { return }
            let reason = first.message.map { ": \($0)" } ?? ""
            throw RestError(
                .api, "\(failures.count) of \(tests.count) tests failed: \(first.className).\(first.method)\(reason)")
        }
    }

    /// The progress of an asynchronous run.
    public struct Run: Sendable, Hashable {
        /// The id of the run.
        public let id: String
        /// The state as the org names it, such as `Queued`, `Processing` or `Completed`.
        public let status: String
        /// The number of test classes in the run, and the number of those that have finished.
        public let classes: Int, classesFinished: Int
        /// The number of test methods, the number of those that have finished, and the number of those that failed.
        public let methods: Int, methodsFinished: Int, methodsFailed: Int
        /// The time that the tests took so far.
        public let duration: Duration?

        /// Whether the run has ended, also by an abort.
        public var isFinished: Bool { ["Completed", "Passed", "Failed", "Aborted", "Skipped"].contains(status) }

        /// Throws if a test failed, or if the run was aborted.
        ///
        /// - Throws: ``RestError/Code/api``.
        public func get() throws(RestError) {
            guard methodsFailed > 0 || ["Failed", "Aborted"].contains(status) else { return }
            throw RestError(.api, "the test run \(id) is \(status.bounded), and \(methodsFailed) tests failed")
        }
    }
}

extension Endpoint where Self == RestRequest.Typed<RestClient.ApexTests.Results> {
    /// Runs tests of one class and waits for their results.
    ///
    /// Tests change no data. A run can take minutes, so set ``RequestEndpoint/timeout(_:)``.
    ///
    /// - Parameter tests: the tests of one class. For other choices use ``Endpoint/startTests(_:)``.
    /// - Returns: the request. ``RestClient/ApexTests/Results/get()`` throws if a test failed.
    public static func runTests(_ tests: RestClient.ApexTests) -> Self {
        Self(
            tests.request("runTests", "runTestsSynchronous")
                .refused("tests", tests.isOneClass ? nil : "must be of one class; use startTests for several"),
            Content.init)
    }
}

extension Endpoint where Self == RestRequest.Typed<String> {
    /// Starts a run of tests in the org.
    ///
    /// A second run of the same tests waits or fails, so the call is sent only once.
    ///
    /// - Parameter tests: the tests.
    /// - Returns: the request, whose content is the id of the run for ``RestClient/finishTests(_:within:report:)``.
    public static func startTests(_ tests: RestClient.ApexTests) -> Self {
        Self(tests.request("startTests", "runTestsAsynchronous")) { (response) throws(RestError) in
            guard let id = try? response.decode(String.self), id.isRecordID else {
                throw RestError(notAResponseTo: "start of a test run", response)
            }
            return id
        }
    }
}

extension Endpoint where Self == RestRequest.Typed<RestClient.ApexTests.Run> {
    /// Reads the progress of a run of tests.
    ///
    /// - Parameter id: the id of the run.
    /// - Returns: the request, which fails with ``RestError/Code/notFound`` if there is no such run.
    public static func testRun(_ id: String) -> Self {
        let query: SOQL = """
            SELECT Status, ClassesEnqueued, ClassesCompleted, MethodsEnqueued, MethodsCompleted, MethodsFailed, TestTime \
            FROM ApexTestRunResult WHERE AsyncApexJobId = \(id)
            """
        return Self(RestRequest.query(query).tooling.requiringID(id)) { (response) throws(RestError) in
            guard let record = try QueryPage(response).records.first else {
                throw RestError(.notFound, "there is no test run \(id)", response: response.head)
            }
            return try Content(id, record)
        }
    }
}

extension RestClient {
    /// Returns the results of the methods of a test run so far.
    ///
    /// - Parameter id: the id of the run.
    /// - Returns: the results, which are fetched on demand.
    public func testOutcomes(of id: String) -> QueryRecords<ApexTests.Outcome> {
        let query: SOQL = """
            SELECT ApexClass.Name, ApexClass.NamespacePrefix, MethodName, Outcome, Message, StackTrace, RunTime, ApexLogId \
            FROM ApexTestResult WHERE AsyncApexJobId = \(id)
            """
        let first = RestRequest.query(query).tooling.requiringID(id)
        return QueryRecords(QueryPages(client: self, first: first, completesChildren: false)) {
            (record, index) throws(RestError) in try ApexTests.Outcome(record: record, at: "records[\(index)]")
        }
    }

    /// Waits until a test run has ended.
    ///
    /// The status is read at intervals from 1 to 30 seconds, and again after temporary errors.
    ///
    /// - Parameters:
    ///   - id: the id of the run.
    ///   - limit: the maximum time to wait.
    ///   - report: receives each status.
    /// - Returns: the run. ``ApexTests/Run/get()`` throws if a test failed.
    /// - Throws: ``RestError``, with ``RestError/Code/timedOut`` after `limit` and ``RestError/Code/cancelled`` if the
    ///   task is cancelled. The run then continues in the org.
    @discardableResult
    public func finishTests(
        _ id: String, within limit: Duration = .seconds(86_400), report: (ApexTests.Run) -> Void = { _ in }
    ) async throws(RestError) -> ApexTests.Run {
        try await Polling(limit: limit).result(on: clock) { () async throws(RestError) in
            let run = try await send(.testRun(id))
            report(run)
            return run.isFinished ? run : nil
        }
    }
}

extension RestClient.ApexTests.Results {
    fileprivate init(_ response: RestResponse) throws(RestError) {
        guard response.payload["numTestsRun"]?.count != nil, response.payload["failures"]?.array != nil,
            response.payload["successes"]?.array != nil
        else { throw RestError(notAResponseTo: "test run", response) }
        let json = try response.object(of: "test run")
        typealias Outcome = RestClient.ApexTests.Outcome
        tests =
            try json.list("failures") { (value, place) throws(RestError) in try Outcome(value, at: place, "Fail") }
            + json.list("successes") { (value, place) throws(RestError) in try Outcome(value, at: place, "Pass") }
        duration = json["totalTime"]?.milliseconds
        logID = json["apexLogId"]?.string
        coverage = try json.list("codeCoverage", RestClient.ApexTests.Coverage.init)
        warnings = try json.list("codeCoverageWarnings") { (value, place) throws(RestError) in
            let name = value["name"]?.string.map { "\($0): " } ?? ""
            return try name + value.required("message", at: place)
        }
    }
}

extension RestClient.ApexTests.Outcome {
    /// Reads an element of the lists `failures` and `successes`.
    fileprivate init(_ value: JSONValue, at place: String, _ result: String) throws(RestError) {
        className = try value.required("name", at: place)
        namespace = value["namespace"]?.string
        method = value["methodName"]?.string ?? ""
        self.result = result
        (message, stackTrace) = (value["message"]?.string, value["stackTrace"]?.string)
        duration = value["time"]?.milliseconds
        logID = nil
    }

    /// Reads a record of `ApexTestResult`.
    fileprivate init(record: JSONValue, at place: String) throws(RestError) {
        guard let type = record["ApexClass"] else {
            throw RestError(.decoding, "\(place).ApexClass: must be an object")
        }
        className = try type.required("Name", at: "\(place).ApexClass")
        namespace = type["NamespacePrefix"]?.string
        method = record["MethodName"]?.string ?? ""
        result = try record.required("Outcome", at: place)
        (message, stackTrace) = (record["Message"]?.string, record["StackTrace"]?.string)
        duration = record["RunTime"]?.milliseconds
        logID = record["ApexLogId"]?.string
    }
}

extension RestClient.ApexTests.Coverage {
    fileprivate init(_ value: JSONValue, at place: String) throws(RestError) {
        name = try value.required("name", at: place)
        namespace = value["namespace"]?.string
        lines = try value.size("numLocations", at: place)
        uncovered = try value.size("numLocationsNotCovered", at: place)
        uncoveredLines = (value["locationsNotCovered"]?.array ?? []).compactMap {
            $0["line"]?.int.flatMap { Int(outside: $0, in: .textPosition) }
        }
    }
}

extension RestClient.ApexTests.Run {
    fileprivate init(_ id: String, _ record: JSONValue) throws(RestError) {
        self.id = id
        status = try record.required("Status", at: "the test run")
        func count(_ name: String) throws(RestError) -> Int { try record.size(name, at: "the test run") }
        (classes, classesFinished) = (try count("ClassesEnqueued"), try count("ClassesCompleted"))
        (methods, methodsFinished) = (try count("MethodsEnqueued"), try count("MethodsCompleted"))
        methodsFailed = try count("MethodsFailed")
        duration = record["TestTime"]?.milliseconds
    }
}

extension JSONValue {
    /// A number of milliseconds, or `nil` if it is missing, negative or longer than a year.
    fileprivate var milliseconds: Duration? {
        double.flatMap { (0...31_536_000_000).contains($0) ? .milliseconds($0) : nil }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport
public import SOQLCheck

/// The Tooling API, which provides the org's code and settings as objects.
extension Endpoint where Self == RestRequest {
    /// Runs a query for objects of the Tooling API, with the first page as the payload.
    public static func toolingQuery(_ soql: SOQL, batchSize: Int? = nil) -> RestRequest {
        RestRequest.query(soql, batchSize: batchSize).tooling("toolingQuery")
    }
}

extension Endpoint where Self == RestRequest.Typed<[ObjectDescription.Summary]> {
    /// Lists the objects of the Tooling API.
    public static var toolingObjects: Self { Self.objects.tooling("toolingObjects") }
}

extension Endpoint where Self == RestRequest.Typed<ObjectDescription> {
    /// Reads the fields, relationships and labels of an object of the Tooling API.
    public static func toolingDescribe(_ type: String) -> Self { Self.describe(type).tooling("toolingDescribe") }
}

extension Endpoint where Self == RestRequest.Typed<RestClient.AnonymousApexResult> {
    /// Runs Apex code immediately.
    ///
    /// The code may change data, so the call is sent only once, although it is a GET.
    ///
    /// - Parameter code: the code. It is sent in the URL, so it is limited to about 16,000 bytes.
    /// - Returns: the request, whose content is the result of the code. ``RestClient/AnonymousApexResult/get()`` throws
    ///   if the code failed.
    public static func executeAnonymous(_ code: String) -> Self {
        let request = RestRequest(
            name: "executeAnonymous", resource: .data(["tooling", "executeAnonymous"]),
            query: [.init("anonymousBody", code)], effect: .writes(idempotent: false))
        return Self(request.requiring(code, "code"), RestClient.AnonymousApexResult.init)
    }
}

extension RequestEndpoint {
    fileprivate func tooling(_ name: String) -> Self {
        with { request in
            guard case .data(let path) = request.resource else { return }
            let problem = request.problem
            request = RestRequest(
                name: name, resource: .data(["tooling"] + path), query: request.query, fields: request.fields)
            request.problem = problem
        }
    }
}

extension RestClient {
    /// The result of anonymous Apex code.
    public struct AnonymousApexResult: Sendable, Hashable {
        /// Whether the code was compiled.
        public let isCompiled: Bool
        /// Whether the code ran without an exception.
        public let isSuccess: Bool
        /// The position of the error, with row and column counted from 1, or `nil` if there is no error.
        public let position: APIFault.Position?
        /// The compiler's error message.
        public let compileProblem: String?
        /// The message and the stack trace of the exception.
        public let exceptionMessage: String?, exceptionStackTrace: String?

        init(_ response: RestResponse) throws(RestError) {
            let payload = response.payload
            guard let isCompiled = payload["compiled"]?.bool, let isSuccess = payload["success"]?.bool else {
                throw RestError(notAResponseTo: "call that runs code", response)
            }
            (self.isCompiled, self.isSuccess) = (isCompiled, isSuccess)
            let row = payload["line"]?.int.flatMap { Int(outside: $0, in: .textPosition) }
            let column = payload["column"]?.int.flatMap { Int(outside: $0, in: .textPosition) }
            position = row.flatMap { row in column.map { APIFault.Position(row: row, column: $0) } }
            compileProblem = payload["compileProblem"]?.string
            exceptionMessage = payload["exceptionMessage"]?.string
            exceptionStackTrace = payload["exceptionStackTrace"]?.string
        }

        /// Throws if the code failed.
        ///
        /// - Throws: ``RestError/Code/api`` with the org's message. The outcome is
        ///   ``RestError/WriteOutcome/notApplied``, because failed code is rolled back.
        public func get() throws(RestError) {
            guard !isSuccess else { return }
            let place = position.map { " (line \($0.row), column \($0.column))" } ?? ""
            let reason = compileProblem ?? exceptionMessage ?? "the code did not complete"
            throw RestError(.api, reason + place, outcome: .notApplied)
        }
    }
}

extension RestClient {
    /// Returns all records of a query for objects of the Tooling API.
    public func toolingRecords(_ query: SOQL, batchSize: Int? = nil) -> QueryRecords<Record> {
        QueryRecords(
            QueryPages(client: self, first: .toolingQuery(query, batchSize: batchSize), completesChildren: false),
            read: Record.init(reading:at:))
    }
}

extension Endpoint where Self == RestRequest {
    /// Calls an Apex REST resource of the org.
    ///
    /// The effect depends on the Apex code, so a POST or PATCH is sent only once. If it can be retried, set
    /// ``RestRequest/effect(_:)``.
    ///
    /// - Parameters:
    ///   - path: the path segments below `/services/apexrest`, not encoded: `["orders", "17"]`.
    ///   - method: the HTTP method.
    ///   - query: the query items of the URL.
    ///   - body: the JSON body, or `nil` for no body.
    /// - Returns: the request.
    public static func apex(
        _ path: [String], method: HTTPMethod = .get, query: [RestRequest.QueryItem] = [], body: JSONValue? = nil
    ) -> RestRequest {
        let encoded = path.map { "/" + PercentEncoding.pathSegment($0) }.joined()
        let request = RestRequest(
            name: "apex", method: method, resource: .serverPath("/services/apexrest" + encoded), query: query
        ).requiring(path.joined(), "path")
        return body.map(request.json) ?? request
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport
public import SOQLCheck

/// The Tooling API: the org's code and settings as objects.
extension Endpoint where Self == RestRequest {
    /// Runs a query over objects of the Tooling API; the payload is the first page.
    public static func toolingQuery(_ soql: SOQL, batchSize: Int? = nil) -> RestRequest {
        RestRequest.query(soql, batchSize: batchSize).tooling("toolingQuery")
    }
}

extension Endpoint where Self == RestRequest.Typed<[ObjectDescription.Summary]> {
    /// Asks for the objects of the Tooling API.
    public static var toolingObjects: Self { Self.objects.tooling("toolingObjects") }
}

extension Endpoint where Self == RestRequest.Typed<ObjectDescription> {
    /// Asks for fields, relationships and labels of an object of the Tooling API.
    public static func toolingDescribe(_ type: String) -> Self { Self.describe(type).tooling("toolingDescribe") }
}

extension Endpoint where Self == RestRequest.Typed<RestClient.AnonymousApexResult> {
    /// Runs code of the org's language at once.
    ///
    /// The code may do anything, so the call is sent once, although it is a GET.
    ///
    /// - Parameter code: the code, which goes in the URL and so has at most some 16,000 bytes.
    /// - Returns: the request, whose content says what came of the code; call ``RestClient/AnonymousApexResult/get()``
    ///   for an error when it did not run to its end.
    public static func executeAnonymous(_ code: String) -> Self {
        var request = RestRequest(
            name: "executeAnonymous", resource: .data(["tooling", "executeAnonymous"]),
            query: [RestRequest.QueryItem("anonymousBody", code)])
        request.effect = .writes(idempotent: false)
        return Self(request.requiring(code, "code"), RestClient.AnonymousApexResult.init)
    }
}

extension RequestEndpoint {
    /// The same call of the Tooling API.
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
    /// What came of code that was run at once.
    public struct AnonymousApexResult: Sendable, Hashable {
        /// Whether the code is well-formed.
        public let isCompiled: Bool
        /// Whether it ran to its end.
        public let isSuccess: Bool
        /// Where the problem is, both counted from 1; `nil` where there is none.
        public let position: APIFault.Position?
        /// Why it is not well-formed.
        public let compileProblem: String?
        /// What it threw, and where.
        public let exceptionMessage: String?, exceptionStackTrace: String?

        init(_ response: RestResponse) throws(RestError) {
            let payload = response.payload
            guard let isCompiled = payload["compiled"]?.bool, let isSuccess = payload["success"]?.bool else {
                throw RestError(notAnAnswerTo: "run of code", response)
            }
            (self.isCompiled, self.isSuccess) = (isCompiled, isSuccess)
            let row = payload["line"]?.int.flatMap { Int(outside: $0, in: .textPosition) }
            let column = payload["column"]?.int.flatMap { Int(outside: $0, in: .textPosition) }
            position = row.flatMap { row in column.map { APIFault.Position(row: row, column: $0) } }
            compileProblem = payload["compileProblem"]?.string
            exceptionMessage = payload["exceptionMessage"]?.string
            exceptionStackTrace = payload["exceptionStackTrace"]?.string
        }

        /// Throws when the code did not run to its end.
        ///
        /// - Throws: ``RestError/Code/api`` with what the org says; its outcome is
        ///   ``RestError/WriteOutcome/notApplied``, as code that fails is undone.
        public func get() throws(RestError) {
            guard !isSuccess else { return }
            let place = position.map { " (line \($0.row), column \($0.column))" } ?? ""
            let reason = compileProblem ?? exceptionMessage ?? "the code did not run to its end"
            throw RestError(.api, reason + place, outcome: .notApplied)
        }
    }
}

extension RestClient {
    /// The records of a query over objects of the Tooling API, all of them.
    public func toolingRecords(_ query: SOQL, batchSize: Int? = nil) -> QueryRecords<Record> {
        QueryRecords(
            QueryPages(client: self, first: .toolingQuery(query, batchSize: batchSize), completesChildren: false),
            read: Record.init(reading:at:))
    }
}

extension Endpoint where Self == RestRequest {
    /// A call of code of the org that answers REST requests itself (Apex REST).
    ///
    /// What such a call does is up to that code, so a POST or PATCH is sent once; say ``RestRequest/effect(_:)`` where
    /// it may be sent again.
    ///
    /// - Parameters:
    ///   - path: the segments below `/services/apexrest`, not encoded: `["orders", "17"]`.
    ///   - method: the method.
    ///   - query: the URL's query.
    ///   - body: what is sent as JSON; `nil` for nothing.
    /// - Returns: the request.
    public static func apex(
        _ path: [String], method: HTTPMethod = .get, query: [RestRequest.QueryItem] = [], body: JSONValue? = nil
    ) -> RestRequest {
        let encoded = path.map { "/" + PercentEncoding.pathSegment($0) }.joined()
        var request = RestRequest(
            name: "apex", method: method, resource: .serverPath("/services/apexrest" + encoded), query: query)
        if let body {
            request.body = .bytes(body.bytes())
            request.fields = RestRequest.jsonContent
        }
        return request.requiring(path.joined(), "path")
    }
}

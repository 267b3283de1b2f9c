// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport

extension RestClient {
    /// A view of the client that addresses its requests to the Tooling API, whose objects are the code and the settings
    /// of the org.
    ///
    /// ```swift
    /// for try await record in client.tooling.records("SELECT Id, Name FROM ApexClass") { print(record) }
    /// let description = try await client.tooling.send(.describe("ApexClass"))
    /// ```
    ///
    /// Every calling style works. The parts of a ``Composite`` or a ``Batch`` are addressed to the Tooling API too. A
    /// request with a path from the server, such as ``RestRequest/nextPage(_:batchSize:)``, and a request to another
    /// service are sent unchanged. If the Tooling API does not have a resource, the call fails with
    /// ``RestError/Code/notFound``.
    ///
    /// The view shares everything with the client, and ends with it.
    public var tooling: RestClient { RestClient(toolingOf: self) }

    /// Returns the request that is sent, not inlined to keep it out of the frames of callers.
    @inline(never)
    func addressed(_ request: RestRequest) -> RestRequest { isTooling ? request.tooling : request }
}

extension RestRequest {
    /// Whether the request is addressed to the Tooling API.
    var isTooling: Bool { if case .data(let path) = resource { path.first == "tooling" } else { false } }

    /// Returns a copy for the Tooling API, or `self` if it has its own path or another service.
    var tooling: RestRequest {
        guard case .data(let path) = resource, service == .instance, !isTooling else { return self }
        return with { request in
            request.resource = .data(["tooling"] + path)
            switch parts {
            case .composite(let composite): request.parts = .composite(composite.tooling)
            case .batch(var batch):
                batch.requests = batch.requests.map(\.tooling)
                request.parts = .batch(batch)
            default: break
            }
        }
    }
}

extension RestRequest.Resource {
    /// The path segments below the REST API or the Tooling API, or `nil` for a path from the server.
    var names: ArraySlice<String>? {
        guard case .data(let path) = self else { return nil }
        return path.first == "tooling" ? path.dropFirst() : path[...]
    }
}

extension Endpoint where Self == RestRequest {
    /// Reads the content of a debug log, which is text.
    ///
    /// A log has up to 20 MB, so read it as a stream: `client.stream(.apexLog(id)).lines`.
    ///
    /// - Parameter id: the id of an `ApexLog`.
    /// - Returns: the request.
    public static func apexLog(_ id: String) -> RestRequest { blob("ApexLog", id: id, field: "Body").tooling }
}

extension Endpoint where Self == RestRequest.Typed<RestClient.AnonymousApexResult> {
    /// Runs Apex code immediately.
    ///
    /// The code may change data, so the call is sent only once, although it is a GET.
    ///
    /// - Parameter code: the code. It is sent in the URL, which is limited to 16,384 bytes. For longer code, create an
    ///   Apex class and call it.
    /// - Returns: the request, whose content is the result of the code. ``RestClient/AnonymousApexResult/get()`` throws
    ///   if the code failed.
    public static func executeAnonymous(_ code: String) -> Self {
        let request = RestRequest(
            name: "executeAnonymous", resource: .data(["tooling", "executeAnonymous"]),
            query: [.init("anonymousBody", code)], effect: .writes(idempotent: false))
        return Self(request.requiring(code, "code"), RestClient.AnonymousApexResult.init)
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

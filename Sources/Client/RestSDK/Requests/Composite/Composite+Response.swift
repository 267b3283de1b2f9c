// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport
public import SOQLSyntax

extension Composite {
    /// The result of one part of a composite request or a batch.
    public struct PartResult: Sendable {
        /// The part's name, or `nil` in a batch.
        public let reference: String?
        /// The call.
        public let request: RestRequest
        /// The part's own status and headers.
        public let head: HTTPResponse.Head
        /// The response or the error.
        public let result: Result<RestResponse, RestError>

        /// Returns the response, or throws if the part failed.
        ///
        /// - Throws: the ``RestError`` that the same call would throw outside a composite request.
        public func get() throws(RestError) -> RestResponse { try result.get() }

        /// The error of the part, or `nil` if the part succeeded.
        public var failure: RestError? {
            if case .failure(let error) = result { error } else { nil }
        }

        init(_ request: RestRequest, reference: String? = nil, _ response: HTTPResponse) {
            self.request = request
            self.reference = reference
            head = response.head
            do throws(RestError) {
                guard response.head.isSuccess || response.head.status == 304 else {
                    throw RestError(rejection: response, isWrite: request.isWrite)
                }
                result = .success(
                    try RestResponse(response, expecting: request.expectation, isWrite: request.isWrite))
            } catch {
                result = .failure(error)
            }
        }
    }
}

extension RestError {
    /// Makes the error of a request with failed parts, whose message begins with the cause.
    init(failedParts faults: [APIFault], of count: Int, in response: RestResponse, outcome: RestError.WriteOutcome?) {
        let reason = faults.cause.map { ": \($0)" } ?? ""
        self.init(
            .api, "\(count) \(count == 1 ? "part" : "parts") failed\(reason)", faults: faults, response: response.head,
            body: response.body, outcome: outcome)
    }

    /// Makes the error of a response that does not match the request.
    package init(notAResponseTo request: String, _ response: RestResponse) {
        self.init(
            .decoding, "unexpected response to a \(request)", response: response.head, body: response.body,
            outcome: response.isWrite ? .unknown : nil)
    }
}

extension [APIFault] {
    /// The first error that is not only the consequence of another error, such as a rollback of all records.
    var cause: APIFault? {
        let consequences: [APIFault.Code] = [
            .processingHalted, .batchProcessingHalted, .allOrNoneOperationRolledBack,
        ]
        return first { !consequences.contains($0.errorCode) } ?? first
    }
}

extension [Composite.PartResult] {
    /// Returns the responses of all parts, or throws ``RestError`` with the errors of all failed parts.
    func whole(in response: RestResponse, isUndone: Bool) throws(RestError) -> [RestResponse] {
        var responses: [RestResponse] = []
        var failures: [(Composite.PartResult, RestError)] = []
        for part in self {
            switch part.result {
            case .success(let entry): responses.append(entry)
            case .failure(let error): failures.append((part, error))
            }
        }
        guard !failures.isEmpty else { return responses }
        let isApplied = !isUndone && responses.contains(where: \.isWrite)
        let isUnsure = isApplied || failures.contains { $0.1.outcome.map { $0 != .notApplied } ?? false }
        let faults = failures.flatMap { part, error in
            error.faults.map { $0.about($0.reference ?? part.reference) }
        }
        var error = RestError(
            failedParts: faults, of: failures.count, in: response,
            outcome: response.isWrite ? (isUnsure ? .unknown : .notApplied) : nil)
        // If the server reported no errors, the reason is in the error of the part.
        if faults.isEmpty, let first = failures.first?.1 {
            error = RestError(
                first.code, first.message, response: response.head, body: response.body, outcome: error.outcome,
                underlying: first)
        }
        throw error
    }
}

extension Composite {
    /// A reference to a value in the response of an earlier part of a ``Composite``, such as `@{account.id}`.
    ///
    /// The server replaces the reference by the value. It can be a record id in a path (``text``), a field value in a
    /// body (``json``), or a value bound in a ``SOQL`` query. The part that uses the reference must declare it
    /// (``Composite/add(_:as:using:)``).
    public struct Reference: Sendable, Hashable, CustomStringConvertible {
        /// The reference in the server's syntax.
        public let text: String

        /// Makes a reference.
        ///
        /// - Parameters:
        ///   - part: the name of an earlier part.
        ///   - path: the path to the value in the response of the part, such as `id` or `records[0].Id`.
        public init(_ part: String, _ path: String) { text = "@{\(part).\(path)}" }

        /// The reference as a field value.
        public var json: JSONValue { JSONValue(text) }

        /// The reference in the server's syntax.
        public var description: String { text }
    }
}

extension Composite.Reference: SOQL.Bindable {
    /// The reference as a string literal.
    public var soqlLiteral: SOQLLiteral? { .string(text) }
}

/// A string split at the references that the server would find in it.
struct ReferencedText {
    enum Chunk: Equatable {
        case text(Substring)
        /// A reference with the name of its part.
        case reference(Substring, part: Substring)
    }

    let chunks: [Chunk]

    init(_ text: some StringProtocol) {
        var chunks: [Chunk] = []
        var rest = Substring(text)
        while let start = rest.firstRange(bytes: "@{"), let end = rest[start.upperBound...].firstIndex(byte: "}") {
            if start.lowerBound > rest.startIndex { chunks.append(.text(rest[..<start.lowerBound])) }
            let after = rest.utf8.index(after: end)
            let part = rest[start.upperBound..<end].prefix(beforeAny: ".[")
            chunks.append(.reference(rest[start.lowerBound..<after], part: part))
            rest = rest[after...]
        }
        if !rest.isEmpty { chunks.append(.text(rest)) }
        self.chunks = chunks
    }

    var references: [(text: Substring, part: Substring)] {
        chunks.compactMap { if case .reference(let text, let part) = $0 { (text, part) } else { nil } }
    }

    var isReference: Bool { chunks.count == 1 && references.count == 1 }

    /// Returns the string with everything except its references encoded.
    func encoded(_ encode: (String) -> String) -> String {
        chunks.map { chunk in
            switch chunk {
            case .text(let text): encode(String(text))
            case .reference(let reference, _): String(reference)
            }
        }.joined()
    }
}

extension Composite {
    /// The results of the parts of a ``Composite``.
    ///
    /// The server responds with success even if all parts failed. ``get()`` throws if a part failed. To use the other
    /// parts in this case, use each part's ``Composite/PartResult/result``.
    public struct Response: Sendable {
        /// The results, in the order of the parts.
        public let parts: [Composite.PartResult]
        /// The complete response.
        public let response: RestResponse
        let isAllOrNone: Bool

        /// Returns the result of the part with this name.
        public subscript(reference: String) -> Composite.PartResult? { parts.first { $0.reference == reference } }

        /// Returns the result of a part.
        public subscript(part: Composite.Part) -> Composite.PartResult? { self[part.reference] }

        /// The results of the failed parts: all or none of the parts if the request was all or none.
        public var failures: [Composite.PartResult] { parts.filter { $0.failure != nil } }

        /// Returns the responses of all parts.
        ///
        /// - Throws: ``RestError/Code/api`` with the errors of all failed parts. ``APIFault/reference`` has the name of
        ///   the part. The outcome is ``RestError/WriteOutcome/unknown`` if other parts were applied.
        public func get() throws(RestError) -> [RestResponse] {
            try parts.whole(in: response, isUndone: isAllOrNone)
        }
    }
}

/// A composite request succeeds as a whole, and reports a failed part in its own result.
extension Composite: Endpoint {
    /// The error of the whole request.
    public typealias CallFailure = RestError

    /// The request that contains the parts.
    public var request: RestRequest {
        RestRequest("composite", ["composite"], .composite(self), problem, isWrite: isWrite)
    }

    /// Returns `request`.
    public func makeRequest() -> RestRequest { request }

    /// Reads the results of the parts.
    ///
    /// - Throws: ``RestError/Code/decoding`` if the response has an unexpected form.
    public func content(from response: RestResponse) throws(RestError) -> Composite.Response {
        try results(in: response.payload["compositeResponse"], of: response)
    }

    /// Reads the list of results in a part of a response.
    func results(in value: JSONValue?, of response: RestResponse) throws(RestError) -> Composite.Response {
        guard let list = value?.array, list.count == parts.count else {
            throw RestError(notAResponseTo: "composite request", response)
        }
        var results: [Composite.PartResult] = []
        for (part, entry) in zip(parts, list) {
            guard entry["referenceId"]?.string == part.reference, let status = entry["httpStatusCode"]?.status else {
                throw RestError(notAResponseTo: "composite request", response)
            }
            let head = HTTPResponse.Head(status: status, fields: entry["httpHeaders"]?.fields ?? [:])
            results.append(
                Composite.PartResult(
                    part.request, reference: part.reference,
                    HTTPResponse(head: head, body: entry["body"]?.partBody ?? [])))
        }
        return Composite.Response(parts: results, response: response, isAllOrNone: isAllOrNone)
    }
}

extension JSONValue {
    var status: Int? { int.flatMap { Int(outside: $0, in: .status) } }

    /// The headers of a part, limited to 64 KiB.
    fileprivate var fields: HTTPFields {
        var fields: HTTPFields = [:]
        var room = 65_536
        for (name, value) in object ?? [:] {
            let text = value.string ?? ""
            room -= name.utf8.count + text.utf8.count
            guard room >= 0 else { break }
            fields.append(name, text)
        }
        return fields
    }

    /// The body of a part as bytes, which are empty for `null`.
    var partBody: [UInt8] { isNull ? [] : bytes() }
}

extension Composite.Graphs {
    /// The results of the graphs of a request.
    public struct Response: Sendable {
        /// The result of one graph.
        public struct GraphResult: Sendable {
            /// The graph's name.
            public let id: String
            /// Whether all parts succeeded, or else no part was applied.
            public let isSuccess: Bool
            /// The results of the parts.
            public let parts: Composite.Response

            /// Returns the responses of all parts.
            ///
            /// - Throws: ``RestError/Code/api`` with the errors of the parts if the graph failed.
            public func get() throws(RestError) -> [RestResponse] { try parts.get() }
        }

        /// The results, in the order of the graphs.
        public let graphs: [GraphResult]
        /// The complete response.
        public let response: RestResponse

        /// Returns the result of the graph with this name.
        public subscript(id: String) -> GraphResult? { graphs.first { $0.id == id } }

        /// The results of the failed graphs, of which nothing was applied.
        public var failures: [GraphResult] { graphs.filter { !$0.isSuccess } }

        /// Returns the responses of all parts of all graphs.
        ///
        /// - Throws: ``RestError/Code/api`` with the errors of all failed graphs. ``APIFault/reference`` has the name
        ///   of the part. The outcome is ``RestError/WriteOutcome/unknown`` if other graphs were applied.
        public func get() throws(RestError) -> [[RestResponse]] {
            let failures = failures
            guard let first = failures.first, let error = first.parts.failure else {
                var responses: [[RestResponse]] = []
                for graph in graphs { responses.append(try graph.get()) }
                return responses
            }
            let faults = failures.flatMap { $0.parts.failure?.faults ?? [] }
            let outcome: RestError.WriteOutcome = failures.count == graphs.count ? .notApplied : .unknown
            throw RestError(
                error.code, "graph '\(first.id)': \(error.message)", faults: faults, response: response.head,
                body: response.body, outcome: response.isWrite ? outcome : nil, underlying: error)
        }
    }
}

/// A request of graphs succeeds as a whole, and reports a failed graph in its own result.
extension Composite.Graphs: Endpoint {
    /// The error of the whole request.
    public typealias CallFailure = RestError

    /// The request that contains the graphs.
    public var request: RestRequest {
        RestRequest("graph", ["composite", "graph"], .graphs(self), problem, isWrite: isWrite)
    }

    /// Returns `request`.
    public func makeRequest() -> RestRequest { request }

    /// Reads the results of the graphs.
    ///
    /// - Throws: ``RestError/Code/decoding`` if the response has an unexpected form.
    public func content(from response: RestResponse) throws(RestError) -> Composite.Graphs.Response {
        guard let list = response.payload["graphs"]?.array, list.count == graphs.count else {
            throw RestError(notAResponseTo: "request with graphs", response)
        }
        var results: [Response.GraphResult] = []
        for (graph, entry) in zip(graphs, list) {
            guard entry["graphId"]?.string == graph.id, let isSuccess = entry["isSuccessful"]?.bool else {
                throw RestError(notAResponseTo: "request with graphs", response)
            }
            let parts = try graph.composite.results(
                in: entry["graphResponse"]?["compositeResponse"], of: response)
            // A graph that succeeded with a failed part is contradictory.
            guard isSuccess == parts.failures.isEmpty else {
                throw RestError(notAResponseTo: "request with graphs", response)
            }
            results.append(Response.GraphResult(id: graph.id, isSuccess: isSuccess, parts: parts))
        }
        return Response(graphs: results, response: response)
    }
}

extension Composite.Response {
    fileprivate var failure: RestError? {
        do throws(RestError) {
            _ = try get()
            return nil
        } catch {
            return error
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport
public import SOQLSyntax

extension Composite {
    /// What became of one part of a composite request or a batch.
    public struct PartResult: Sendable {
        /// The part's name, in a composite request.
        public let reference: String?
        /// The call.
        public let request: RestRequest
        /// The part's own status and header fields.
        public let head: HTTPResponse.Head
        /// The answer, or why there is none.
        public let result: Result<RestResponse, RestError>

        /// The answer.
        ///
        /// - Throws: ``RestError`` as the call by itself would have thrown it, when the part failed.
        public func get() throws(RestError) -> RestResponse { try result.get() }

        /// Why the part failed; `nil` when it succeeded.
        public var failure: RestError? {
            if case .failure(let error) = result { error } else { nil }
        }

        /// Reads a part's answer.
        init(_ request: RestRequest, reference: String? = nil, _ response: HTTPResponse) {
            self.request = request
            self.reference = reference
            head = response.head
            do throws(RestError) {
                guard response.head.isSuccess || response.head.status == 304 else {
                    throw RestError(refusal: response, isWrite: request.isWrite)
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
    /// The failure of a request some of whose parts failed.
    ///
    /// The first fault of a part that failed by itself comes first in the message; those that were undone or not run
    /// for its sake follow.
    init(failedParts faults: [APIFault], of count: Int, in response: RestResponse, outcome: RestError.WriteOutcome?) {
        let reason = faults.cause.map { ": \($0)" } ?? ""
        self.init(
            .api, "\(count) \(count == 1 ? "part" : "parts") failed\(reason)", faults: faults, response: response.head,
            body: response.body, outcome: outcome)
    }

    /// An answer that is not of the form that the request has.
    package init(notAnAnswerTo request: String, _ response: RestResponse) {
        self.init(
            .decoding, "the answer is not one to a \(request)", response: response.head, body: response.body,
            outcome: response.isWrite ? .unknown : nil)
    }
}

extension [APIFault] {
    /// The first fault that is not merely the consequence of another one, such as the rollback of all records.
    var cause: APIFault? {
        let consequences: [APIFault.Code] = [
            .processingHalted, .batchProcessingHalted, .allOrNoneOperationRolledBack,
        ]
        return first { !consequences.contains($0.errorCode) } ?? first
    }
}

extension [Composite.PartResult] {
    /// The answers of all parts.
    ///
    /// - Throws: ``RestError`` with the faults of every part that failed.
    func whole(in response: RestResponse, isUndone: Bool) throws(RestError) -> [RestResponse] {
        var answers: [RestResponse] = []
        var failures: [(Composite.PartResult, RestError)] = []
        for part in self {
            switch part.result {
            case .success(let answer): answers.append(answer)
            case .failure(let error): failures.append((part, error))
            }
        }
        guard !failures.isEmpty else { return answers }
        let isApplied = !isUndone && answers.contains(where: \.isWrite)
        let isUnsure = isApplied || failures.contains { $0.1.outcome.map { $0 != .notApplied } ?? false }
        let faults = failures.flatMap { part, error in
            error.faults.map { $0.about($0.reference ?? part.reference) }
        }
        var error = RestError(
            failedParts: faults, of: failures.count, in: response,
            outcome: response.isWrite ? (isUnsure ? .unknown : .notApplied) : nil)
        // A part without a fault that the server stated: what went wrong is in its own error.
        if faults.isEmpty, let first = failures.first?.1 {
            error = RestError(
                first.code, first.message, response: response.head, body: response.body, outcome: error.outcome,
                underlying: first)
        }
        throw error
    }
}

extension Composite {
    /// A value out of the answer to an earlier part of a ``Composite``, which the server puts in: `@{account.id}`.
    ///
    /// It stands for a text: a record's id in a path (``text``), a field's value in a body (``json``), a value bound in
    /// a ``SOQL`` query. The part that it stands in names it too (``Composite/add(_:as:using:)``).
    public struct Reference: Sendable, Hashable, CustomStringConvertible {
        /// The reference as the server reads it.
        public let text: String

        /// Makes a reference.
        ///
        /// - Parameters:
        ///   - part: the name of a part that stands before.
        ///   - path: the way to the value in its answer, such as `id` or `records[0].Id`.
        public init(_ part: String, _ path: String) {
            text = "@{\(part).\(path)}"
        }

        /// The reference as a field's value.
        public var json: JSONValue { JSONValue(text) }

        /// The reference as the server reads it.
        public var description: String { text }
    }
}

extension Composite.Reference: SOQL.Bindable {
    /// The reference as a text literal.
    public var soqlLiteral: SOQLLiteral? { .string(text) }
}

/// A text cut at what the server takes for references.
struct ReferencedText {
    /// A piece of the text.
    enum Piece: Equatable {
        case text(Substring)
        /// A reference, with the name of the part it asks.
        case reference(Substring, part: Substring)
    }

    let pieces: [Piece]

    init(_ text: some StringProtocol) {
        var pieces: [Piece] = []
        var rest = Substring(text)
        while let start = rest.firstRange(bytes: "@{"), let end = rest[start.upperBound...].firstIndex(byte: "}") {
            if start.lowerBound > rest.startIndex { pieces.append(.text(rest[..<start.lowerBound])) }
            let after = rest.utf8.index(after: end)
            let part = rest[start.upperBound..<end].prefix(beforeAny: ".[")
            pieces.append(.reference(rest[start.lowerBound..<after], part: part))
            rest = rest[after...]
        }
        if !rest.isEmpty { pieces.append(.text(rest)) }
        self.pieces = pieces
    }

    /// The references, each with the name of the part it asks.
    var references: [(text: Substring, part: Substring)] {
        pieces.compactMap { if case .reference(let text, let part) = $0 { (text, part) } else { nil } }
    }

    /// Whether all of the text is one reference.
    var isReference: Bool { pieces.count == 1 && references.count == 1 }

    /// The text with everything but its references encoded.
    func encoded(_ encode: (String) -> String) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): encode(String(text))
            case .reference(let reference, _): String(reference)
            }
        }.joined()
    }
}

extension Composite {
    /// The answers to the parts of a ``Composite``.
    ///
    /// The server answers a composite request with success also when all of its parts failed. ``get()`` turns a part
    /// that failed into an error; whoever wants to go on with the others looks at each part's own
    /// ``Composite/PartResult/result``.
    public struct Response: Sendable {
        /// The results in the order of the parts.
        public let parts: [Composite.PartResult]
        /// The answer as a whole.
        public let response: RestResponse
        let isAllOrNone: Bool

        /// The result of the part with that name.
        public subscript(reference: String) -> Composite.PartResult? { parts.first { $0.reference == reference } }

        /// The result of a part.
        public subscript(part: Composite.Part) -> Composite.PartResult? { self[part.reference] }

        /// The parts that failed; in a request that was all or none, all of them or nobody.
        public var failures: [Composite.PartResult] { parts.filter { $0.failure != nil } }

        /// The answers of all parts.
        ///
        /// - Throws: ``RestError/Code/api`` with the faults of every part that failed, each with the part's name in
        ///   ``APIFault/reference``. Its outcome is ``RestError/WriteOutcome/unknown`` when other parts were applied.
        public func get() throws(RestError) -> [RestResponse] {
            try parts.whole(in: response, isUndone: isAllOrNone)
        }
    }
}

/// A composite request succeeds as a whole: a part that failed is in its own result.
extension Composite: Endpoint {
    /// A failure of the request as a whole.
    public typealias CallFailure = RestError

    /// The request that holds the parts.
    public var request: RestRequest {
        RestRequest("composite", ["composite"], .composite(self), problem, isWrite: isWrite)
    }

    /// The request that holds the parts.
    public func makeRequest() -> RestRequest { request }

    /// The results of the parts.
    ///
    /// - Throws: ``RestError/Code/decoding`` for a response of another shape.
    public func content(from response: RestResponse) throws(RestError) -> Composite.Response {
        try results(in: response.payload["compositeResponse"], of: response)
    }

    /// Reads the list of answers that stands somewhere in a response.
    func results(in value: JSONValue?, of response: RestResponse) throws(RestError) -> Composite.Response {
        guard let list = value?.array, list.count == parts.count else {
            throw RestError(notAnAnswerTo: "composite request", response)
        }
        var results: [Composite.PartResult] = []
        for (part, answer) in zip(parts, list) {
            guard answer["referenceId"]?.string == part.reference, let status = answer["httpStatusCode"]?.status else {
                throw RestError(notAnAnswerTo: "composite request", response)
            }
            let head = HTTPResponse.Head(status: status, fields: answer["httpHeaders"]?.fields ?? [:])
            results.append(
                Composite.PartResult(
                    part.request, reference: part.reference,
                    HTTPResponse(head: head, body: answer["body"]?.partBody ?? [])))
        }
        return Composite.Response(parts: results, response: response, isAllOrNone: isAllOrNone)
    }
}

extension JSONValue {
    /// A status that a part can have.
    var status: Int? { int.flatMap { Int(outside: $0, in: .status) } }

    /// The header fields of a part; of more than a header may have, the first 64 KiB.
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

    /// The body of a part as bytes; none for `null`.
    var partBody: [UInt8] { isNull ? [] : bytes() }
}

extension Composite.Graphs {
    /// What became of each graph of a request.
    public struct Response: Sendable {
        /// One graph's answer.
        public struct GraphResult: Sendable {
            /// The graph's name.
            public let id: String
            /// Whether all of its parts were done; else none was.
            public let isSuccess: Bool
            /// The results of its parts.
            public let parts: Composite.Response

            /// The answers of all parts.
            ///
            /// - Throws: ``RestError/Code/api`` with the faults of the parts when the graph failed.
            public func get() throws(RestError) -> [RestResponse] { try parts.get() }
        }

        /// The results in the order of the graphs.
        public let graphs: [GraphResult]
        /// The answer as a whole.
        public let response: RestResponse

        /// The result of the graph with that name.
        public subscript(id: String) -> GraphResult? { graphs.first { $0.id == id } }

        /// The graphs of which nothing was done.
        public var failures: [GraphResult] { graphs.filter { !$0.isSuccess } }

        /// The answers of all parts of all graphs.
        ///
        /// - Throws: ``RestError/Code/api`` with the faults of every graph that failed, each with the part's name in
        ///   ``APIFault/reference``. Its outcome is ``RestError/WriteOutcome/unknown`` when other graphs were applied.
        public func get() throws(RestError) -> [[RestResponse]] {
            let failures = failures
            guard let first = failures.first, let error = first.parts.failure else {
                var answers: [[RestResponse]] = []
                for graph in graphs { answers.append(try graph.get()) }
                return answers
            }
            let faults = failures.flatMap { $0.parts.failure?.faults ?? [] }
            let outcome: RestError.WriteOutcome = failures.count == graphs.count ? .notApplied : .unknown
            throw RestError(
                error.code, "graph '\(first.id)': \(error.message)", faults: faults, response: response.head,
                body: response.body, outcome: response.isWrite ? outcome : nil, underlying: error)
        }
    }
}

/// A request of graphs succeeds as a whole: a graph that failed is in its own result.
extension Composite.Graphs: Endpoint {
    /// A failure of the request as a whole.
    public typealias CallFailure = RestError

    /// The request that holds the graphs.
    public var request: RestRequest {
        RestRequest("graph", ["composite", "graph"], .graphs(self), problem, isWrite: isWrite)
    }

    /// The request that holds the graphs.
    public func makeRequest() -> RestRequest { request }

    /// The results of the graphs.
    ///
    /// - Throws: ``RestError/Code/decoding`` for a response of another shape.
    public func content(from response: RestResponse) throws(RestError) -> Composite.Graphs.Response {
        guard let list = response.payload["graphs"]?.array, list.count == graphs.count else {
            throw RestError(notAnAnswerTo: "request of graphs", response)
        }
        var results: [Response.GraphResult] = []
        for (graph, answer) in zip(graphs, list) {
            guard answer["graphId"]?.string == graph.id, let isSuccess = answer["isSuccessful"]?.bool else {
                throw RestError(notAnAnswerTo: "request of graphs", response)
            }
            let parts = try graph.composite.results(
                in: answer["graphResponse"]?["compositeResponse"], of: response)
            // A graph that says it was done, and a part of it that was not: nobody knows which is true.
            guard isSuccess == parts.failures.isEmpty else {
                throw RestError(notAnAnswerTo: "request of graphs", response)
            }
            results.append(Response.GraphResult(id: graph.id, isSuccess: isSuccess, parts: parts))
        }
        return Response(graphs: results, response: response)
    }
}

extension Composite.Response {
    /// Why the request as a whole failed; `nil` when every part succeeded.
    fileprivate var failure: RestError? {
        do throws(RestError) {
            _ = try get()
            return nil
        } catch {
            return error
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// Calls that go to the server in one request and know nothing of each other.
///
/// Each counts as one call of the org's allowance and is its own transaction. The request as a whole succeeds whatever
/// becomes of its parts: their results say, each by itself (``Batch/Response``).
public struct Batch: Sendable, Hashable {
    /// The most parts that the server accepts.
    public static let maximumParts = 25

    /// The calls, in order: of the REST API, with a JSON body or none, without header fields of their own.
    public var requests: [RestRequest]
    /// Whether the parts after one that failed are not run; their results say ``APIFault/Code/batchProcessingHalted``.
    public var haltsOnError: Bool

    /// Makes a batch.
    public init(_ requests: [RestRequest], haltsOnError: Bool = false) {
        self.requests = requests
        self.haltsOnError = haltsOnError
    }
}

extension Batch {
    /// Whether a part changes something on the server.
    var isWrite: Bool { requests.contains(where: \.isWrite) }

    /// The first thing that the server would refuse as a whole, or would not do.
    var problem: InvalidArgument? {
        guard (1...Self.maximumParts).contains(requests.count) else {
            return InvalidArgument(
                argument: "requests",
                reason: "there are \(requests.count); the server accepts 1 to \(Self.maximumParts)")
        }
        for (position, request) in requests.enumerated() {
            let name = "requests[\(position)]"
            if let problem = request.problemAsPart(name) { return problem }
            guard request.fields.allSatisfy({ $0.isOfContent }), request.options == RestRequest.CallOptions() else {
                return InvalidArgument(
                    argument: "\(name).fields", reason: "a batch has no header fields for its parts; send it by itself")
            }
            guard !request.hasReferenceInPath else {
                return InvalidArgument(argument: name, reason: "the parts of a batch cannot refer to each other")
            }
        }
        return nil
    }
}

extension Batch {
    /// The answers to the parts of a ``Batch``.
    ///
    /// The server answers a batch with success also when all of its parts failed. ``get()`` turns a part that failed
    /// into an error; whoever wants to go on with the others looks at each part's own ``Composite/PartResult/result``.
    public struct Response: Sendable {
        /// The results in the order of the requests.
        public let parts: [Composite.PartResult]
        /// The answer as a whole.
        public let response: RestResponse

        /// The parts that failed or were not run.
        public var failures: [Composite.PartResult] { parts.filter { $0.failure != nil } }

        /// The answers of all parts.
        ///
        /// - Throws: ``RestError/Code/api`` with the faults of every part that failed. Its outcome is
        ///   ``RestError/WriteOutcome/unknown`` when other parts were applied.
        public func get() throws(RestError) -> [RestResponse] {
            try parts.whole(in: response, isUndone: false)
        }
    }
}

/// A batch succeeds as a whole: a part that failed is in its own result.
extension Batch: Endpoint {
    /// A failure of the request as a whole.
    public typealias CallFailure = RestError

    /// The request that holds the parts.
    public var request: RestRequest {
        RestRequest("batch", ["composite", "batch"], .batch(self), problem, isWrite: isWrite)
    }

    /// The request that holds the parts.
    public func makeRequest() -> RestRequest { request }

    /// The results of the parts.
    ///
    /// - Throws: ``RestError/Code/decoding`` for a response of another shape.
    public func content(from response: RestResponse) throws(RestError) -> Batch.Response {
        guard let list = response.payload["results"]?.array, list.count == requests.count else {
            throw RestError(notAnAnswerTo: "batch", response)
        }
        var results: [Composite.PartResult] = []
        for (request, answer) in zip(requests, list) {
            guard let status = answer["statusCode"]?.status else { throw RestError(notAnAnswerTo: "batch", response) }
            let body = answer["result"]?.partBody ?? []
            results.append(
                Composite.PartResult(request, HTTPResponse(head: HTTPResponse.Head(status: status), body: body)))
        }
        return Batch.Response(parts: results, response: response)
    }
}

/// What a request consists of that is written when the API version is known.
enum RequestParts: Sendable, Hashable {
    case composite(Composite)
    case batch(Batch)
    case graphs(Composite.Graphs)
    case form(FormBody)
    case soap(SOAPCall)
}

extension RestRequest {
    /// Makes a request of other requests, which is sent again after an unknown outcome only if all of them read.
    init(_ name: String, _ path: [String], _ parts: RequestParts, _ problem: InvalidArgument?, isWrite: Bool) {
        self.init(name: name, method: .post, resource: .data(path), fields: Self.jsonContent)
        self.parts = parts
        self.problem = problem
        effect = isWrite ? .writes(idempotent: false) : .reads
    }

    /// The type of a JSON body.
    static let jsonContent: HTTPFields = ["Content-Type": "application/json; charset=UTF-8"]
}

extension RestRequest {
    /// The calls that it sends in one.
    var partRequests: [RestRequest] {
        switch parts {
        case .composite(let composite): composite.parts.map(\.request)
        case .batch(let batch): batch.requests
        case .graphs(let graphs): graphs.graphs.flatMap { $0.composite.parts.map(\.request) }
        case .form, .soap, nil: []
        }
    }

    /// Whether it is one of those of which a composite request may have only five.
    var isQueryOrCollection: Bool {
        switch resource {
        case .data(let path): path.first.map { ["query", "queryAll", "composite"].contains($0) } ?? false
        case .serverPath(let path): path.split(byte: "/").dropFirst(3).first?.hasBytes(prefix: "query") ?? false
        }
    }

    /// What the server takes for references in the request, each with the name of the part it asks.
    ///
    /// The server looks for them in the body as it looks for them in the path.
    var references: [(text: Substring, part: Substring)] {
        var texts = query.map(\.value)
        switch resource {
        case .data(let path): texts += path
        case .serverPath(let path): texts.append(path)
        }
        jsonBody?.collectTexts(into: &texts)
        return texts.flatMap { ReferencedText($0).references }
    }

    /// Whether the path asks a part of a composite request for a value, which only the server of such a request can
    /// give.
    var hasReferenceInPath: Bool {
        guard case .data(let path) = resource else { return false }
        return path.contains { ReferencedText($0).isReference }
    }

    /// The first thing that keeps the request from being a part of another.
    func problemAsPart(_ name: String) -> InvalidArgument? {
        if let problem = problem ?? options.problem {
            return InvalidArgument(argument: "\(name).\(problem.argument)", reason: problem.reason)
        }
        guard parts == nil, service == .instance, isAuthorized else {
            return InvalidArgument(argument: name, reason: "cannot be a part; send it by itself")
        }
        if case .serverPath(let path) = resource, !path.hasBytes(prefix: "/services/data/v") {
            return InvalidArgument(argument: "\(name).resource", reason: "must be a path below /services/data/v…")
        }
        guard jsonBody != nil else {
            return InvalidArgument(argument: "\(name).body", reason: "must be JSON or nothing")
        }
        return nil
    }

    /// The body as a value; `null` when there is none, `nil` when it is no JSON.
    var jsonBody: JSONValue? {
        switch body {
        case .empty: .null
        case .bytes(let bytes): try? JSONValue(parsing: bytes)
        case .file, .stream: nil
        }
    }
}

extension JSONValue {
    /// Adds the texts in the value and its members' names, as they are without escapes.
    fileprivate func collectTexts(into texts: inout [String]) {
        if let string {
            texts.append(string)
        } else if let array {
            for element in array { element.collectTexts(into: &texts) }
        } else if let object {
            for (name, value) in object {
                texts.append(name)
                value.collectTexts(into: &texts)
            }
        }
    }
}

extension HTTPFields.Field {
    /// Whether the field is about the form of a JSON body, which the request around a part settles.
    var isOfContent: Bool { ["content-type", "accept"].contains(name.lowercased()) }
}

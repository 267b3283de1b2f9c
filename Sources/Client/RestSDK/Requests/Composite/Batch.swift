// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// Independent calls that are sent in one request.
///
/// Each part counts as one API call of the org and is its own transaction. The request succeeds even if parts fail:
/// each part has its own result in ``Batch/Response``.
public struct Batch: Sendable, Hashable {
    /// The server's maximum number of parts.
    public static let maximumParts = 25

    /// The calls of the REST API, in order, with a JSON body or no body, and without headers.
    public var requests: [RestRequest]
    /// Whether parts after a failed part are not run, and fail with ``APIFault/Code/batchProcessingHalted``.
    public var haltsOnError: Bool

    /// Makes a batch.
    public init(_ requests: [RestRequest], haltsOnError: Bool = false) {
        self.requests = requests
        self.haltsOnError = haltsOnError
    }
}

extension Batch {
    var isWrite: Bool { requests.contains(where: \.isWrite) }

    /// The first reason why the server would reject the request or ignore a part of it.
    var problem: InvalidArgument? {
        guard (1...Self.maximumParts).contains(requests.count) else {
            return InvalidArgument(
                "requests", "there are \(requests.count); the server accepts 1 to \(Self.maximumParts)")
        }
        for (position, request) in requests.enumerated() {
            let name = "requests[\(position)]"
            if let problem = request.problemAsPart(name) { return problem }
            guard request.fields.allSatisfy({ $0.isOfContent }), request.options == RestRequest.CallOptions() else {
                return InvalidArgument(
                    "\(name).fields", "a part of a batch cannot have headers; send the request separately")
            }
            guard !request.hasReferenceInPath else {
                return InvalidArgument(name, "the parts of a batch cannot refer to each other")
            }
        }
        return nil
    }
}

extension Batch {
    /// The results of the parts of a ``Batch``.
    ///
    /// The server responds with success even if all parts failed. ``get()`` throws if a part failed. To use the other
    /// parts in this case, use each part's ``Composite/PartResult/result``.
    public struct Response: Sendable {
        /// The results, in the order of the requests.
        public let parts: [Composite.PartResult]
        /// The complete response.
        public let response: RestResponse

        /// The results of the parts that failed or were not run.
        public var failures: [Composite.PartResult] { parts.filter { $0.failure != nil } }

        /// Returns the responses of all parts.
        ///
        /// - Throws: ``RestError/Code/api`` with the errors of all failed parts. The outcome is
        ///   ``RestError/WriteOutcome/unknown`` if other parts were applied.
        public func get() throws(RestError) -> [RestResponse] {
            try parts.whole(in: response, isUndone: false)
        }
    }
}

/// A batch succeeds as a whole, and reports a failed part in its own result.
extension Batch: Endpoint {
    /// The error of the whole request.
    public typealias CallFailure = RestError

    /// The request that contains the parts.
    public var request: RestRequest {
        RestRequest("batch", ["composite", "batch"], .batch(self), problem, isWrite: isWrite)
    }

    /// Returns `request`.
    public func makeRequest() -> RestRequest { request }

    /// Reads the results of the parts.
    ///
    /// - Throws: ``RestError/Code/decoding`` if the response has an unexpected form.
    public func content(from response: RestResponse) throws(RestError) -> Batch.Response {
        guard let list = response.payload["results"]?.array, list.count == requests.count else {
            throw RestError(notAResponseTo: "batch", response)
        }
        var results: [Composite.PartResult] = []
        for (request, entry) in zip(requests, list) {
            guard let status = entry["statusCode"]?.status else { throw RestError(notAResponseTo: "batch", response) }
            let body = entry["result"]?.partBody ?? []
            results.append(
                Composite.PartResult(request, HTTPResponse(head: HTTPResponse.Head(status: status), body: body)))
        }
        return Batch.Response(parts: results, response: response)
    }
}

/// The parts of a body that is made when the API version is known.
enum RequestParts: Sendable, Hashable {
    case composite(Composite)
    case batch(Batch)
    case graphs(Composite.Graphs)
    case form(FormBody)
    case soap(SOAPCall)
}

extension RestRequest {
    /// Makes a request from other requests, which is retried after an unknown outcome only if all of them read.
    init(_ name: String, _ path: [String], _ parts: RequestParts, _ problem: InvalidArgument?, isWrite: Bool) {
        self.init(name: name, method: .post, resource: .data(path), fields: Self.jsonContent)
        self.parts = parts
        self.problem = problem
        effect = isWrite ? .writes(idempotent: false) : .reads
    }

    static let jsonContent: HTTPFields = ["Content-Type": "application/json; charset=UTF-8"]
}

extension RestRequest {
    var partRequests: [RestRequest] {
        switch parts {
        case .composite(let composite): composite.parts.map(\.request)
        case .batch(let batch): batch.requests
        case .graphs(let graphs): graphs.graphs.flatMap { $0.composite.parts.map(\.request) }
        case .form, .soap, nil: []
        }
    }

    /// Whether the request counts toward the limit of five queries or collections per composite request.
    var isQueryOrCollection: Bool {
        switch resource {
        case .data: resource.names?.first.map { ["query", "queryAll", "composite"].contains($0) } ?? false
        case .serverPath(let path):
            path.split(byte: "/").dropFirst(3).first { $0 != "tooling" }?.hasBytes(prefix: "query") ?? false
        }
    }

    /// The references that the server finds in the path and in the body, each with the name of its part.
    var references: [(text: Substring, part: Substring)] {
        var texts = query.map(\.value)
        switch resource {
        case .data(let path): texts += path
        case .serverPath(let path): texts.append(path)
        }
        // Without an at sign and a backslash, which can escape one, the body has no reference and is not parsed.
        if case .bytes(let bytes) = body, bytes.contains(UInt8(ascii: "@")) || bytes.contains(UInt8(ascii: "\\")) {
            jsonBody?.collectTexts(into: &texts)
        }
        return texts.flatMap { ReferencedText($0).references }
    }

    /// Whether the path contains a reference, which works only in a composite request.
    var hasReferenceInPath: Bool {
        guard case .data(let path) = resource else { return false }
        return path.contains { ReferencedText($0).isReference }
    }

    /// The first reason why the request cannot be a part of another request.
    func problemAsPart(_ name: String) -> InvalidArgument? {
        if let problem = problem ?? options.problem {
            return InvalidArgument("\(name).\(problem.argument)", problem.reason)
        }
        guard parts == nil, service == .instance, isAuthorized else {
            return InvalidArgument(name, "cannot be a part; send the request separately")
        }
        if case .serverPath(let path) = resource, !path.hasBytes(prefix: "/services/data/v") {
            return InvalidArgument("\(name).resource", "must be a path below /services/data/v…")
        }
        guard jsonBody != nil else {
            return InvalidArgument("\(name).body", "must be JSON or nothing")
        }
        return nil
    }

    /// The JSON body: `null` if there is no body, or `nil` if the body is not JSON.
    var jsonBody: JSONValue? {
        switch body {
        case .empty: .null
        case .bytes(let bytes): try? JSONValue(parsing: bytes)
        case .file, .stream: nil
        }
    }
}

extension JSONValue {
    /// Adds all strings in the value and the names of all members, without escapes.
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
    /// Whether the header describes a JSON body, which the enclosing request does for all parts.
    var isOfContent: Bool { ["content-type", "accept"].contains(name.lowercased()) }
}

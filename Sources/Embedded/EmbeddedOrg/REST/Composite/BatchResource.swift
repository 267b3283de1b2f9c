// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLStore

/// `/composite/batch`: up to 25 independent requests, each of which counts as a call.
struct BatchResource {
    let router: RESTRouter

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("POST")
        let root = JSONValue(try RecordInput.members(call.request.body))
        let requests = try Self.requests(root["batchRequests"]?.array)
        let haltsOnError = try root.flag("haltOnError")
        var responses: [ServerResponse] = []
        for request in requests {
            let isHalted = haltsOnError && responses.contains { $0.isFailure }
            if !isHalted { router.usage.count() }
            responses.append(isHalted ? OrgError.batchHalted.response : request.respond(by: router))
        }
        return Self.response(responses)
    }

    private static func requests(_ list: JSONArray?) throws(OrgError) -> [SubRequest] {
        guard let list, !list.isEmpty else { throw .invalidInput("batchRequests must be a list of requests.") }
        guard list.count <= SubRequest.most else {
            throw .invalidInput("A batch has at most \(SubRequest.most) requests.")
        }
        var requests: [SubRequest] = []
        for (index, value) in list.enumerated() {
            guard let method = value["method"]?.string, let url = value["url"]?.string, let target = target(url) else {
                throw .invalidInput(
                    "batchRequests[\(index)] needs a method and a url that begins with a version, v66.0/.")
            }
            let body = value["richInput"].flatMap { $0.isNull ? nil : $0 }
            requests.append(SubRequest(method: method, target: target, body: body))
        }
        return requests
    }

    /// Returns the target for `v66.0/limits`, `/v66.0/limits` or the whole path.
    private static func target(_ url: String) -> String? {
        if url.hasBytes(prefix: "/services/data/v") { return url }
        if url.hasBytes(prefix: "/v") { return "/services/data" + url }
        return url.hasBytes(prefix: "v") ? "/services/data/" + url : nil
    }

    private static func response(_ responses: [ServerResponse]) -> ServerResponse {
        .object { writer in
            writer.member("hasErrors", responses.contains { $0.isFailure })
            writer.member("results", list: responses) { writer, response in
                writer.object { writer in
                    writer.member("statusCode", response.status)
                    writer.member("result", bodyOf: response)
                }
            }
        }
    }
}

extension OrgError {
    fileprivate static let batchHalted = OrgError(
        "BATCH_PROCESSING_HALTED", "Batch processing halted per request")
}

/// A request inside `/composite` or `/composite/batch`.
struct SubRequest {
    let method: String
    /// The target, beginning with `/services/data/`.
    let target: String
    let body: JSONValue?
    var fields = HTTPFields()

    static let most = 25

    /// Handles the request, whose session was checked by the outer request.
    func respond(by router: RESTRouter) -> ServerResponse {
        do throws(OrgError) {
            let isQuery = isQuery
            // Only a query may be longer than a separate request.
            guard target.utf8.count <= (isQuery ? Self.longestQuery : HeadLimits.longest) else {
                throw OrgError("URI_TOO_LONG", "The url of a request inside another request is too long.")
            }
            guard HeadLimits.allows(fields, beside: isQuery ? 0 : target.utf8.count), HeadLimits.areWellFormed(fields)
            else {
                return OrgError("INVALID_HEADER", "The httpHeaders are too large or not well-formed.").response(431)
            }
            let request = request
            guard let path = request.path, path.segments.starts(with: ["services", "data"]),
                path.segments.count > 3
            else { throw .notFound }
            guard path.segments[3] != "composite" || path.segments.dropFirst(4).first == "sobjects" else {
                throw .invalidInput("A request inside another request cannot contain requests.")
            }
            return try router.resource(request, path)
        } catch {
            return error.response
        }
    }

    /// The maximum length of a query, 100,000 bytes, if every byte is percent-encoded, with its path.
    private static let longestQuery = 300_000 + HeadLimits.longest

    private var isQuery: Bool {
        let segments = target.utf8.prefix(64).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let name = segments.dropFirst(4).first.map { $0.prefix { $0 != UInt8(ascii: "?") } }
        return name.map { $0.elementsEqual("query".utf8) || $0.elementsEqual("queryAll".utf8) } ?? false
    }

    private var request: ServerRequest {
        var request = ServerRequest(method: method, target: target, fields: fields)
        guard let body else { return request }
        var writer = JSONWriter()
        writer.value(body)
        request.body = writer.bytes
        request.fields["Content-Type"] = "application/json"
        return request
    }

    /// Whether the request counts toward the limit of five queries or collections per composite request.
    var isQueryOrCollection: Bool {
        let segments = RequestPath(target)?.segments.dropFirst(3) ?? []
        return ["query", "queryAll", "composite"].contains(segments.first)
    }
}

extension OrgError {
    /// Returns the error for a malformed or too large composite body.
    static func invalidInput(_ message: String) -> OrgError { OrgError("INVALID_INPUT", message) }

    static func repeated(_ member: String, _ value: String) -> OrgError {
        .invalidInput("The \(member) '\(value.prefix(40))' is used more than once.")
    }

    static func halted(_ message: String) -> OrgError { OrgError("PROCESSING_HALTED", message) }
}

extension Sequence where Element: Hashable {
    var firstRepeated: Element? {
        var seen: Set<Element> = []
        return first { !seen.insert($0).inserted }
    }
}

extension ServerResponse {
    var isFailure: Bool { status >= 400 }
}

extension JSONWriter {
    /// Writes the body of a response, or null if it is empty.
    mutating func member(_ name: String, bodyOf response: ServerResponse) {
        key(name)
        if response.body.isEmpty { null() } else { raw(response.body) }
    }
}

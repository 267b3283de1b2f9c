// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// Converts a ``RestRequest`` to an HTTP request, without I/O, as the only code that makes URLs of API calls.
struct RequestBuilder: Sendable {
    /// Salesforce's maximum size of a request target, and of a target with headers, in bytes (else 414 or 431).
    static let maximumTargetSize = 16_384

    let apiVersion: APIVersion
    /// The headers of each request, unless its service or the request itself sets them.
    let fields: HTTPFields
    /// The options of each request, unless the request itself sets them.
    let options: RestRequest.CallOptions
    let services: ServiceMap
    let configurationProblem: InvalidArgument?

    init(_ configuration: RestClient.Configuration) {
        apiVersion = configuration.apiVersion
        fields = (["Accept": "application/json", "User-Agent": configuration.userAgent] as HTTPFields)
            .overridden(by: configuration.fields)
        options = configuration.options
        services = ServiceMap(configuration.services)
        configurationProblem = configuration.problem
    }

    /// Builds the HTTP request with a relative URL, or with an absolute URL if the call has one, or throws if it is
    /// invalid.
    ///
    /// The origin is added later, together with the token.
    func request(for request: RestRequest) throws(RestError) -> HTTPRequest {
        try validate(request)
        let body = try body(of: request).forOneCall
        try check(request, body)
        let url = try url(of: request)
        try check(url, of: request)
        return HTTPRequest(method: request.method, url: url, fields: fields(of: request), body: body)
    }

    /// Throws if an argument of the request or a setting of the client is invalid.
    func validate(_ request: RestRequest) throws(RestError) {
        guard let problem = request.problem ?? request.options.problem ?? configurationProblem else { return }
        throw .invalidRequest(problem.argument, problem.reason, isWrite: request.isWrite)
    }

    /// Summarizes a request for errors, even if the request cannot be built.
    func summary(of request: RestRequest) -> RestRequest.Summary {
        let path = request.resource.path { dataPath($0, of: request.service) }
        return RestRequest.Summary(name: request.name, method: request.method, path: path)
    }

    func dataPath(
        _ segments: [String], of service: RestRequest.Service = .instance,
        encode: (String) -> String = PercentEncoding.pathSegment
    ) -> String {
        let path = segments.reduce(services[service].basePath ?? "/services/data/\(apiVersion)") {
            "\($0)/\(encode($1))"
        }
        return path.isEmpty ? "/" : path
    }

    /// The percent-encoded query string, or `nil` if there are no items.
    func query(
        _ items: [RestRequest.QueryItem], encode: (String) -> String = PercentEncoding.queryComponent
    ) -> String? {
        guard !items.isEmpty else { return nil }
        return items.map { "\(PercentEncoding.queryComponent($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private func url(of request: RestRequest) throws(RestError) -> HTTPURL {
        let base: HTTPURL
        switch request.resource {
        case .serverPath(let path) where request.isSOAP: base = HTTPURL(path: "\(path)/\(apiVersion.number).0")
        case .data(let segments): base = HTTPURL(path: dataPath(segments, of: request.service))
        case .serverPath(let path): base = try serverURL(path)
        }
        guard let query = query(request.query) else { return base }
        return HTTPURL(
            origin: base.origin, path: base.path, query: base.query.map { "\($0)&\(query)" } ?? query)
    }

    /// Parses a path or URL from the server, which is untrusted.
    private func serverURL(_ path: String) throws(RestError) -> HTTPURL {
        let isPath = path.hasBytes(prefix: "/") && !path.hasBytes(prefix: "//")
        guard let url = try? isPath ? HTTPURL(origin: .undecided, target: path) : HTTPURL(parsing: path) else {
            throw .invalidRequest(
                "path",
                "must be an absolute path or a URL on the account's server, percent-encoded and without user "
                    + "name")
        }
        return url
    }

    private func fields(of request: RestRequest) -> HTTPFields {
        let service = services[request.service].fields
        guard request.service == .instance else { return fields.overridden(by: service).overridden(by: request.fields) }
        return fields.overridden(by: options.overridden(by: request.options).fields)
            .overridden(by: service).overridden(by: request.fields)
    }
}

extension RestRequest.Resource {
    /// The path without the query, which may contain data.
    func path(_ join: ([String]) -> String) -> String {
        switch self {
        case .data(let segments): join(segments)
        case .serverPath(let path) where path.hasBytes(prefix: "/"): String(path.prefix(before: "?"))
        // Only the path of an absolute URL, because the part before it may contain a password.
        case .serverPath(let url): (try? HTTPURL(parsing: url))?.path ?? ""
        }
    }
}

extension HTTPFields {
    /// Returns a copy in which the fields of `others` replace all fields with the same names.
    func overridden(by others: HTTPFields) -> HTTPFields {
        var fields = self
        for field in others { fields[field.name] = nil }
        for field in others { fields.append(field.name, field.value) }
        return fields
    }
}

/// Checks for requests that no server accepts, before anything is sent.
extension RequestBuilder {
    /// Throws if the API version does not exist, or if the body cannot be sent.
    func check(_ request: RestRequest, _ body: HTTPBody) throws(RestError) {
        guard APIVersion.numbers.contains(apiVersion.number) else {
            throw .invalidRequest("apiVersion", "version \(apiVersion) does not exist", isWrite: request.isWrite)
        }
        guard !request.hasReferenceInPath else {
            throw .invalidRequest(
                "id", "a reference works only inside a composite request", isWrite: request.isWrite)
        }
        try checkResource(of: request, isWrite: request.isWrite)
        for part in request.partRequests { try checkResource(of: part, isWrite: request.isWrite) }
        switch body {
        case .bytes(let bytes) where bytes.count > services[request.service].maximumBodySize:
            let limit = services[request.service].maximumBodySize
            throw .invalidRequest(
                "body", "has \(bytes.count) bytes; the server accepts \(limit); send a file instead",
                isWrite: request.isWrite)
        case .stream(let source) where !source.isRestartable && (request.retryPolicy?.maximumAttempts ?? 1) > 1:
            throw .invalidRequest(
                "retryPolicy",
                "a stream created by .once can be sent only once; use .restartable, send bytes or a file, or do "
                    + "not retry",
                isWrite: request.isWrite)
        default: break
        }
    }

    /// Throws if the path has a segment `.` or `..`, which leads to another resource, or if the API version lacks the
    /// resource.
    private func checkResource(of request: RestRequest, isWrite: Bool) throws(RestError) {
        let hasDots =
            switch request.resource {
            // Percent-encoding cannot turn other characters into a dot.
            case .data(let segments): segments.contains { $0 == "." || $0 == ".." }
            case .serverPath: PercentEncoding.hasDotSegment(summary(of: request).path)
            }
        guard !hasDots else {
            throw .invalidRequest(
                "path",
                "'.' and '..' lead to another resource, even if they are encoded; find the record by a query and "
                    + "use its id",
                isWrite: isWrite)
        }
        guard apiVersion < .complete, request.service == .instance, case .data(let path) = request.resource,
            let first = APIVersion.first(with: path), apiVersion < first
        else { return }
        throw .invalidRequest(
            "apiVersion",
            "\(request.name) exists from version \(first) on, and the client uses \(apiVersion); set "
                + "Configuration.apiVersion",
            isWrite: isWrite)
    }

    /// Throws if the URL is too long, unless the call is a query, which can be sent in a body.
    func check(_ url: HTTPURL, of request: RestRequest) throws(RestError) {
        let size = url.target.utf8.count
        guard size > Self.maximumTargetSize else { return }
        guard request.isQuery else {
            let (argument, remedy) =
                switch request.resource.names {
                case ["search"]: ("sosl", "; use a ParameterizedSearch, which is sent in the body")
                case ["executeAnonymous"]: ("code", "; split the code, or create an Apex class and call it")
                default: ("query", "")
                }
            throw .invalidRequest(
                argument, "the URL has \(size) bytes; the server accepts \(Self.maximumTargetSize)\(remedy)",
                isWrite: request.isWrite)
        }
        let composite = APIVersion.first(with: request.isTooling ? ["tooling", "composite"] : ["composite"])
        if let composite, apiVersion < composite {
            throw .invalidRequest(
                "soql",
                "the URL has \(size) bytes; the server accepts \(Self.maximumTargetSize), and longer queries in a "
                    + "body from version \(composite) on; split the query")
        }
    }
}

extension RequestBuilder {
    /// Returns the body as it is sent, or throws ``RestError/Code/file`` if a file cannot be read.
    func body(of request: RestRequest) throws(RestError) -> HTTPBody {
        switch request.parts {
        case .composite(let composite): return .bytes(json { write(composite, to: &$0) })
        case .batch(let batch): return .bytes(json(of: batch).bytes())
        case .graphs(let graphs): return .bytes(json { write(graphs, to: &$0) })
        case .form(let form):
            do throws(TransportError) { return try form.body() } catch {
                throw RestError(error, isWrite: request.isWrite)
            }
        case .soap(let call): return call.body
        case nil: return request.body
        }
    }

    private func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return writer.bytes
    }

    private func write(_ composite: Composite, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("allOrNone")
        writer.bool(composite.isAllOrNone)
        if !composite.isCollated {
            writer.key("collateSubrequests")
            writer.bool(false)
        }
        write(composite.parts, to: &writer)
        writer.endObject()
    }

    private func write(_ graphs: Composite.Graphs, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("graphs")
        writer.beginArray()
        for graph in graphs.graphs {
            writer.beginObject()
            writer.member("graphId", graph.id)
            write(graph.composite.parts, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    /// Writes the parts without a JSON tree, because there can be many, and a valid JSON body as it is.
    private func write(_ parts: [Composite.Part], to writer: inout JSONWriter) {
        writer.key("compositeRequest")
        writer.beginArray()
        for part in parts {
            let request = part.request
            writer.beginObject()
            writer.member("method", request.method.rawValue)
            writer.member("url", target(of: request))
            writer.member("referenceId", part.reference)
            let fields = request.options.fields.overridden(by: request.fields).filter { !$0.isOfContent }
            if !fields.isEmpty {
                writer.key("httpHeaders")
                writer.beginObject()
                for field in fields { writer.member(field.name, field.value) }
                writer.endObject()
            }
            if case .bytes(let body) = request.body, !body.elementsEqual("null".utf8) {
                writer.key("body")
                writer.raw(body)
            }
            writer.endObject()
        }
        writer.endArray()
    }

    private func json(of batch: Batch) -> JSONValue {
        let parts = batch.requests.map { request in
            // Remove the common prefix of all resources, with which each target begins.
            let url = String(target(of: request).dropFirst("/services/data/".count))
            var json: JSONObject = ["method": JSONValue(request.method.rawValue), "url": JSONValue(url)]
            if let body = request.jsonBody, !body.isNull { json["richInput"] = body }
            return JSONValue(json)
        }
        return ["batchRequests": JSONValue(JSONArray(parts)), "haltOnError": JSONValue(batch.haltsOnError)]
    }

    /// Returns the URL of a part, percent-encoded except for its references.
    private func target(of request: RestRequest) -> String {
        let path: String
        switch request.resource {
        case .data(let segments):
            path = dataPath(segments) { ReferencedText($0).encoded(PercentEncoding.pathSegment) }
        case .serverPath(let given): path = given
        }
        let query = query(request.query) { ReferencedText($0).encoded(PercentEncoding.queryComponent) }
        return query.map { "\(path)\(path.hasBytes("?") ? "&" : "?")\($0)" } ?? path
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }
}

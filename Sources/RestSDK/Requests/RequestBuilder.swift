// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Turns a ``RestRequest`` into an HTTP request.
///
/// Pure, and the only place where URLs of API calls are made.
struct RequestBuilder: Sendable {
    /// The longest request target, and the longest target with header fields, that the platform accepts, in bytes (it
    /// answers 414 or 431 beyond).
    static let maximumTargetSize = 16_384

    let apiVersion: APIVersion
    let userAgent: String
    /// What is wrong with the client's configuration.
    var configurationProblem: InvalidArgument?

    /// Builds the HTTP request for the given instance.
    ///
    /// - Throws: ``RestError/Code/invalidRequest`` naming the argument that cannot be sent.
    func request(for request: RestRequest, instance: Origin) throws(RestError) -> HTTPRequest {
        try validate(request)
        let body = try body(of: request)
        try check(request, body, instance: instance)
        let url = try url(of: request, instance: instance)
        try check(url, of: request)
        return HTTPRequest(method: request.method, url: url, fields: fields(of: request), body: body)
    }

    /// Refuses a request one of whose arguments cannot be sent; needs no instance, hence no login.
    func validate(_ request: RestRequest) throws(RestError) {
        guard let problem = request.problem ?? configurationProblem else { return }
        throw .invalidRequest(problem.argument, problem.reason, isWrite: request.isWrite)
    }

    /// Which request it is, for errors; also of one that cannot be built.
    func summary(of request: RestRequest) -> RequestSummary {
        let path =
            switch request.resource {
            case .data(let segments): dataPath(segments)
            case .serverPath(let path) where path.hasPrefix("/"): String(path.prefix { $0 != "?" })
            // Of a whole URL nothing but the path: what stands before it may hold a password.
            case .serverPath(let url): (try? HTTPURL(parsing: url))?.path ?? ""
            }
        return RequestSummary(name: request.name, method: request.method, path: path)
    }

    /// The path of a resource of the API, each segment encoded.
    func dataPath(_ segments: [String], encode: (String) -> String = PercentEncoding.pathSegment) -> String {
        segments.reduce("/services/data/\(apiVersion)") { "\($0)/\(encode($1))" }
    }

    /// The items of a query, names and values encoded; `nil` when there are none.
    func query(
        _ items: [RestRequest.QueryItem], encode: (String) -> String = PercentEncoding.queryComponent
    ) -> String? {
        guard !items.isEmpty else { return nil }
        return items.map { "\(PercentEncoding.queryComponent($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private func url(of request: RestRequest, instance: Origin) throws(RestError) -> HTTPURL {
        let base: HTTPURL
        switch request.resource {
        case .data(let segments): base = HTTPURL(origin: instance, path: dataPath(segments))
        case .serverPath(let path):
            base = try serverURL(path, instance: instance)
        }
        guard let query = query(request.query) else { return base }
        return HTTPURL(
            origin: base.origin, path: base.path, query: base.query.map { "\($0)&\(query)" } ?? query)
    }

    /// A path or URL that the server gave; it is untrusted and must stay on the instance.
    private func serverURL(_ path: String, instance: Origin) throws(RestError) -> HTTPURL {
        let isPath = path.hasPrefix("/") && !path.hasPrefix("//")
        let url = try? isPath ? HTTPURL(origin: instance, target: path) : HTTPURL(parsing: path)
        guard let url, url.origin == instance else {
            throw .invalidRequest(
                "path", "must be an absolute path or a URL on \(instance), percent-encoded and without user name")
        }
        return url
    }

    private func fields(of request: RestRequest) -> HTTPFields {
        var fields: HTTPFields = ["Accept": "application/json", "User-Agent": userAgent]
        for field in request.fields { fields[field.name] = nil }
        for field in request.fields { fields.append(field.name, field.value) }
        return fields
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Turns a ``RestRequest`` into an HTTP request.
///
/// Pure, and the only place where URLs of API calls are made.
struct RequestBuilder: Sendable {
    /// The longest request target, and the longest target with header fields, that the platform accepts, in bytes (it answers
    /// 414 or 431 beyond).
    static let maximumTargetSize = 16_384

    let apiVersion: APIVersion
    let userAgent: String

    /// Builds the HTTP request for the given instance.
    ///
    /// - Throws: ``RestError/Code/invalidRequest`` naming the argument that cannot be sent.
    func request(for request: RestRequest, instance: Origin) throws(RestError) -> HTTPRequest {
        if let problem = request.problem {
            throw .invalidRequest(problem.argument, problem.reason, isWrite: request.isWrite)
        }
        try check(request, instance: instance)
        let url = try url(of: request, instance: instance)
        try check(url, of: request)
        return HTTPRequest(method: request.method, url: url, fields: fields(of: request), body: request.body)
    }

    private func url(of request: RestRequest, instance: Origin) throws(RestError) -> HTTPURL {
        let base: HTTPURL
        switch request.resource {
        case .data(let segments):
            let path = segments.map(PercentEncoding.pathSegment).joined(separator: "/")
            base = HTTPURL(origin: instance, path: "/services/data/\(apiVersion)/\(path)")
        case .serverPath(let path):
            base = try serverURL(path, instance: instance)
        }
        guard !request.query.isEmpty else { return base }
        let items = request.query.map {
            "\(PercentEncoding.queryComponent($0.name))=\(PercentEncoding.queryComponent($0.value))"
        }
        return HTTPURL(
            origin: base.origin, path: base.path,
            query: ([base.query].compactMap { $0 } + items).joined(separator: "&"))
    }

    /// A path that the server gave; it is untrusted and must stay on the instance.
    private func serverURL(_ path: String, instance: Origin) throws(RestError) -> HTTPURL {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), let url = try? HTTPURL(parsing: "\(instance)\(path)"),
            url.origin == instance
        else { throw .invalidRequest("path", "must be an absolute path on the instance, percent-encoded") }
        return url
    }

    private func fields(of request: RestRequest) -> HTTPFields {
        var fields: HTTPFields = ["Accept": "application/json", "User-Agent": userAgent]
        for field in request.fields { fields[field.name] = field.value }
        return fields
    }
}

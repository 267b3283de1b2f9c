// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// Sends a query that is too long for a URL as the only part of a composite request.
///
/// This is the last step before the transport, and returns the part's response as the query's own. All other steps
/// therefore see a query, which is a read that can be retried.
struct Compositing: Sendable {
    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        guard isTooLong(request, context.call) else { return try await next(request) }
        return try await compose(request, context.call, next)
    }

    /// Whether the request is a query whose URL and headers exceed the server's limit (not inlined, like `compose`).
    @inline(never)
    private func isTooLong(_ request: HTTPRequest, _ call: Call) -> Bool {
        call.request.isQuery && request.headSize > RequestBuilder.maximumTargetSize
    }

    /// Not inlined, to keep its locals out of the frame of other calls.
    @inline(never)
    private func compose(
        _ request: HTTPRequest, _ call: Call, _ next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        // The response would be written with the composite's envelope around it.
        guard case .memory = call.destination else {
            throw .invalidRequest(
                "soql",
                "the URL and headers have \(request.headSize) bytes; the server accepts "
                    + "\(RequestBuilder.maximumTargetSize), and a longer query cannot go to a file or a stream, so "
                    + "split it, or send it and write its records yourself")
        }
        let response = try await next(request.asComposite)
        switch response.head.status {
        case 200: return try response.onlyPart()
        case 404, 405: throw response.withoutComposite(request.headSize)
        default: return response
        }
    }
}

extension HTTPRequest {
    /// The size of the target and the headers, which the server limits together.
    fileprivate var headSize: Int {
        fields.reduce(url.target.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    /// The query in a composite request, with the query's options moved to the part.
    fileprivate var asComposite: HTTPRequest {
        var outer = self
        outer.method = .post
        outer.url = HTTPURL(
            origin: url.origin,
            path: "\(url.path.cut(lastByte: "/")?.before ?? url.path[...])/composite")
        var part: JSONObject = ["method": "GET", "url": JSONValue(url.target), "referenceId": "query"]
        if let options = fields["Sforce-Query-Options"] {
            part["httpHeaders"] = ["Sforce-Query-Options": JSONValue(options)]
        }
        outer.fields["Sforce-Query-Options"] = nil
        outer.fields["Content-Type"] = "application/json; charset=UTF-8"
        outer.body = .bytes(JSONValue(["compositeRequest": [JSONValue(part)]]).bytes())
        return outer
    }
}

extension HTTPResponse {
    /// Returns the response of the only part, with the headers of the whole response.
    fileprivate func onlyPart() throws(RestError) -> HTTPResponse {
        guard let part = try? JSONValue(parsing: body)["compositeResponse"]?[0],
            let status = part["httpStatusCode"]?.status
        else {
            throw RestError(.decoding, "unexpected response to a composite request", response: head, body: body)
        }
        let content = part["body"].flatMap { $0.isNull ? nil : $0.bytes() } ?? []
        return HTTPResponse(head: HTTPResponse.Head(status: status, fields: head.fields), body: content)
    }

    fileprivate func withoutComposite(_ size: Int) -> RestError {
        RestError(
            .tooLarge,
            "soql: the URL of the query has \(size) bytes; the server accepts \(RequestBuilder.maximumTargetSize) and "
                + "has no composite resource for longer queries; split the query",
            response: head, body: body)
    }
}

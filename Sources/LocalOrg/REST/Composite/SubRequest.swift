// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// One request inside of another, `/composite` or `/composite/batch`.
struct SubRequest {
    let method: String
    /// The target from `/services/data/` on.
    let target: String
    let body: JSONValue?
    var fields = HTTPFields()

    /// The most requests inside of one.
    static let most = 25

    /// Answers it; what stands around it has checked the session.
    func answer(by router: RESTRouter) -> ServerResponse {
        do throws(OrgFault) {
            guard let path = RequestPath(target), path.segments.starts(with: ["services", "data"]),
                path.segments.count > 3
            else { throw .notFound }
            guard path.segments[3] != "composite" || path.segments.dropFirst(4).first == "sobjects" else {
                throw .invalidInput("A request inside of another cannot contain further ones.")
            }
            return try router.resource(request, path)
        } catch {
            return error.response
        }
    }

    private var request: ServerRequest {
        var request = ServerRequest(method: method, target: target, version: "HTTP/1.1", fields: fields)
        guard let body else { return request }
        var writer = JSONWriter()
        writer.value(body)
        request.body = writer.bytes
        request.fields["Content-Type"] = "application/json"
        return request
    }

    /// Whether it is one of those of which a composite request may have only five.
    var isQueryOrCollection: Bool {
        let segments = RequestPath(target)?.segments.dropFirst(3) ?? []
        return ["query", "queryAll", "composite"].contains(segments.first)
    }
}

extension OrgFault {
    /// A composite body that has the wrong shape or asks for too much.
    static func invalidInput(_ message: String) -> OrgFault { OrgFault(400, "INVALID_INPUT", message) }

    static func halted(_ message: String) -> OrgFault { OrgFault(400, "PROCESSING_HALTED", message) }
}

extension ServerResponse {
    var isFailure: Bool { status >= 400 }
}

extension JSONWriter {
    /// Writes the body of an answer, or null where it has none.
    mutating func body(of response: ServerResponse) {
        if response.body.isEmpty { null() } else { raw(response.body) }
    }
}

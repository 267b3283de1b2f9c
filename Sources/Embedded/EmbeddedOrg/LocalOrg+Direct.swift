// SPDX-License-Identifier: Apache-2.0

import LocalServer
package import RestTransport

extension LocalOrg {
    /// Sends a request through all that stands behind the socket: the guard, the faults, the router and the journal.
    ///
    /// For fuzzers and for tests of cost. A missing `Host` is added. A fault of the connection has no effect here.
    ///
    /// - Parameters:
    ///   - method: The method's token.
    ///   - target: Path and query, percent-encoded.
    ///   - fields: The header fields; `Content-Length` is added for a body.
    ///   - body: The body.
    /// - Returns: the answer.
    package func answer(
        _ method: String, _ target: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
    ) -> HTTPResponse {
        var fields = fields
        if fields["Host"] == nil { fields.append("Host", "127.0.0.1:\(port)") }
        if !body.isEmpty, fields["Content-Length"] == nil { fields.append("Content-Length", String(body.count)) }
        var request = ServerRequest(method: method, target: target, fields: fields)
        let response: ServerResponse
        switch service.admit(request) {
        case .refused(let refusal): response = refusal
        case .accepted(let mostBody) where body.count > mostBody: response = service.response(to: .tooLarge)
        case .accepted, .streamed:
            request.body = body
            response = service.answer(request).finished().response
        }
        let lines = response.fields.map { HTTPFields.Field(name: $0.name, value: $0.value) }
        return HTTPResponse(
            head: HTTPResponse.Head(status: response.status, fields: HTTPFields(lines)), body: response.body)
    }
}

extension LocalOrg {
    /// Returns when no bulk job has work left.
    package func finishJobs() { service.worker.finish() }
}

extension ServerAnswer {
    /// The reply, all of it made on this thread.
    fileprivate func finished() -> ServerReply {
        var answer = self
        while true {
            switch answer {
            case .ready(let reply): return reply
            case .later(_, let work): answer = work()
            // Nothing of the org waits for something else to happen.
            case .promised: return ServerReply(.empty(501))
            }
        }
    }
}

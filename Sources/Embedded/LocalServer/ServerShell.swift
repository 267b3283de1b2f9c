// SPDX-License-Identifier: Apache-2.0

package import RestTransport

/// The part of an embedded server that differs between servers.
///
/// Its methods are called on the server's threads, several at a time.
package protocol ServerApplication: AnyObject, Sendable {
    /// Returns the response for a request that the server rejects on its own.
    func response(to rejection: ServerRejection) -> ServerResponse
    /// Decides how the body of a request is read.
    func admission(of request: ServerRequest) -> Admission
    /// Responds to a request after its body was read.
    func respond(_ request: ServerRequest) -> ServerAction
    /// Whether a request is one of the server's own pages, which faults and the journal ignore.
    func isPrivate(_ request: ServerRequest) -> Bool
    /// Completes every response, including those of faults.
    func complete(_ response: inout ServerResponse)
    /// Stops work on other threads as soon as possible, because the server stops.
    func interrupt()
}

extension ServerApplication {
    package func complete(_: inout ServerResponse) {}
    package func isPrivate(_: ServerRequest) -> Bool { false }
    package func interrupt() {}
}

/// The common settings of embedded servers.
package protocol ServerConfiguration: Sendable {
    var port: Int? { get }
    var journalCapacity: Int { get }
    var threads: Int { get }
    var limits: ServerLimits { get }
}

/// The path of every request to an embedded server: guard, faults, application and journal.
package final class ServerShell: Sendable {
    package let faults: Faults
    package let journal: Journal
    let application: any ServerApplication
    let limits: ServerLimits
    private let requestGuard: RequestGuard

    package init(
        _ application: any ServerApplication, behind requestGuard: RequestGuard, faults: Faults, journal: Journal,
        _ limits: ServerLimits
    ) {
        (self.application, self.requestGuard) = (application, requestGuard)
        (self.faults, self.journal, self.limits) = (faults, journal, limits)
    }

    /// Decides how the body of a request is read, or rejects the request.
    func admit(_ request: ServerRequest) -> Admission {
        let admission = admission(of: request)
        if case .refused(let response) = admission { record(request, response) }
        return admission
    }

    private func admission(of request: ServerRequest) -> Admission {
        if let rejection = requestGuard.rejection(of: request) { return .refused(application.response(to: rejection)) }
        var admission = application.admission(of: request)
        // A fault of a test takes precedence.
        if case .refused = admission, faults.requests.isAwaited(by: request), !application.isPrivate(request) {
            admission = .accepted(mostBody: limits.body)
        }
        switch admission {
        case .accepted(let mostBody), .streamed(_, let mostBody):
            return request.announcedLength ?? 0 <= mostBody ? admission : .refused(application.response(to: .tooLarge))
        case .refused: return admission
        }
    }

    func respond(_ request: ServerRequest) -> ServerAction {
        let handle = { self.application.respond(request) }
        guard !application.isPrivate(request) else { return handle() }
        return (faults.requests.take(for: request)?.apply(handle) ?? handle()).map { [self] reply in
            var reply = reply
            application.complete(&reply.response)
            let isAnswered = reply.delivery != .close && reply.delivery != .reset
            journal.record(
                request, isAnswered ? reply.response : nil, oauth: reply.response.oauth, delay: reply.delay)
            return reply
        }
    }

    /// Rejects a request while its body arrives.
    func refuse(_ rejection: ServerRejection, _ request: ServerRequest?) -> ServerResponse {
        let response = application.response(to: rejection)
        if let request { record(request, response) }
        return response
    }

    private func record(_ request: ServerRequest, _ response: ServerResponse) {
        if !application.isPrivate(request) { journal.record(request, response) }
    }

    /// Handles a request on this thread, without the socket.
    ///
    /// It is for fuzzers and for tests of cost. A fault of the connection has no effect here.
    ///
    /// - Parameters:
    ///   - method: The method's token.
    ///   - target: The path and query, percent-encoded.
    ///   - fields: The headers. `Content-Length` is added for a body.
    ///   - body: The body.
    /// - Returns: the response.
    package func respond(_ method: String, _ target: String, fields: HTTPFields, body: [UInt8]) -> HTTPResponse {
        var request = ServerRequest(method: method, target: target, fields: fields)
        if !body.isEmpty, fields["Content-Length"] == nil {
            request.fields.append("Content-Length", String(body.count))
        }
        let response: ServerResponse
        switch admit(request) {
        case .refused(let rejection): response = rejection
        case .accepted, .streamed:
            request.body = body
            response = respond(request).finished().response
        }
        let lines = response.fields.map { HTTPFields.Field(name: $0.name, value: $0.value) }
        return HTTPResponse(
            head: HTTPResponse.Head(status: response.status, fields: HTTPFields(lines)), body: response.body)
    }
}

extension ServerAction {
    fileprivate func finished() -> ServerReply {
        var response = self
        while true {
            switch response {
            case .ready(let reply): return reply
            case .later(_, let work): response = work()
            // The response depends on another event.
            case .promised: return ServerReply(.empty(501))
            }
        }
    }
}

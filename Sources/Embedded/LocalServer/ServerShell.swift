// SPDX-License-Identifier: Apache-2.0

package import RestTransport

/// What an embedded server answers, without what all of them have in common.
///
/// Its methods are called on the server's threads, several at a time.
package protocol ServerApplication: AnyObject, Sendable {
    /// Words what the server refuses by itself.
    func response(to refusal: ServerRefusal) -> ServerResponse
    /// Decides how the body of a request is read, before it comes.
    func admission(of request: ServerRequest) -> Admission
    /// Answers a request whose body was read.
    func answer(_ request: ServerRequest) -> ServerAnswer
    /// Completes every response of the server, also one that a fault made.
    func complete(_ response: inout ServerResponse)
    /// Ends work on other threads as soon as possible, because the server stops.
    func interrupt()
}

extension ServerApplication {
    package func complete(_: inout ServerResponse) {}
    package func interrupt() {}
}

/// The settings that all embedded servers have.
package protocol ServerConfiguration: Sendable {
    /// The TCP port, or `nil` for a free one.
    var port: Int? { get }
    /// How many entries the journal keeps.
    var journalCapacity: Int { get }
    /// The threads that answer requests.
    var threads: Int { get }
    var limits: ServerLimits { get }
}

/// The way of every request to an embedded server: the guard, the faults, the application and the journal.
package final class ServerShell: Sendable {
    package let faults: Faults
    package let journal: Journal
    let application: any ServerApplication
    let limits: ServerLimits
    private let requestGuard: RequestGuard

    package init(
        _ application: any ServerApplication, behind requestGuard: RequestGuard, faults: Faults,
        hiding redaction: JournalRedaction, _ configuration: some ServerConfiguration
    ) {
        (self.application, self.requestGuard, self.faults) = (application, requestGuard, faults)
        journal = Journal(capacity: configuration.journalCapacity, redaction: redaction)
        limits = configuration.limits
    }

    /// Looks at a request before its body is read.
    func admit(_ request: ServerRequest) -> Admission {
        let admission = admission(of: request)
        if case .refused(let response) = admission { journal.record(request, status: response.status) }
        return admission
    }

    private func admission(of request: ServerRequest) -> Admission {
        if let refusal = requestGuard.refusal(of: request) { return .refused(application.response(to: refusal)) }
        var admission = application.admission(of: request)
        // A fault that a test has added comes first.
        if case .refused = admission, faults.requests.isAwaited(by: request) {
            admission = .accepted(mostBody: limits.body)
        }
        switch admission {
        case .accepted(let mostBody), .streamed(_, let mostBody):
            return request.announcedLength ?? 0 <= mostBody ? admission : .refused(application.response(to: .tooLarge))
        case .refused: return admission
        }
    }

    /// Answers a request whose body was read.
    func answer(_ request: ServerRequest) -> ServerAnswer {
        let handle = { self.application.answer(request) }
        return (faults.requests.take(for: request)?.apply(handle) ?? handle()).map { [self] reply in
            var reply = reply
            application.complete(&reply.response)
            let isAnswered = reply.delivery != .close && reply.delivery != .reset
            journal.record(request, status: isAnswered ? reply.response.status : nil, oauth: reply.response.oauth)
            return reply
        }
    }

    /// Refuses a request while its body arrives.
    func refuse(_ refusal: ServerRefusal, _ request: ServerRequest?) -> ServerResponse {
        let response = application.response(to: refusal)
        if let request { journal.record(request, status: response.status) }
        return response
    }
}

extension ServerShell {
    /// Sends a request through everything after the socket, on this thread.
    ///
    /// For fuzzers and for tests of cost. A fault of the connection has no effect here.
    ///
    /// - Parameters:
    ///   - method: The method's token.
    ///   - target: Path and query, percent-encoded.
    ///   - fields: The header fields; `Content-Length` is added for a body.
    ///   - body: The body.
    /// - Returns: the answer.
    package func answer(_ method: String, _ target: String, fields: HTTPFields, body: [UInt8]) -> HTTPResponse {
        var request = ServerRequest(method: method, target: target, fields: fields)
        if !body.isEmpty, fields["Content-Length"] == nil {
            request.fields.append("Content-Length", String(body.count))
        }
        let response: ServerResponse
        switch admit(request) {
        case .refused(let refusal): response = refusal
        case .accepted, .streamed:
            request.body = body
            response = answer(request).finished().response
        }
        let lines = response.fields.map { HTTPFields.Field(name: $0.name, value: $0.value) }
        return HTTPResponse(
            head: HTTPResponse.Head(status: response.status, fields: HTTPFields(lines)), body: response.body)
    }
}

extension ServerAnswer {
    /// The reply, all of it made on this thread.
    fileprivate func finished() -> ServerReply {
        var answer = self
        while true {
            switch answer {
            case .ready(let reply): return reply
            case .later(_, let work): answer = work()
            // It waits for something else to happen.
            case .promised: return ServerReply(.empty(501))
            }
        }
    }
}

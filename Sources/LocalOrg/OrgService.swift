// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// The application behind the org's server: guard, faults, router and journal.
final class OrgService: ServerApplication {
    let faults: Faults
    let journal: Journal
    private let router: RESTRouter
    private let requestGuard: RequestGuard
    private let compresses: Bool
    private let limits: ServerLimits

    init(
        router: RESTRouter, requestGuard: RequestGuard, faults: Faults, journal: Journal, compresses: Bool,
        limits: ServerLimits
    ) {
        self.compresses = compresses
        self.limits = limits
        self.router = router
        self.requestGuard = requestGuard
        self.faults = faults
        self.journal = journal
    }

    func admit(_ request: ServerRequest) -> Admission {
        let admission = requestGuard.refusal(of: request).map { .refused($0) } ?? bodyAdmission(request)
        if case .refused(let refusal) = admission { journal.record(request, status: refusal.status) }
        return admission
    }

    /// Whether the body is read: for the API only with a good session and a type that it takes.
    private func bodyAdmission(_ request: ServerRequest) -> Admission {
        guard request.hasBody else { return .accepted(mostBody: 0) }
        var mostBody = limits.openBody
        if router.needsSession(request) {
            if let refusal = router.earlyRefusal(of: request) {
                // A fault that a test has added comes first.
                guard faults.isAwaited(by: request) else { return .refused(refusal) }
            } else {
                mostBody = limits.body
            }
        }
        return request.announcedLength ?? 0 <= mostBody
            ? .accepted(mostBody: mostBody) : .refused(OrgFault.tooLarge.response)
    }

    func note(_ request: ServerRequest, status: Int) { journal.record(request, status: status) }

    func answer(_ request: ServerRequest) -> ServerAnswer {
        answer(request, faults.take(for: request)).map { [journal] reply in
            let isAnswered = reply.delivery != .close && reply.delivery != .reset
            journal.record(request, status: isAnswered ? reply.response.status : nil, oauth: reply.response.oauth)
            return reply
        }
    }

    func interrupt() { router.interrupt() }

    private func answer(_ request: ServerRequest, _ fault: Fault?) -> ServerAnswer {
        guard let fault else { return handle(request) }
        switch fault.action {
        case .respond(let status, let type, let body, let fields):
            var response = ServerResponse(status: status, body: body)
            if !body.isEmpty { response.fields.append(("Content-Type", type)) }
            response.fields += fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            return .ready(ServerReply(response))
        case .close, .reset:
            var reply = ServerReply(.empty(500))
            reply.delivery = fault.action == .close ? .close : .reset
            return .ready(reply)
        default: return handle(request).map { [self] in spoil($0, by: fault.action) }
        }
    }

    /// Applies a fault that comes after the request was handled.
    private func spoil(_ reply: ServerReply, by action: Fault.Action) -> ServerReply {
        var reply = reply
        switch action {
        case .delay(let duration): reply.delay = duration
        case .truncate(let count): reply.delivery = .truncated(count)
        case .closeAfterHandling: reply.delivery = .close
        case .mislabel(let type):
            reply.response.fields.removeAll { $0.name == "Content-Type" }
            reply.response.fields.append(("Content-Type", type))
        case .respond, .close, .reset: break
        }
        return reply
    }

    private func handle(_ request: ServerRequest) -> ServerAnswer {
        router.answer(request).map { [self] reply in
            var reply = reply
            reply.response = printed(reply.response, for: request)
            if compresses { reply.response = Gzip.encoded(reply.response, for: request) }
            return reply
        }
    }

    /// The answer, indented on request.
    private func printed(_ response: ServerResponse, for request: ServerRequest) -> ServerResponse {
        guard request.fields["X-PrettyPrint"] == "1", !response.body.isEmpty,
            let document = try? JSONDocument(parsing: response.body)
        else { return response }
        var response = response
        response.body = document.root.bytes(pretty: true)
        return response
    }
}

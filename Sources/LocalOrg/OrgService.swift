// SPDX-License-Identifier: Apache-2.0

import LocalServer
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

    func response(to refusal: ServerRefusal) -> ServerResponse {
        // What the platform's edge servers refuse, outside of the API.
        [414, 431].contains(refusal.status)
            ? .html(
                refusal.status, "<h1>Bad Message \(refusal.status)</h1><pre>reason: \(refusal.message)</pre>")
            : OrgFault(refusal).response
    }

    func admit(_ request: ServerRequest) -> Admission {
        let admission = requestGuard.refusal(of: request).map { .refused(response(to: $0)) } ?? bodyAdmission(request)
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
                guard faults.rules.isAwaited(by: request) else { return .refused(refusal) }
            } else {
                mostBody = limits.body
            }
        }
        return request.announcedLength ?? 0 <= mostBody
            ? .accepted(mostBody: mostBody) : .refused(response(to: .tooLarge))
    }

    func note(_ request: ServerRequest, status: Int) { journal.record(request, status: status) }

    func answer(_ request: ServerRequest) -> ServerAnswer {
        (faults.rules.take(for: request)?.apply { handle(request) } ?? handle(request)).map { [journal] reply in
            let isAnswered = reply.delivery != .close && reply.delivery != .reset
            journal.record(request, status: isAnswered ? reply.response.status : nil, oauth: reply.response.oauth)
            return reply
        }
    }

    func interrupt() { router.interrupt() }

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

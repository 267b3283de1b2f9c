// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport
import SOQLStore

/// The application behind the org's server: guard, faults, router and journal.
final class OrgService: ServerApplication {
    let faults: Faults
    let journal: Journal
    var apex: ApexHandlers { router.apex }
    var actions: ActionHandlers { router.actions }
    var worker: BulkWorker { router.worker }
    var users: UserLogin { router.oauth.users }
    let router: RESTRouter
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
            : OrgError(refusal.code, refusal.message).response(refusal.status)
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
            } else if JobResources.takesLongBody(request) {
                return request.announcedLength ?? 0 <= JobResources.mostBytes
                    ? .streamed(into: Spool(), mostBody: JobResources.mostBytes) : .refused(response(to: .tooLarge))
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
        let origin = requestGuard.allowedOrigin(of: request)
        if let origin, let answer = preflight(request, origin) { return .ready(ServerReply(answer)) }
        return router.answer(request).map { [self] reply in
            var reply = reply
            if let origin {
                reply.response.fields += [
                    ("Access-Control-Allow-Origin", origin), ("Vary", "Origin"),
                    (
                        "Access-Control-Expose-Headers",
                        "Sforce-Limit-Info,Sforce-Locator,Sforce-NumberOfRecords,Location,ETag"
                    ),
                ]
            }
            if compresses { reply.response = Gzip.encoded(reply.response, for: request) }
            return reply
        }
    }

    /// What a browser asks before it lets a page call, without a session.
    private func preflight(_ request: ServerRequest, _ origin: String) -> ServerResponse? {
        guard request.method == "OPTIONS", let method = request.fields["Access-Control-Request-Method"],
            ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"].contains(method)
        else { return nil }
        var response = ServerResponse.empty(200)
        response.fields = [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Methods", "GET,HEAD,POST,PATCH,PUT,DELETE"),
            (
                "Access-Control-Allow-Headers",
                "Authorization,Content-Type,Sforce-Query-Options,Sforce-Call-Options,"
                    + "If-Match,If-None-Match,If-Modified-Since,If-Unmodified-Since"
            ),
            ("Access-Control-Max-Age", "600"), ("Vary", "Origin"),
        ]
        return response
    }
}

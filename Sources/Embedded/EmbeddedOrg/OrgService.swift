// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

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

    private func handle(_ given: ServerRequest) -> ServerAnswer {
        let origin = requestGuard.allowedOrigin(of: given)
        if let origin, let answer = preflight(given, origin) { return .ready(ServerReply(answer)) }
        guard let request = decompressed(given) else {
            let fault = OrgFault(400, "INVALID_REQUEST", "The body is not what its Content-Encoding says, or too long.")
            return .ready(ServerReply(fault.response))
        }
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
            reply.response = printed(reply.response, for: request)
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
                    + "If-Match,If-None-Match,If-Modified-Since,If-Unmodified-Since,X-PrettyPrint"
            ),
            ("Access-Control-Max-Age", "600"), ("Vary", "Origin"),
        ]
        return response
    }

    /// The request with its body as it was before it was compressed; `nil` when it cannot be read.
    private func decompressed(_ request: ServerRequest) -> ServerRequest? {
        guard let coding = request.fields["Content-Encoding"]?.lowercased(), coding != "identity",
            !request.body.isEmpty
        else { return request }
        let most = router.needsSession(request) ? limits.body : limits.openBody
        guard let body = Gzip.decompressed(request.body, most: most) else { return nil }
        var request = request
        request.body = body
        return request
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

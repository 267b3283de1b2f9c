// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport
import SOQLStore

/// What the org answers: the router, and what browsers and compression ask of each answer.
final class OrgService: ServerApplication {
    let router: RESTRouter
    private let requestGuard: RequestGuard
    private let compresses: Bool
    private let limits: ServerLimits

    init(router: RESTRouter, requestGuard: RequestGuard, _ configuration: LocalOrgConfiguration) {
        (self.router, self.requestGuard) = (router, requestGuard)
        (compresses, limits) = (configuration.compressesAnswers, configuration.limits)
    }

    func response(to refusal: ServerRefusal) -> ServerResponse {
        // What the platform's edge servers refuse, outside of the API.
        [414, 431].contains(refusal.status)
            ? .html(
                refusal.status, "<h1>Bad Message \(refusal.status)</h1><pre>reason: \(refusal.message)</pre>")
            : OrgError(refusal.code, refusal.message).response(refusal.status)
    }

    /// A body for the API is read only with a good session and a type that the API takes.
    func admission(of request: ServerRequest) -> Admission {
        guard request.hasBody else { return .accepted(mostBody: 0) }
        guard router.needsSession(request) else { return .accepted(mostBody: limits.openBody) }
        if let refusal = router.earlyRefusal(of: request) { return .refused(refusal) }
        return JobResources.takesLongBody(request)
            ? .streamed(into: Spool(), mostBody: JobResources.mostBytes) : .accepted(mostBody: limits.body)
    }

    func interrupt() { router.interrupt() }

    func answer(_ request: ServerRequest) -> ServerAnswer {
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

// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport
import SOQLStore

final class OrgService: ServerApplication {
    let router: RESTRouter
    let console: ConsoleEndpoint?
    private let limits: ServerLimits

    init(router: RESTRouter, console: ConsoleEndpoint?, _ limits: ServerLimits) {
        (self.router, self.console, self.limits) = (router, console, limits)
    }

    func isPrivate(_ request: ServerRequest) -> Bool { console != nil && request.path?.segments.first == "console" }

    func response(to rejection: ServerRejection) -> ServerResponse {
        // Salesforce's edge servers reject these requests outside of the API.
        [414, 431].contains(rejection.status)
            ? .html(
                rejection.status, "<h1>Bad Message \(rejection.status)</h1><pre>reason: \(rejection.message)</pre>")
            : OrgError(rejection.code, rejection.message).response(rejection.status)
    }

    /// The body of an API request is read only with a valid session and a supported type.
    func admission(of request: ServerRequest) -> Admission {
        guard request.hasBody else { return .accepted(mostBody: 0) }
        if isPrivate(request) { return .accepted(mostBody: limits.openBody) }
        if request.path?.segments.first == "cometd" { return .accepted(mostBody: BayeuxMessage.mostBytes) }
        guard router.needsSession(request) else { return .accepted(mostBody: limits.openBody) }
        if var rejection = router.earlyRejection(of: request) {
            if let nonce = router.tokens.proofs.nonce(after: request) { rejection.fields.append(("DPoP-Nonce", nonce)) }
            return .refused(rejection)
        }
        return JobResources.takesLongBody(request)
            ? .streamed(into: Spool(), mostBody: JobResources.mostBytes) : .accepted(mostBody: limits.body)
    }

    func interrupt() { router.interrupt() }

    func respond(_ request: ServerRequest) -> ServerAction {
        if let console, let path = request.path, isPrivate(request) { return console.respond(request, path) }
        let response = router.respond(request)
        guard let nonce = router.tokens.proofs.nonce(after: request) else { return response }
        return response.map { reply in
            var reply = reply
            reply.response.fields.append(("DPoP-Nonce", nonce))
            return reply
        }
    }
}

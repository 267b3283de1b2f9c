// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport
import SOQLStore

final class OrgService: ServerApplication {
    let router: RESTRouter
    private let limits: ServerLimits

    init(router: RESTRouter, _ limits: ServerLimits) {
        (self.router, self.limits) = (router, limits)
    }

    func response(to refusal: ServerRefusal) -> ServerResponse {
        // Salesforce's edge servers reject these requests outside of the API.
        [414, 431].contains(refusal.status)
            ? .html(
                refusal.status, "<h1>Bad Message \(refusal.status)</h1><pre>reason: \(refusal.message)</pre>")
            : OrgError(refusal.code, refusal.message).response(refusal.status)
    }

    /// The body of an API request is read only with a valid session and a supported type.
    func admission(of request: ServerRequest) -> Admission {
        guard request.hasBody else { return .accepted(mostBody: 0) }
        if request.path?.segments.first == "cometd" { return .accepted(mostBody: BayeuxMessage.mostBytes) }
        guard router.needsSession(request) else { return .accepted(mostBody: limits.openBody) }
        if let refusal = router.earlyRefusal(of: request) { return .refused(refusal) }
        return JobResources.takesLongBody(request)
            ? .streamed(into: Spool(), mostBody: JobResources.mostBytes) : .accepted(mostBody: limits.body)
    }

    func interrupt() { router.interrupt() }

    func answer(_ request: ServerRequest) -> ServerAnswer { router.answer(request) }
}

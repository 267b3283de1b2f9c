// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Follows redirects by the rules of ``RedirectPolicy``; the transport itself never does.
struct Redirecting: Interceptor {
    let policy: RedirectPolicy

    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest, RequestContext) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        var request = request
        var hops = 0
        while true {
            let failure: RestError
            do {
                return try await next(request, context)
            } catch {
                failure = error
            }
            guard failure.code == .redirected, let response = failure.response else { throw failure }
            switch policy.decision(for: request, response: response, hops: hops) {
            case .deliver: throw failure
            case .refuse(let refusal): throw failure.refused(refusal)
            case .follow(let redirected): request = redirected
            }
            hops += 1
        }
    }
}

extension RestError {
    fileprivate func refused(_ refusal: RedirectPolicy.Refusal) -> RestError {
        RestError(
            .redirected, "the server's redirect is not followed: \(refusal.rawValue)", response: response, body: body,
            outcome: outcome, underlying: refusal)
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Follows redirects by the rules of ``RedirectPolicy``; the transport itself never does.
struct Redirecting: Sendable {
    let policy: RedirectPolicy

    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        var current = request
        var hops = 0
        while true {
            let failure: RestError
            do {
                return answer(try await next(current), to: current, insteadOf: request)
            } catch {
                failure = error
            }
            current = try redirected(current, by: failure, from: request, hops, context.call)
            hops += 1
        }
    }

    /// The answer to a request that stands for another one.
    @inline(never)
    private func answer(
        _ response: HTTPResponse, to request: HTTPRequest, insteadOf first: HTTPRequest
    ) -> HTTPResponse {
        request.url.origin == first.url.origin ? response : response.fromElsewhere
    }

    /// The request that a redirect asks for in place of this one, which itself stands for the first one.
    ///
    /// Never inlined, like `answer`, so that the step keeps no room for it while it waits.
    ///
    /// - Throws: the failure, when it is no redirect or none to follow.
    @inline(never)
    private func redirected(
        _ request: HTTPRequest, by failure: RestError, from first: HTTPRequest, _ hops: Int, _ call: Call
    ) throws(RestError) -> HTTPRequest {
        guard failure.code == .redirected, let response = failure.response else {
            throw request.url.origin == first.url.origin ? failure : failure.fromElsewhere(request.url.origin)
        }
        switch policy.decision(for: request, response: response, hops: hops) {
        case .deliver: throw failure
        case .refuse(let refusal): throw failure.refused(refusal)
        case .follow(let redirected) where call.request.isWrite && redirected.method != request.method:
            throw failure.refused(.becomesRead)
        case .follow where !call.mayRepeat(after: failure): throw failure
        case .follow(let redirected): return redirected
        }
    }
}

extension RedirectPolicy.Refusal {
    /// The redirect asks for a read in place of a write (303, or 301 and 302 after a POST), whose answer would say
    /// nothing about the write.
    static let becomesRead = RedirectPolicy.Refusal(rawValue: "becomesRead")
}

extension HTTPResponse {
    /// The answer of another server than the org.
    fileprivate var fromElsewhere: HTTPResponse {
        var response = self
        response.head = head.fromElsewhere
        return response
    }
}

extension HTTPResponse.Head {
    /// The head without what only the org can say: how many of its calls are used.
    fileprivate var fromElsewhere: HTTPResponse.Head {
        guard fields[APIAllowance.field] != nil else { return self }
        var head = self
        head.fields[APIAllowance.field] = nil
        return head
    }
}

extension RestError {
    /// The failure of another server than the org: what it says of a session or of limits is not about the org's, and
    /// must neither end the session nor slow the org's calls.
    fileprivate func fromElsewhere(_ origin: Origin) -> RestError {
        let reason: String
        if code == .unauthorized || isSessionExpired {
            reason = "asks for its own login"
        } else if isConcurrencyLimit {
            reason = "has its own limits"
        } else {
            return about(response?.fromElsewhere)
        }
        return RestError(
            .redirected, "the redirect led to \(origin), which \(reason)", response: response?.fromElsewhere,
            body: body, outcome: outcome, underlying: self)
    }

    fileprivate func refused(_ refusal: RedirectPolicy.Refusal) -> RestError {
        let error = RestError(
            .redirected, "the redirect was not followed: \(refusal.rawValue)", response: response, body: body,
            outcome: outcome, underlying: refusal)
        return refusal == .bodyNotReplayable ? error.withSpentBody : error
    }
}

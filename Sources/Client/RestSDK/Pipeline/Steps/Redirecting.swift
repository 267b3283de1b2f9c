// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Follows redirects by the rules of ``RedirectPolicy``, which the transport never does.
///
/// Only the content of files may come from another origin. The org's data must come from the org.
struct Redirecting: Sendable {
    private struct Trail {
        var hops = 0
        /// Whether a redirect led to another origin, after which no token is sent, even back to the first origin.
        var hasLeft = false
    }

    let policy: RedirectPolicy

    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        var current = request
        var trail = Trail()
        while true {
            let failure: RestError
            do {
                return respond(try await next(current), trail)
            } catch {
                failure = error
            }
            current = try redirected(current, by: failure, from: request.url.origin, &trail, context.call)
        }
    }

    @inline(never)
    private func respond(_ response: HTTPResponse, _ trail: Trail) -> HTTPResponse {
        trail.hasLeft ? response.fromElsewhere : response
    }

    /// Returns the request of a redirect, or throws the error if it must not be followed.
    ///
    /// Not inlined, like `response`, to keep its locals out of the caller's async frame.
    @inline(never)
    private func redirected(
        _ request: HTTPRequest, by failure: RestError, from home: Origin, _ trail: inout Trail, _ call: Call
    ) throws(RestError) -> HTTPRequest {
        guard failure.code == .redirected, let response = failure.response else {
            throw trail.hasLeft ? failure.fromElsewhere(request.url.origin) : failure
        }
        let redirected: HTTPRequest
        switch policy.decision(for: request, response: response, hops: trail.hops) {
        case .deliver: throw failure
        case .refuse(let rejection): throw failure.refused(rejection)
        case .follow(let request): redirected = request
        }
        guard !call.request.isWrite || redirected.method == request.method else { throw failure.refused(.becomesRead) }
        guard call.mayRepeat(after: failure) else { throw failure }
        let isElsewhere = redirected.url.origin != home
        guard !isElsewhere || call.takesForeignContent else {
            throw failure.refused(.otherOriginData, "it leads to \(redirected.url.origin)")
        }
        trail.hops += 1
        trail.hasLeft = trail.hasLeft || isElsewhere
        return redirected
    }
}

extension Call {
    /// Whether another server may send the response: the content of a file, but not data of the org.
    fileprivate var takesForeignContent: Bool {
        if case .file = destination { return true }
        return request.expectation == .anything
    }
}

extension RedirectPolicy.Rejection {
    /// The redirect turns a write into a read (303, or 301 and 302 after a POST), whose response says nothing about the
    /// write.
    static let becomesRead = RedirectPolicy.Rejection(rawValue: "becomesRead")
}

extension HTTPResponse {
    fileprivate var fromElsewhere: HTTPResponse {
        var response = self
        response.head = head.fromElsewhere
        return response
    }
}

extension HTTPResponse.Head {
    /// The head without the API usage, which only the org can report.
    fileprivate var fromElsewhere: HTTPResponse.Head {
        guard fields[RestClient.APIAllowance.field] != nil else { return self }
        var head = self
        head.fields[RestClient.APIAllowance.field] = nil
        return head
    }
}

extension RestError {
    /// Converts an error of another server, so that it does not end the session or slow down the calls of the org.
    fileprivate func fromElsewhere(_ origin: Origin) -> RestError {
        let reason: String
        if code == .unauthorized {
            reason = "requires its own login"
        } else if isConcurrencyLimit {
            reason = "has its own limits"
        } else {
            return about(response?.fromElsewhere)
        }
        return RestError(
            .redirected, "the redirect led to \(origin), which \(reason)", response: response?.fromElsewhere,
            body: body, outcome: outcome, underlying: self)
    }

    fileprivate func refused(_ rejection: RedirectPolicy.Rejection, _ detail: String? = nil) -> RestError {
        let reason = rejection.rawValue + (detail.map { ", \($0)" } ?? "")
        let error = RestError(
            .redirected, "the redirect was not followed: \(reason)", response: response, body: body,
            outcome: outcome, underlying: rejection)
        return rejection == .bodyNotReplayable ? error.withSpentBody : error
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Lets every attempt start by the client's own limits, and takes in what the org tells of its own.
struct RateLimiting: Sendable {
    let limiter: RateLimiter
    let observer: Observer

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        if let admission = limiter.ask(isUrgent: context.request.ignoresLimits) {
            try admit(admission, context.call)
        } else {
            try await wait(context.call)
        }
        do {
            let response = try await next(request)
            leave(.succeeded, response.head, context.call)
            return response
        } catch {
            leave(error.isConcurrencyLimit ? .crowded : .failed, error.response, context.call)
            throw error
        }
    }

    /// Never inlined, like `leave`, so that the step keeps no room for it while it waits.
    @inline(never)
    private func wait(_ call: Call) async throws(RestError) {
        try admit(await observer.wait(call, Self.event) { await limiter.wait(until: call.deadline) }, call)
    }

    private func admit(_ admission: RateLimiter.Admission, _ call: Call) throws(RestError) {
        let outcome: RestError.WriteOutcome? = call.request.isWrite ? .notApplied : nil
        switch admission {
        case .start, .startAfterWait: return
        case .cancelled: throw RestError(.cancelled, outcome: outcome)
        case .timedOut: throw RestError(.timedOut, outcome: outcome)
        case .refused(let allowance):
            throw RestError(
                .rateLimited,
                "not sent: \(allowance), and the rest is reserved; wait, or lower RateLimits.reserve",
                outcome: outcome)
        }
    }

    private static func event(_ admission: RateLimiter.Admission, _ duration: Duration) -> RestEvent.Kind? {
        switch admission {
        case .startAfterWait, .timedOut: .waitedForLimits(duration: duration)
        case .start, .cancelled, .refused: nil
        }
    }

    @inline(never)
    private func leave(_ ending: RateLimiterState.Ending, _ head: HTTPResponse.Head?, _ call: Call) {
        let allowance = head.flatMap { APIAllowance(in: $0.fields) }
        guard let news = limiter.leave(ending, learning: allowance) else { return }
        observer.report(.allowance(news), call)
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Lets every attempt start by the client's own limits, and takes in what the org reports of its own.
struct RateLimiting: Sendable {
    let limiter: RateLimiter
    let observer: Observer

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        let attempt: UInt64
        if let admission = limiter.ask(isUrgent: context.request.ignoresLimits) {
            attempt = try admit(admission, context.call)
        } else {
            attempt = try await wait(context.call)
        }
        do {
            let response = try await next(request)
            leave(attempt, .succeeded, response.head, context.call)
            return response
        } catch {
            leave(
                attempt, error.isConcurrencyLimit ? .crowded : .failed, error.response, context.call,
                wasLost: (error.underlying as? TransportError)?.mayHaveReachedServer ?? false)
            throw error
        }
    }

    /// Never inlined, like `leave`, so that the step keeps no room for it while it waits.
    @inline(never)
    private func wait(_ call: Call) async throws(RestError) -> UInt64 {
        try admit(await observer.wait(call, Self.event) { await limiter.wait(until: call.deadline) }, call)
    }

    /// The number of the attempt that may start.
    private func admit(_ admission: RateLimiter.Admission, _ call: Call) throws(RestError) -> UInt64 {
        let outcome: RestError.WriteOutcome? = call.request.isWrite ? .notApplied : nil
        switch admission {
        case .start(let attempt), .startAfterWait(let attempt): return attempt
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

    /// `wasLost` says that the attempt may have reached the org, and that its response is lost.
    @inline(never)
    private func leave(
        _ attempt: UInt64, _ ending: RateLimiterState.Ending, _ head: HTTPResponse.Head?, _ call: Call,
        wasLost: Bool = false
    ) {
        let allowance = head.flatMap { APIAllowance(in: $0.fields) }
        let news = limiter.leave(
            attempt, ending, learning: allowance, mayBeCounted: allowance != nil || (head == nil && wasLost))
        guard let news else { return }
        observer.report(.allowance(news), call)
    }
}

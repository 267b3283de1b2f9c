// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Lets every attempt start by the client's own limits, and takes in what the org tells of its own.
struct RateLimiting: Interceptor {
    let limiter: RateLimiter
    let observer: Observer

    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest, RequestContext) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        try await limiter.enter(context)
        do {
            let response = try await next(request, context)
            leave(.succeeded, response.head, context)
            return response
        } catch {
            leave(error.isConcurrencyLimit ? .crowded : .failed, error.response, context)
            throw error
        }
    }

    private func leave(_ ending: RateLimiterState.Ending, _ head: HTTPResponseHead?, _ context: RequestContext) {
        let allowance = head.flatMap { APIAllowance(in: $0.fields) }
        guard let news = limiter.leave(ending, learning: allowance) else { return }
        observer.report(.allowance(news), context)
    }
}

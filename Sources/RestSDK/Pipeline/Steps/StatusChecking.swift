// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Lets 2xx (and 304) pass and turns every other status into a typed error with the server's own faults.
struct StatusChecking: Interceptor {
    let clock: any MonotonicClock

    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest, RequestContext) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        let response = try await next(request, context)
        guard (200..<300).contains(response.head.status) || response.head.status == 304 else {
            throw RestError(refusal: response, isWrite: context.request.isWrite, unless: context.isOver(by: clock))
        }
        return response
    }
}

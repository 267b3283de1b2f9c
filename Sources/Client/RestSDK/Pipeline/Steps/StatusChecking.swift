// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Lets 2xx (and 304) pass and turns every other status into a typed error with the server's own faults.
struct StatusChecking: Sendable {
    let calls: CallRegistry

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        try await judged(try await next(request), context.call)
    }

    /// Gives a response back that says success by its status, whoever made it.
    ///
    /// - Throws: the typed error of any other.
    func judged(_ response: HTTPResponse, _ call: Call) async throws(RestError) -> HTTPResponse {
        guard response.head.isSuccess || response.head.status == 304 else {
            throw try await refusal(response, of: call)
        }
        return response
    }

    /// The error of the answer; a call that ends does not wait until a long one is read.
    ///
    /// Never inlined, so that the step keeps no room for it while it waits.
    @inline(never)
    private func refusal(_ response: HTTPResponse, of call: Call) async throws(RestError) -> RestError {
        let isWrite = call.request.isWrite
        guard response.body.count >= Call.longBody else { return RestError(refusal: response, isWrite: isWrite) }
        // What the status says of a write is known before the body is read.
        call.reached(RestError(refusal: HTTPResponse(head: response.head, body: []), isWrite: isWrite))
        calls.watch(call)
        return try await call.unbound { RestError(refusal: response, isWrite: isWrite) }
    }
}

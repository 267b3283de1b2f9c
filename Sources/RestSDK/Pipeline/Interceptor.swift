// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// A step of the pipeline that sees every request on its way out and every response on its way back.
///
/// Call `next` once to let the request go on, several times to send it again, or never to answer it yourself.
public protocol Interceptor: Sendable {
    /// Handles one request.
    ///
    /// - Parameters:
    ///   - request: the request as the steps before left it.
    ///   - context: the call it belongs to.
    ///   - next: the rest of the pipeline; it must not outlive this call.
    /// - Throws: ``RestError``.
    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest, RequestContext) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse
}

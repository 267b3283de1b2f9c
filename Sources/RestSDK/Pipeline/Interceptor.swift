// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// A step of the pipeline that sees every request on its way out and every response on its way back.
///
/// Call `next` once to let the request go on, several times to send it again, or never to answer it yourself. A call
/// that is retried passes the interceptors again, so each attempt can be signed or stamped anew.
public protocol Interceptor: Sendable {
    /// Handles one request.
    ///
    /// - Parameters:
    ///   - request: the request as the steps before left it. An interceptor of the app sees it before it has a server
    ///     and a token: its URL is relative.
    ///   - context: the call it belongs to.
    ///   - next: the rest of the pipeline; it must not outlive this call.
    /// - Returns: the response, as it goes back to the steps before.
    /// - Throws: ``RestError``.
    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse
}

/// What every step of one call knows about it.
public struct RequestContext: Sendable {
    let call: Call

    /// The call.
    public var request: RestRequest { call.request }
    /// The call's number among those of its client, as in ``RestEvent/call``; 0 when nobody observes.
    public var number: UInt64 { call.number }
    /// When the call ends with ``RestError/Code/timedOut``, whatever it is doing.
    public var deadline: ContinuousClock.Instant { call.deadline }
    /// How often the call was sent so far: first time, retries, replays and redirects alike.
    public var attemptCount: Int { call.attemptCount }
}

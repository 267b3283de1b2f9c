// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// A step of the pipeline that sees every request on its way out and every response on its way back.
///
/// Call `next` once to let the request continue, several times to send it again, or never to answer it yourself. A call
/// that is retried passes the interceptors again, so each attempt can be signed or stamped.
///
/// ```swift
/// struct Stamping: Interceptor {
///     func intercept(
///         _ request: HTTPRequest, context: RequestContext, next: Next
///     ) async throws(RestError) -> HTTPResponse {
///         var request = request
///         request.fields["X-Call"] = "\(context.number)"
///         return try await next(request)
///     }
/// }
/// ```
///
/// **A response** is judged by its status, whether a server or an interceptor made it. Any status but 2xx and 304 is a
/// ``RestError``, which the interceptors before, the retry policy and the error handlers see. The body goes where the
/// call wants it: into the payload, into the file of a download, or to the reader of a stream. The responses of `next`
/// have an empty body in a download or a stream. Setting `HTTPResponse.body` replaces what came.
///
/// **An error** tells in ``RestError/outcome`` what is known of everything that the call has sent, not only of the last
/// `next`. If a write may have been applied, the SDK does not send it again.
public protocol Interceptor: Sendable {
    /// The rest of the pipeline.
    typealias Next = RequestContext.Next

    /// Handles one request.
    ///
    /// - Parameters:
    ///   - request: the request as the steps before left it. An interceptor of the app sees it before it has a server
    ///     and a token: its URL is relative.
    ///   - context: the call it belongs to.
    ///   - next: the rest of the pipeline. It sends nothing after this method has returned.
    /// - Returns: the response, as it goes back to the steps before.
    /// - Throws: ``RestError``.
    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
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

extension RequestContext {
    /// The rest of the pipeline behind an interceptor, called like a function: `try await next(request)`.
    public struct Next: Sendable {
        let pipeline: Pipeline
        let context: RequestContext
        /// The number of the next interceptor; behind the last one are the SDK's own steps.
        let number: Int
        /// Which time it is that the call passes the interceptors.
        let pass: Int

        /// What the next interceptor calls.
        var following: Next {
            Next(pipeline: pipeline, context: context, number: number + 1, pass: pass)
        }

        /// Sends the request through the rest of the pipeline.
        ///
        /// - Parameter request: the request.
        /// - Returns: a response of status 2xx or 304.
        /// - Throws: ``RestError``, for every other status too; ``RestError/Code/cancelled`` when the call has ended,
        ///   when the interceptor has returned, and while another `next` of the call is sending.
        public func callAsFunction(_ request: HTTPRequest) async throws(RestError) -> HTTPResponse {
            try await pipeline.go(on: self, request)
        }
    }
}

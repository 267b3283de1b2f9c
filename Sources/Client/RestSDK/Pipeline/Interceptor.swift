// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// A step of the pipeline that sees every request before it is sent and every response.
///
/// Call `next` once to continue, several times to send the request again, or never to respond to it yourself. A retry
/// passes through the interceptors again, so that each attempt can be signed.
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
/// **An error** has in ``RestError/outcome`` the outcome of everything that the call has sent, not only of the last
/// `next`. If a write may have been applied, the SDK does not retry it.
public protocol Interceptor: Sendable {
    /// The rest of the pipeline.
    typealias Next = RequestContext.Next

    /// Handles one request.
    ///
    /// - Parameters:
    ///   - request: the request from the previous step. It has no server and no token yet: its URL is relative.
    ///   - context: the call of the request.
    ///   - next: the rest of the pipeline. It sends nothing after this method has returned.
    /// - Returns: the response for the previous step.
    /// - Throws: ``RestError``.
    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse
}

/// The call of a request in the pipeline.
public struct RequestContext: Sendable {
    let call: Call

    /// The request of the call.
    public var request: RestRequest { call.request }
    /// The number of the call in its client, as in ``RestEvent/call``, or 0 without an event sink.
    public var number: UInt64 { call.number }
    /// The time at which the call fails with ``RestError/Code/timedOut``.
    public var deadline: ContinuousClock.Instant { call.deadline }
    /// The number of attempts so far, including retries, replays and redirects.
    public var attemptCount: Int { call.attemptCount }
}

extension RequestContext {
    /// The rest of the pipeline after an interceptor, called like a function: `try await next(request)`.
    public struct Next: Sendable {
        let pipeline: Pipeline
        let context: RequestContext
        /// The index of the next interceptor, or the number of interceptors for the SDK's own steps.
        let number: Int
        /// The number of the call's pass through the interceptors.
        let pass: Int

        var following: Next {
            Next(pipeline: pipeline, context: context, number: number + 1, pass: pass)
        }

        /// Sends the request through the rest of the pipeline.
        ///
        /// - Parameter request: the request.
        /// - Returns: a response of status 2xx or 304.
        /// - Throws: ``RestError``, also for every other status. ``RestError/Code/cancelled`` if the call has ended, if
        ///   the interceptor has returned, or if another `next` of the call is in progress.
        public func callAsFunction(_ request: HTTPRequest) async throws(RestError) -> HTTPResponse {
            try await pipeline.go(on: self, request)
        }
    }
}

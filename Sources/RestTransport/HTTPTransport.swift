// SPDX-License-Identifier: Apache-2.0

/// Sends one request once and gives back what the server answered.
///
/// A transport follows no redirects, keeps no cookies and no cache, negotiates no HTTP authentication and never sends a
/// request a second time by itself: the pipeline above decides all of that. Any status is a response, never an error.
public protocol HTTPTransport: Sendable {
    /// Sends the request and buffers the answer.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`, whatever it is doing.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`.
    func send(_ request: HTTPRequest, deadline: ContinuousClock.Instant) async throws(TransportError) -> HTTPResponse

    /// Ends every transfer with `.shutDown`, closes the connections and refuses later calls with `.shutDown`.
    func shutdown() async
}

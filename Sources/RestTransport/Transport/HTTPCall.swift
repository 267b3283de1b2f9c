// SPDX-License-Identifier: Apache-2.0

/// One send of a transport, which whoever holds it can end: not only the task that waits for its answer.
package protocol HTTPCall: Sendable {
    /// Sends the request and waits for the answer, as `HTTPTransport.send` does; once only.
    func response() async throws(TransportError) -> HTTPResponse

    /// Ends the call with `.cancelled`, from any thread and at any time, also before it is sent.
    func cancel()
}

/// A transport that gives its sends out as calls, so that ending one takes no task of its own.
package protocol HTTPCallTransport: HTTPTransport {
    /// Prepares to send the request.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: when the call ends.
    ///   - progress: is told how far the bodies have come.
    func call(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) -> any HTTPCall
}

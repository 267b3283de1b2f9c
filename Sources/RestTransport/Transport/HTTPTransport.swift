// SPDX-License-Identifier: Apache-2.0

/// Sends one request once and gives back what the server answered.
///
/// A transport follows no redirects, keeps no cookies and no cache, negotiates no HTTP authentication and never sends a
/// request a second time by itself: the pipeline above decides all of that. (Apple's URLSession cannot be kept from
/// repeating a request whose connection turns out to be dead: docs/urlsession.md.) Any status is a response, never an
/// error. Every call ends by its deadline, and within moments of its task being cancelled; both close the connection.
public protocol HTTPTransport: Sendable {
    /// Sends the request and buffers the answer.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`, whatever it is doing.
    ///   - progress: is told how far the body and the answer have come, at least at the end.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`.
    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse

    /// Sends the request and returns when the answer's header is there; its body is read at the reader's pace.
    ///
    /// The deadline covers the body too, and so does the progress. What the transfer cost is known when the body was
    /// read to its end. The default buffers the body with `send`.
    func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponseStream

    /// Sends the request and writes the body of a successful answer (2xx) to a file.
    ///
    /// The file appears at its path when it is complete, in place of one that was there. The body of any other answer
    /// is in the response, and no file is touched. The default reads from `stream`.
    ///
    /// - Parameter target: where the file belongs; the same one for each attempt of a download.
    /// - Returns: the response, without a body when the file was written.
    /// - Throws: `TransportError`; `.file` when the file cannot be written.
    func download(
        _ request: HTTPRequest, to target: DownloadTarget, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse

    /// Ends every transfer with `.shutDown`, closes the connections and refuses later calls with `.shutDown`.
    func shutdown() async
}

// SPDX-License-Identifier: Apache-2.0

import RestBase

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
    /// - Returns: the answer, whatever its status.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`.
    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse

    /// Sends the request and returns when the answer's header is there; its body is read at the reader's pace.
    ///
    /// The deadline covers the body too, and so does the progress. What the transfer cost is known when the body was
    /// read to its end. The default buffers the body with `send`.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: the moment at which call and body end with `TransportError.Code.timedOut`.
    ///   - progress: is told how far both bodies have come.
    /// - Returns: the answer's header, and its body as a stream.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`.
    func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse.Stream

    /// Sends the request and writes the body of a successful answer (2xx) to a file.
    ///
    /// The file appears at its path when it is complete, in place of one that was there. The body of any other answer
    /// is in the response, and no file is touched. What an attempt leaves that breaks off stays with the target, and
    /// the next attempt asks for the rest. The default does all of that with `stream`.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - target: where the file belongs, and which part of the resource; the same one for each attempt of a download.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: is told how far the file has come, with what earlier attempts left.
    /// - Returns: the response, without a body when the file was written.
    /// - Throws: `TransportError`; `.file` when the file cannot be written, `.rangeNotSatisfiable` when the resource
    ///   has no bytes in the range.
    func download(
        _ request: HTTPRequest, to target: HTTPResponse.Download, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse

    /// Ends every transfer with `.shutDown`, closes the connections and refuses later calls with `.shutDown`.
    func shutdown() async
}

extension HTTPTransport {
    /// Sends the request and buffers the answer; nobody is told how far it is.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`.
    /// - Returns: the answer, whatever its status.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`.
    public func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> HTTPResponse {
        try await send(request, deadline: deadline, progress: nil)
    }

    /// Sends the request and returns with the answer's header; nobody is told how far it is.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: the moment at which call and body end with `TransportError.Code.timedOut`.
    /// - Returns: the answer's header, and its body as a stream.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`.
    public func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> HTTPResponse.Stream {
        try await stream(request, deadline: deadline, progress: nil)
    }

    /// Sends the request and writes a successful answer to a file at this path, in one attempt.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - path: where the file appears when it is complete.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: is told how far the file has come.
    /// - Returns: the response, without a body when the file was written.
    /// - Throws: `TransportError`; `.file` when the file cannot be written.
    public func download(
        _ request: HTTPRequest, to path: String, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        let target = HTTPResponse.Download(path: path)
        defer { target.discard() }
        return try await download(request, to: target, deadline: deadline, progress: progress)
    }

    /// Buffers the answer and gives its body as one piece.
    public func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse.Stream {
        let response = try await send(request, deadline: deadline, progress: progress)
        let body = HTTPBody.Stream(of: response.body, metrics: response.metrics)
        return HTTPResponse.Stream(head: response.head, body: body)
    }

    /// Streams the answer into a file.
    public func download(
        _ request: HTTPRequest, to target: HTTPResponse.Download, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let (request, attempt) = target.begin(request)
        let response = try await stream(request, deadline: deadline)
        guard try attempt.receive(response.head) else {
            let body = try await response.body.collect(upTo: 16 * 1024 * 1024)
            return HTTPResponse(head: response.head, body: body, metrics: response.metrics)
        }
        let progress = attempt.telling(progress)
        let sent = request.body.length
        var state = TransferProgress(
            sent: sent ?? 0, sentTotal: sent, receivedTotal: response.head.plainContentLength)
        var iterator = response.body.makeAsyncIterator()
        while let piece = try await iterator.next() {
            try attempt.write(piece)
            state.received += Int64(piece.count)
            progress?(state)
        }
        try attempt.finish()
        return HTTPResponse(head: response.head, metrics: response.metrics)
    }
}

extension HTTPResponse.Head {
    /// Whether the status says that the request succeeded (RFC 9110 15.3).
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The announced length of a body that is not compressed.
    package var plainContentLength: Int64? {
        guard fields["Content-Encoding"] == nil else { return nil }
        return fields["Content-Length"].flatMap { Int(outside: $0, in: .bytes) }.map(Int64.init)
    }
}

/// Name and password for a proxy that asks for them (Basic, RFC 7617).
///
/// They go in the clear to a proxy whose URL begins with `http`.
public struct ProxyLogin: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The name, without a colon.
    public var user: String
    /// The password.
    public var password: String

    /// Makes a login of a name and a password.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// The name; the password is left out.
    public var description: String { "\(user) «redacted»" }
    /// The same as `description`.
    public var debugDescription: String { description }
}

extension ProxyLogin: CustomReflectable {
    /// A mirror that shows no password.
    public var customMirror: Mirror { Mirror(self, children: ["user": user], displayStyle: .struct) }
}

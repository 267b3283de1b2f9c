// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Sends one request once and gives back what the server answered.
///
/// A transport follows no redirects, keeps no cookies and no cache, negotiates no HTTP authentication and never sends a
/// request a second time by itself: the pipeline above decides all of that. (Apple's URLSession cannot be kept from
/// repeating a request whose connection turns out to be dead: docs/urlsession.md.) Any status is a response, never an
/// error. Every call ends by its deadline, and within moments of its task being cancelled; both close the connection.
public protocol HTTPTransport: Sendable {
    /// Sends the request and returns the response with its body in the form that the caller wants.
    ///
    /// * `.memory`: the response has its whole body.
    /// * `.stream`: the call returns when the response head has arrived, and the body is read at the reader's pace.
    ///   Deadline and progress cover the body too.
    /// * `.file`: the body of a successful response (2xx) goes into the file, which appears at its path when it is
    ///   complete. The body of any other response is in memory, and no file is touched. An attempt that breaks off
    ///   leaves what came with the target.
    ///
    /// A transport can ignore a destination and return bytes or a stream. ``stream(_:deadline:progress:)`` and
    /// ``download(_:to:deadline:progress:)``, by which the pipeline calls it, then make a stream or a file of them.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - destination: the form of the body.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`, whatever it is doing.
    ///   - progress: is told how far both bodies have come, at least at the end.
    /// - Returns: the response, whatever its status.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`. For a file `.file` when it cannot be written,
    ///   and `.rangeNotSatisfiable` when the resource has no bytes in the range.
    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse

    /// Ends every transfer with `.shutDown`, closes the connections and refuses later calls with `.shutDown`.
    func shutdown() async
}

extension HTTPTransport {
    /// Sends the request and returns the response with its whole body.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: is told how far both bodies have come.
    /// - Returns: the response, whatever its status.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`.
    public func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        try await send(request, to: .memory, deadline: deadline, progress: progress)
    }

    /// Sends the request and returns when the response head has arrived, with the body as a stream.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: the moment at which call and body end with `TransportError.Code.timedOut`.
    ///   - progress: is told how far both bodies have come.
    /// - Returns: the response, whatever its status; its ``HTTPResponse/content`` is a stream.
    /// - Throws: `TransportError`; a cancelled task gives `.cancelled`.
    public func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        var response = try await send(request, to: .stream, deadline: deadline, progress: progress)
        response.content = .stream(response.stream)
        return response
    }

    /// Sends the request and writes the body of a successful response to a file.
    ///
    /// If an earlier attempt broke off, this one asks for the rest.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - target: where the file belongs, and which part of the resource; the same one for each attempt of a download.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: is told how far the file has come, with what earlier attempts left.
    /// - Returns: the response, whose body is in the file if it succeeded.
    /// - Throws: `TransportError`; `.file` when the file cannot be written, `.rangeNotSatisfiable` when the resource
    ///   has no bytes in the range.
    public func download(
        _ request: HTTPRequest, to target: HTTPResponse.Download, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        let (request, attempt) = target.begin(request)
        let progress = attempt.telling(progress)
        let response = try await send(request, to: .file(target), deadline: deadline, progress: progress)
        return try await attempt.place(response, to: request, progress: progress)
    }

    /// Sends the request and writes a successful answer to a file at this path, in one attempt.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - path: where the file appears when it is complete.
    ///   - deadline: the moment at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: is told how far the file has come.
    /// - Returns: the response, whose body is in the file if it succeeded.
    /// - Throws: `TransportError`; `.file` when the file cannot be written.
    public func download(
        _ request: HTTPRequest, to path: String, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        let target = HTTPResponse.Download(path: path)
        defer { target.discard() }
        return try await download(request, to: target, deadline: deadline, progress: progress)
    }
}

extension HTTPRequest {
    /// Checks the request, and that there is time to send it.
    ///
    /// - Throws: `.invalidRequest` as `validate()`, and `.timedOut` after the deadline.
    package func validate(before deadline: ContinuousClock.Instant) throws(TransportError) {
        try validate()
        guard deadline > .now else {
            throw TransportError(.timedOut, "the deadline passed before the start", mayHaveReachedServer: false)
        }
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

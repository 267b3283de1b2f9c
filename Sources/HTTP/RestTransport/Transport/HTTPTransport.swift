// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Sends a request once and returns the server's response.
///
/// A transport follows no redirects, has no cookies and no cache, negotiates no HTTP authentication and never repeats a
/// request. The pipeline makes these decisions. (Apple's URLSession may repeat a request whose connection is dead, see
/// docs/urlsession.md.) Every status is a response and not an error. Every call ends by its deadline, and shortly after
/// its task is cancelled, both of which close the connection.
public protocol HTTPTransport: Sendable {
    /// Sends the request and returns the response with its body in the requested form.
    ///
    /// * `.memory`: the response has its whole body.
    /// * `.stream`: the call returns when the response head has arrived, and the body is read at the reader's pace.
    ///   The deadline and the progress include the body.
    /// * `.file`: the body of a successful response (2xx) is written to the file, which appears at its path when it is
    ///   complete. The body of any other response is in memory, and the file is not changed. The bytes of an
    ///   interrupted attempt remain with the target.
    ///
    /// A transport can ignore a destination and return bytes or a stream. The pipeline calls
    /// ``stream(_:deadline:progress:)`` and ``download(_:to:deadline:progress:)``, which convert them to a stream or a
    /// file.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - destination: the form of the body.
    ///   - deadline: the time at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: called with the progress of both bodies, at least at the end.
    /// - Returns: the response, regardless of its status.
    /// - Throws: `TransportError`. A cancelled task gets `.cancelled`. A file gets `.file` if it cannot be written, and
    ///   `.rangeNotSatisfiable` if the resource has no bytes in the range.
    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse

    /// Ends all transfers with `.shutDown`, closes the connections and rejects later calls with `.shutDown`.
    func shutdown() async
}

/// A transport that passes its requests to another one, whose trust and proxy count.
package protocol OuterTransport: HTTPTransport {
    var base: any HTTPTransport { get }
}

extension HTTPTransport {
    /// Sends the request and returns the response with its whole body.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - deadline: the time at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: called with the progress of both bodies.
    /// - Returns: the response, regardless of its status.
    /// - Throws: `TransportError`. A cancelled task gets `.cancelled`.
    public func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        try await send(request, to: .memory, deadline: deadline, progress: progress)
    }

    /// Sends the request and returns when the response head has arrived, with the body as a stream.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - deadline: the time at which the call and the body end with `TransportError.Code.timedOut`.
    ///   - progress: called with the progress of both bodies.
    /// - Returns: the response, regardless of its status, whose ``HTTPResponse/content`` is a stream.
    /// - Throws: `TransportError`. A cancelled task gets `.cancelled`.
    public func stream(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        var response = try await send(request, to: .stream, deadline: deadline, progress: progress)
        response.content = .stream(response.stream)
        return response
    }

    /// Sends the request and writes the body of a successful response to a file.
    ///
    /// After an interrupted attempt it asks for the rest.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - target: the destination and the requested part of the resource. All attempts of a download use the same
    ///     target.
    ///   - deadline: the time at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: called with the progress of the file, including the bytes of earlier attempts.
    /// - Returns: the response, whose body is in the file if it succeeded.
    /// - Throws: `TransportError`. It is `.file` if the file cannot be written, and `.rangeNotSatisfiable` if the
    ///   resource has no bytes in the range.
    public func download(
        _ request: HTTPRequest, to target: HTTPResponse.Download, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler? = nil
    ) async throws(TransportError) -> HTTPResponse {
        let (request, attempt) = target.begin(request)
        let progress = attempt.telling(progress)
        let response = try await send(request, to: .file(target), deadline: deadline, progress: progress)
        return try await attempt.place(response, to: request, progress: progress)
    }

    /// Sends the request and writes the body of a successful response to a file, in one attempt.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - path: the path at which the file appears when it is complete.
    ///   - deadline: the time at which the call ends with `TransportError.Code.timedOut`.
    ///   - progress: called with the progress of the file.
    /// - Returns: the response, whose body is in the file if it succeeded.
    /// - Throws: `TransportError`, which is `.file` if the file cannot be written.
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
    /// Checks the request and the deadline.
    ///
    /// - Throws: `.invalidRequest` like `validate()`, and `.timedOut` after the deadline.
    package func validate(before deadline: ContinuousClock.Instant) throws(TransportError) {
        try validate()
        guard deadline > .now else {
            throw TransportError(
                .timedOut, "the deadline passed before the request was sent", mayHaveReachedServer: false)
        }
    }
}

extension HTTPResponse.Head {
    /// Whether the request succeeded according to the status (RFC 9110 §15.3).
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The announced length of a body that is not compressed.
    package var plainContentLength: Int64? {
        guard fields["Content-Encoding"] == nil else { return nil }
        return fields["Content-Length"].flatMap { Int(outside: $0, in: .bytes) }.map(Int64.init)
    }
}

/// The name and password for a proxy with authentication (Basic, RFC 7617).
///
/// They are sent unencrypted to a proxy whose URL begins with `http`.
public struct ProxyLogin: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The name, without a colon.
    public var user: String
    /// The password.
    public var password: String

    /// Creates a login.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// The name without the password.
    public var description: String { "\(user) «redacted»" }
    /// The same as `description`.
    public var debugDescription: String { description }
}

extension ProxyLogin: CustomReflectable {
    /// A mirror without the password.
    public var customMirror: Mirror { Mirror(self, children: ["user": user], displayStyle: .struct) }
}

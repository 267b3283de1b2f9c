// SPDX-License-Identifier: Apache-2.0

extension RestError {
    /// The kind of a failure: an open set whose labels are fixed and safe as metric names.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The label.
        public var description: String { rawValue }

        /// The call was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The call's deadline passed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// No connection to the server could be made, so nothing of the last attempt left this process.
        ///
        /// ``RestError/outcome`` is about all attempts: a write that was sent before may have been applied.
        public static let notConnected = Code(rawValue: "notConnected")
        /// The proxy refused its login, or asked for one; nothing was sent to the server, and it is not asked again.
        public static let proxyUnauthorized = Code(rawValue: "proxyUnauthorized")
        /// The connection failed before the response was complete, or the peer did not speak HTTP; or none could be
        /// made, and the transport cannot tell whether something of the request left all the same.
        public static let transport = Code(rawValue: "transport")
        /// TLS failed; never retried.
        public static let tls = Code(rawValue: "tls")
        /// The server rejected the session (401), and the token was renewed already or cannot be renewed.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The client never had a token, because its first login failed: mend what it logs in with.
        ///
        /// ``RestError/underlying`` is the `OAuthError`.
        public static let loginFailed = Code(rawValue: "loginFailed")
        /// The session ended and no new token could be had: log in again.
        ///
        /// ``RestError/underlying`` is the `OAuthError`.
        public static let refreshFailed = Code(rawValue: "refreshFailed")
        /// There is no current account, or the client's account was unlinked: log in.
        public static let noAccount = Code(rawValue: "noAccount")
        /// The user may not do this (403).
        public static let forbidden = Code(rawValue: "forbidden")
        /// There is no such resource or record (404).
        public static let notFound = Code(rawValue: "notFound")
        /// Too many requests: 429, or a 403 with `REQUEST_LIMIT_EXCEEDED`.
        public static let rateLimited = Code(rawValue: "rateLimited")
        /// The server refused the request for its content; ``RestError/faults`` says why.
        public static let api = Code(rawValue: "api")
        /// The server failed (5xx).
        public static let server = Code(rawValue: "server")
        /// The server answered a redirect that is not followed.
        public static let redirected = Code(rawValue: "redirected")
        /// The response is not what was asked for: not JSON, or of another shape.
        public static let decoding = Code(rawValue: "decoding")
        /// An argument cannot be sent; nothing was, except for a stream that turned out not to be as long as it was
        /// said to be.
        ///
        /// The message names it.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// A local file could not be read or written; ``RestError/systemErrors`` say why.
        public static let file = Code(rawValue: "file")
        /// The request body is not what it was: a file changed while it was sent, or a file or a stream is another one
        /// than at the first attempt.
        ///
        /// The server has not got a whole body, and the call is not sent again.
        public static let bodyChanged = Code(rawValue: "bodyChanged")
        /// The source of a streamed request body threw an error, which is ``RestError/underlying``.
        ///
        /// The server has not got a whole body, and the call is not sent again.
        public static let bodySource = Code(rawValue: "bodySource")
        /// The resource has no bytes in the range that was asked for (416).
        public static let rangeNotSatisfiable = Code(rawValue: "rangeNotSatisfiable")
        /// Request or response is larger than the limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The circuit breaker is open: the server kept failing, and nothing was sent.
        public static let circuitOpen = Code(rawValue: "circuitOpen")
        /// The server no longer knows what happened since the position: read all records again, then follow the changes
        /// from ``RestError/changesPosition``.
        public static let changesForgotten = Code(rawValue: "changesForgotten")
        /// The client was shut down.
        public static let shutDown = Code(rawValue: "shutDown")
        /// The account was logged out while the call was under way; later calls fail with ``noAccount``.
        public static let loggedOut = Code(rawValue: "loggedOut")

        /// Whether there is no valid session, so that somebody has to log in: ``unauthorized``, ``refreshFailed``,
        /// ``noAccount`` or ``loggedOut``.
        public var needsLogin: Bool { [.unauthorized, .refreshFailed, .noAccount, .loggedOut].contains(self) }
    }
}

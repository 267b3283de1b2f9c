// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Why no token could be had.
public struct OAuthError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure: the server's own `error` codes (RFC 6749 §5.2) beside ours.
    ///
    /// An open set.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The label, as the server writes it where it is the server's.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The grant (password, refresh token …) is wrong, spent or revoked.
        public static let invalidGrant = Code(rawValue: "invalid_grant")
        /// The client id or secret is wrong.
        public static let invalidClient = Code(rawValue: "invalid_client")
        /// The client id is unknown; the platform's own variant of `invalid_client`.
        public static let invalidClientID = Code(rawValue: "invalid_client_id")
        /// The server does not offer this grant.
        public static let unsupportedGrantType = Code(rawValue: "unsupported_grant_type")
        /// The token endpoint answered something that is not a token response.
        public static let invalidResponse = Code(rawValue: "invalidResponse")
        /// The token endpoint failed (5xx, 429); the login itself is not in question.
        public static let serverUnavailable = Code(rawValue: "serverUnavailable")
        /// The token endpoint could not be reached; ``OAuthError/transport`` says why.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The access token is no longer valid and there is nothing to renew it with: log in again.
        public static let sessionExpired = Code(rawValue: "sessionExpired")
        /// The server refuses every new token at once; renewing was stopped to break the loop.
        public static let excessiveRefresh = Code(rawValue: "excessiveRefresh")
        /// The answer to an earlier renewal was lost, and the server does not repeat it: whether the login still exists
        /// is unknown.
        ///
        /// The stored record is kept. A new login is needed, though nobody ended the old one.
        public static let rotationOutcomeUnknown = Code(rawValue: "rotationOutcomeUnknown")
        /// The credential store cannot be read or locked now; the login itself is not in question.
        public static let storeUnavailable = Code(rawValue: "storeUnavailable")
        /// The account is not, or no longer, linked: its client can do nothing more.
        public static let noAccount = Code(rawValue: "noAccount")
        /// The caller stopped waiting.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The deadline passed while waiting for a token.
        public static let timedOut = Code(rawValue: "timedOut")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, free of secrets.
    public let message: String
    /// The transport's failure behind `.unreachable`.
    public let transport: TransportError?

    /// Makes an error.
    public init(_ code: Code, _ message: String, transport: TransportError? = nil) {
        self.code = code
        self.message = message
        self.transport = transport
    }

    /// What every client of an unlinked account gets.
    static let noAccount = OAuthError(.noAccount, "the account was unlinked; log in again and make a new client")

    /// Whether trying again with the same grant cannot help.
    ///
    /// Only such a failure is remembered; a network failure never is.
    public var isFinal: Bool {
        switch code {
        case .invalidGrant: !message.contains("already being processed")
        case .invalidClient, .invalidClientID, .unsupportedGrantType: true
        case .sessionExpired, .rotationOutcomeUnknown, .noAccount: true
        default: false
        }
    }

    /// Whether the refresh token that was sent cannot have been exchanged: the server refused it, or never saw it.
    var provesTokenUnspent: Bool { isFinal || transport?.mayHaveReachedServer == false }

    /// The value as text, for people and logs.
    public var description: String { "\(code.rawValue): \(message)" }
}

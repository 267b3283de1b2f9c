// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// Why no token could be had, or why a login or another call to the authorization server failed.
public struct OAuthError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, free of secrets.
    public let message: String
    /// The transport's failure behind `.unreachable`.
    public let transport: TransportError?
    /// How long the server asked to wait before the next try (RFC 9110 10.2.3).
    public let retryAfter: Duration?

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, transport: TransportError? = nil, retryAfter: Duration? = nil
    ) {
        self.code = code
        self.message = message
        self.transport = transport
        self.retryAfter = retryAfter
    }

    /// What every client of an unlinked account gets.
    static let noAccount = OAuthError(.noAccount, "the account was unlinked; log in again and make a new client")

    /// Whether trying again with the same grant cannot help.
    ///
    /// Only such a failure is remembered; a network failure never is.
    public var isFinal: Bool {
        switch code {
        // The server is at work on an earlier request with the same token; that one decides.
        case .invalidGrant: !message.hasBytes("already being processed")
        case .invalidClient, .invalidClientID, .unauthorizedClient, .invalidScope, .unsupportedGrantType,
            .refused, .sessionExpired, .rotationOutcomeUnknown, .noAccount:
            true
        default: false
        }
    }

    /// Whether the refresh token that was sent cannot have been exchanged: the server refused it, or never saw it.
    var provesTokenUnspent: Bool {
        isFinal || code == .secretUnavailable || transport?.mayHaveReachedServer == false
    }

    /// The value as text, for people and logs.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension OAuthError {
    /// The transport's failure seen from an endpoint of the authorization server.
    init(_ error: TransportError, at endpoint: String = "the token endpoint") {
        switch error.code {
        case .cancelled: self.init(.cancelled, "cancelled while asking \(endpoint)", transport: error)
        case .timedOut: self.init(.timedOut, "\(endpoint) did not answer in time", transport: error)
        default: self.init(.unreachable, "\(endpoint) cannot be reached: \(error.message)", transport: error)
        }
    }
}

extension OAuthError {
    /// The kind of failure: the server's own `error` codes (RFC 6749 4.1.2.1 and 5.2, RFC 8628 3.5) beside ours.
    ///
    /// An open set.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The label, as the server writes it where it is the server's.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The label.
        public var description: String { rawValue }
    }
}

/// What the server says.
extension OAuthError.Code {
    /// The grant (password, refresh token, code …) is wrong, spent or revoked.
    public static let invalidGrant = Self(rawValue: "invalid_grant")
    /// The client id or secret is wrong.
    public static let invalidClient = Self(rawValue: "invalid_client")
    /// The client id is unknown; the platform's own variant of `invalid_client`.
    public static let invalidClientID = Self(rawValue: "invalid_client_id")
    /// The client may not use this grant.
    public static let unauthorizedClient = Self(rawValue: "unauthorized_client")
    /// The server does not offer this grant.
    public static let unsupportedGrantType = Self(rawValue: "unsupported_grant_type")
    /// A scope is unknown or more than the client may have.
    public static let invalidScope = Self(rawValue: "invalid_scope")
    /// The user, or the server for the user, said no.
    public static let userDenied = Self(rawValue: "access_denied")
    /// The user has not decided yet about a device login.
    public static let authorizationPending = Self(rawValue: "authorization_pending")
    /// The server wants to be asked less often about a device login.
    public static let slowDown = Self(rawValue: "slow_down")
    /// The user did not decide about a device login in time; begin a new one.
    public static let deviceCodeExpired = Self(rawValue: "expired_token")
    /// The token endpoint refused the request (400, 401) and gave no reason.
    public static let refused = Self(rawValue: "refused")
    /// The access token is not, or no longer, good at this endpoint (RFC 6750 3.1).
    public static let invalidToken = Self(rawValue: "invalid_token")
}

/// What is wrong with an answer.
extension OAuthError.Code {
    /// An endpoint answered something that is not what OAuth prescribes.
    public static let invalidResponse = Self(rawValue: "invalidResponse")
    /// An endpoint answered a page instead of JSON: a captive portal or a gateway stands in between.
    public static let unexpectedContentType = Self(rawValue: "unexpectedContentType")
    /// The server failed (5xx, 429); the login itself is not in question.
    public static let serverUnavailable = Self(rawValue: "serverUnavailable")
    /// The server could not be reached; ``OAuthError/transport`` says why.
    public static let unreachable = Self(rawValue: "unreachable")
    /// The revocation endpoint failed for now: the token may still be good, so revoke it again later (RFC 7009 2.2.1).
    public static let revocationPending = Self(rawValue: "revocationPending")
    /// The server's metadata contradicts itself or the address it came from (RFC 8414 3.3).
    public static let invalidMetadata = Self(rawValue: "invalidMetadata")
    /// The server knows only the weak `plain` form of PKCE (RFC 9700 2.1.1).
    public static let proofKeyUnsupported = Self(rawValue: "proofKeyUnsupported")
    /// The server named an address outside the hosts that may see the token; nothing was sent there.
    public static let foreignHost = Self(rawValue: "foreignHost")
}

/// What is wrong with the browser's way back.
extension OAuthError.Code {
    /// The redirect has no `state`: it does not belong to this login.
    public static let stateMissing = Self(rawValue: "stateMissing")
    /// The redirect has another login's `state`.
    public static let stateMismatch = Self(rawValue: "stateMismatch")
    /// The redirect comes from another server than the login was begun with (RFC 9207).
    public static let issuerMismatch = Self(rawValue: "issuerMismatch")
    /// The redirect is no answer to an authorization request.
    public static let invalidCallback = Self(rawValue: "invalidCallback")
    /// No port for the browser's way back can be had.
    public static let portUnavailable = Self(rawValue: "portUnavailable")
    /// No browser can be started; show the address to the user instead.
    public static let browserUnavailable = Self(rawValue: "browserUnavailable")
}

/// What is wrong on this side.
extension OAuthError.Code {
    /// The access token is no longer valid and there is nothing to renew it with: log in again.
    public static let sessionExpired = Self(rawValue: "sessionExpired")
    /// The server refuses every new token at once; renewing was stopped to break the loop.
    public static let excessiveRefresh = Self(rawValue: "excessiveRefresh")
    /// The answer to an earlier renewal was lost, and the server does not repeat it: whether the login still exists
    /// is unknown.
    ///
    /// The stored record is kept. A new login is needed, though nobody ended the old one.
    public static let rotationOutcomeUnknown = Self(rawValue: "rotationOutcomeUnknown")
    /// The credential store cannot be read or locked now; the login itself is not in question.
    public static let storeUnavailable = Self(rawValue: "storeUnavailable")
    /// The host, which keeps the client's secret, cannot give it now; nothing was sent and no login is in question.
    public static let secretUnavailable = Self(rawValue: "secretUnavailable")
    /// The account is not, or no longer, linked: its client can do nothing more.
    public static let noAccount = Self(rawValue: "noAccount")
    /// An argument is unusable; nothing was sent.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// A login that another program keeps is not there, damaged, sealed with another key or of an unknown kind.
    public static let unusableLogin = Self(rawValue: "unusableLogin")
    /// The private key is encrypted, damaged, too short or not of RSA.
    public static let unusableKey = Self(rawValue: "unusableKey")
    /// Others can read the file of a private key or of a login.
    public static let sharedKeyFile = Self(rawValue: "sharedKeyFile")
    /// The system gives no random numbers or no digests.
    public static let cryptographyUnavailable = Self(rawValue: "cryptographyUnavailable")
    /// The caller stopped waiting.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The deadline passed.
    public static let timedOut = Self(rawValue: "timedOut")
}

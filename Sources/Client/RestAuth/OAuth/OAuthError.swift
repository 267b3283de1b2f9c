// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// The error of a login, a renewal or another request to the authorization server.
public struct OAuthError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public let code: Code
    /// The problem and what to do, without secrets.
    public let message: String
    /// The transport's error, for `.unreachable`.
    public let transport: TransportError?
    /// The delay that the server requested before the next attempt (RFC 9110 §10.2.3).
    public let retryAfter: Duration?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, transport: TransportError? = nil, retryAfter: Duration? = nil
    ) {
        self.code = code
        self.message = message
        self.transport = transport
        self.retryAfter = retryAfter
    }

    static let noAccount = OAuthError(.noAccount, "the account was unlinked; log in again and create a new client")

    /// Whether another attempt with the same grant cannot succeed.
    ///
    /// Only such errors are remembered. Network errors are not.
    public var isFinal: Bool {
        switch code {
        // The server is processing an earlier request with the same token. The result of that request decides.
        case .invalidGrant: !message.hasBytes("already being processed")
        case .invalidClient, .invalidClientID, .unauthorizedClient, .invalidScope, .invalidTarget,
            .unsupportedGrantType, .refused, .sessionExpired, .rotationOutcomeUnknown, .noAccount:
            true
        default: false
        }
    }

    /// Whether the refresh token is certainly unspent: the server rejected it or never received it.
    var provesTokenUnspent: Bool {
        isFinal || [.secretUnavailable, .dpopNonceRequired, .invalidDPoPProof].contains(code)
            || transport?.mayHaveReachedServer == false
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension OAuthError {
    init(_ error: TransportError, at endpoint: String = "the token endpoint") {
        switch error.code {
        case .cancelled: self.init(.cancelled, "cancelled while waiting for \(endpoint)", transport: error)
        case .timedOut: self.init(.timedOut, "\(endpoint) did not respond in time; try again", transport: error)
        default: self.init(.unreachable, "\(endpoint) cannot be reached: \(error.message)", transport: error)
        }
    }
}

extension OAuthError {
    /// The kind of error: the server's `error` codes (RFC 6749 §4.1.2.1 and §5.2, RFC 8628 §3.5), and codes of this
    /// module.
    ///
    /// The set is open.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The code as a string, as the server writes it.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code as a string.
        public var description: String { rawValue }
    }
}

extension OAuthError.Code {
    /// The grant (password, refresh token, code …) is wrong, spent or revoked.
    public static let invalidGrant = Self(rawValue: "invalid_grant")
    /// The client id or secret is wrong.
    public static let invalidClient = Self(rawValue: "invalid_client")
    /// The client id is unknown: Salesforce's variant of `invalid_client`.
    public static let invalidClientID = Self(rawValue: "invalid_client_id")
    /// The client may not use this grant.
    public static let unauthorizedClient = Self(rawValue: "unauthorized_client")
    /// The server does not offer this grant.
    public static let unsupportedGrantType = Self(rawValue: "unsupported_grant_type")
    /// A scope is unknown or not allowed for the client.
    public static let invalidScope = Self(rawValue: "invalid_scope")
    /// The user, or the server on the user's behalf, denied access.
    public static let userDenied = Self(rawValue: "access_denied")
    /// The user has not yet confirmed a device login.
    public static let authorizationPending = Self(rawValue: "authorization_pending")
    /// The server requests slower polling for a device login.
    public static let slowDown = Self(rawValue: "slow_down")
    /// The user did not confirm a device login in time, so a new login is required.
    public static let deviceCodeExpired = Self(rawValue: "expired_token")
    /// The token endpoint rejected the request (400, 401) without a reason.
    public static let refused = Self(rawValue: "refused")
    /// The access token is not valid at this endpoint, or no longer (RFC 6750 §3.1).
    public static let invalidToken = Self(rawValue: "invalid_token")
}

extension OAuthError.Code {
    /// The server does not issue tokens for the audience or resource of a token exchange (RFC 8693 §2.2.2).
    public static let invalidTarget = Self(rawValue: "invalid_target")
    /// The server requires a new nonce in each proof, and rejected the one that it had sent (RFC 9449 §8).
    public static let dpopNonceRequired = Self(rawValue: "use_dpop_nonce")
    /// The server rejected the proof of a bound login, for example because the clock is wrong (RFC 9449 §5).
    public static let invalidDPoPProof = Self(rawValue: "invalid_dpop_proof")
    /// The server does not bind tokens with DPoP and `ES256`, so nothing was used.
    public static let dpopUnsupported = Self(rawValue: "dpopUnsupported")
}

extension OAuthError.Code {
    /// The response does not conform to OAuth.
    public static let invalidResponse = Self(rawValue: "invalidResponse")
    /// The response is a page instead of JSON, from a captive portal or a gateway.
    public static let unexpectedContentType = Self(rawValue: "unexpectedContentType")
    /// The server is unavailable (5xx, 429), and the login may still be valid.
    public static let serverUnavailable = Self(rawValue: "serverUnavailable")
    /// The server is unreachable, for the reason in ``OAuthError/transport``.
    public static let unreachable = Self(rawValue: "unreachable")
    /// Revocation failed for now: the token may still be valid, so revoke it again later (RFC 7009 §2.2.1).
    public static let revocationPending = Self(rawValue: "revocationPending")
    /// The server's metadata contradicts itself or the URL it came from (RFC 8414 §3.3).
    public static let invalidMetadata = Self(rawValue: "invalidMetadata")
    /// The server supports only the weak `plain` form of PKCE (RFC 9700 §2.1.1).
    public static let proofKeyUnsupported = Self(rawValue: "proofKeyUnsupported")
    /// The server named a URL outside the hosts that may receive the token, so nothing was sent there.
    public static let foreignHost = Self(rawValue: "foreignHost")
}

extension OAuthError.Code {
    /// The redirect has no `state`, so it does not belong to this login.
    public static let stateMissing = Self(rawValue: "stateMissing")
    /// The redirect has another login's `state`.
    public static let stateMismatch = Self(rawValue: "stateMismatch")
    /// The redirect comes from another server than the login's (RFC 9207).
    public static let issuerMismatch = Self(rawValue: "issuerMismatch")
    /// The redirect is not an authorization response.
    public static let invalidCallback = Self(rawValue: "invalidCallback")
    /// No port is available for the redirect.
    public static let portUnavailable = Self(rawValue: "portUnavailable")
    /// No browser can be started, so the app should show the URL to the user.
    public static let browserUnavailable = Self(rawValue: "browserUnavailable")
}

extension OAuthError.Code {
    /// The access token has expired and cannot be renewed, so the user must log in again.
    public static let sessionExpired = Self(rawValue: "sessionExpired")
    /// The server rejects every new token at once, so renewals were stopped.
    public static let excessiveRefresh = Self(rawValue: "excessiveRefresh")
    /// The response to an earlier renewal was lost, so it is unknown whether the login still exists.
    ///
    /// The server does not repeat the response. The stored record is retained. The user must log in again, although the
    /// old login was not revoked.
    public static let rotationOutcomeUnknown = Self(rawValue: "rotationOutcomeUnknown")
    /// The credential store cannot be read or locked at present, and the login may still be valid.
    public static let storeUnavailable = Self(rawValue: "storeUnavailable")
    /// The app's ``OAuthClient/SecretSource`` failed, so nothing was sent and the login may still be valid.
    public static let secretUnavailable = Self(rawValue: "secretUnavailable")
    /// The account is not linked, or no longer, so its client can do nothing more.
    public static let noAccount = Self(rawValue: "noAccount")
    /// An argument is invalid, so nothing was sent.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// A login of another program is missing, damaged, encrypted with another key or of an unknown kind.
    public static let unusableLogin = Self(rawValue: "unusableLogin")
    /// The private key is encrypted, damaged, too short or not an RSA key.
    public static let unusableKey = Self(rawValue: "unusableKey")
    /// Other users can read the file of a private key or of a login.
    public static let sharedKeyFile = Self(rawValue: "sharedKeyFile")
    /// The system provides no random numbers or no digests.
    public static let cryptographyUnavailable = Self(rawValue: "cryptographyUnavailable")
    /// The caller cancelled the request.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The deadline passed.
    public static let timedOut = Self(rawValue: "timedOut")
}

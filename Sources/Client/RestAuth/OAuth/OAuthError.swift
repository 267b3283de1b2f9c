// SPDX-License-Identifier: Apache-2.0

import RestText
public import RestTransport

/// Why no token could be had, or why a login or another call to the authorization server failed.
public struct OAuthError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, free of secrets.
    public let message: String
    /// The transport's failure behind `.unreachable`.
    public let transport: TransportError?
    /// How long the server asked to wait before the next try (RFC 9110 §10.2.3).
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

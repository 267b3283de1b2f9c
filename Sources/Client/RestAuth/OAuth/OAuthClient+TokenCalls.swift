// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText
import RestTransport

extension OAuthClient {
    /// Which of the two tokens a text is (RFC 7009 §2.1).
    public enum TokenKind: String, Sendable, Hashable {
        /// Opens the API.
        case access = "access_token"
        /// Renews the access token.
        case refresh = "refresh_token"
    }
}

extension OAuthClient {
    /// Tells the server to forget a token (RFC 7009); with a refresh token, the whole login.
    ///
    /// A token that the server does not know, or no longer, counts as revoked.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - kind: which one it is, as a help to the server; `nil` lets it find out.
    ///   - reason: why, for the server's own statistics; `nil` says nothing.
    ///   - deadline: when to give up.
    /// - Throws: ``OAuthError`` with `.revocationPending` when the server cannot do it now, `.unreachable` or
    ///   `.timedOut` when it was not reached: in all three cases the token may still be good, so try again later.
    public func revoke(
        _ token: Secret, kind: OAuthClient.TokenKind? = nil, because reason: OAuthClient.RevocationReason? = nil,
        deadline: ContinuousClock.Instant
    ) async throws(OAuthError) {
        guard let endpoint = server.revocationEndpoint else {
            throw OAuthError(.invalidRequest, "the server has no revocation endpoint")
        }
        var form: [(name: String, value: Secret)] = [("token", token)]
        if let kind { form.append(("token_type_hint", Secret(kind.rawValue))) }
        if let reason { form.append(("revoke_reason", Secret(reason.rawValue))) }
        let secret = try await secret()
        let answer = try await post(
            form, with: secret, to: endpoint, by: server.revocationAuthentication, until: deadline)
        if answer.response.head.isSuccess { return }
        if let failure = answer.unavailable {
            throw OAuthError(
                .revocationPending, "\(failure.message); until then the token may still be good",
                retryAfter: failure.retryAfter)
        }
        do {
            _ = try answer.members()
        } catch  where error.code == .invalidToken {
            return
        }
    }
}

extension OAuthClient {
    /// What the server says about a token (RFC 7662 §2.2).
    public struct TokenStatus: Sendable, Hashable {
        /// Whether the token is good now; when it is not, all else is empty.
        public let isActive: Bool
        /// What it may be used for.
        public let scopes: [String]
        /// The client it was given to.
        public let clientID: String?
        /// The user's login name.
        public let username: String?
        /// The user's or client's id at the server.
        public let subject: String?
        /// The kind of token, as the server calls it.
        public let tokenType: String?
        /// When it expires, in seconds since 1970.
        public let expiresAt: Int64?
        /// When it was issued, in seconds since 1970.
        public let issuedAt: Int64?
        /// Before when it is not good, in seconds since 1970.
        public let notBefore: Int64?

        init(_ members: OAuthMembers) throws(OAuthError) {
            guard let active = members["active"]?.bool else {
                throw OAuthError(.invalidResponse, "the introspection endpoint did not say whether the token is active")
            }
            let facts = active ? members : OAuthMembers([:])
            isActive = active
            scopes = facts.words("scope")
            clientID = facts["client_id"]?.string
            username = facts["username"]?.string
            subject = facts["sub"]?.string
            tokenType = facts["token_type"]?.string
            expiresAt = facts["exp"]?.whole(in: .epochSeconds)
            issuedAt = facts["iat"]?.whole(in: .epochSeconds)
            notBefore = facts["nbf"]?.whole(in: .epochSeconds, rounding: .up)
        }
    }
}

extension OAuthClient {
    /// Asks the server what a token is good for (RFC 7662).
    ///
    /// - Parameters:
    ///   - token: the token, of either kind.
    ///   - kind: which one it is, as a help to the server.
    ///   - deadline: when to give up.
    /// - Returns: what the server says; a token that is not good is an answer, not an error.
    /// - Throws: ``OAuthError``.
    public func introspect(
        _ token: Secret, kind: OAuthClient.TokenKind? = nil, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthClient.TokenStatus {
        guard let endpoint = server.introspectionEndpoint else {
            throw OAuthError(.invalidRequest, "the server has no introspection endpoint")
        }
        var form: [(name: String, value: Secret)] = [("token", token)]
        if let kind { form.append(("token_type_hint", Secret(kind.rawValue))) }
        let secret = try await secret()
        let answer = try await post(
            form, with: secret, to: endpoint, by: server.introspectionAuthentication, until: deadline)
        return try OAuthClient.TokenStatus(try answer.members())
    }
}

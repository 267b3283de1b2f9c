// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

extension OAuthClient {
    /// Who a login belongs to.
    public struct UserIdentity: Sendable, Hashable {
        /// The user's id.
        public let userID: String?
        /// The org's id.
        public let organizationID: String?
        /// The login name.
        public let username: String?
        /// The name to show.
        public let displayName: String?
        /// The mail address.
        public let email: String?
        /// Everything the server said.
        public let fields: JSONValue

        /// Reads the claims of OpenID Connect (Core 5.1) or the platform's identity document; both have other names.
        init(_ members: OAuthMembers) {
            fields = members.object
            userID = members["user_id"]?.string ?? members["sub"]?.string
            organizationID = members["organization_id"]?.string
            username = members["username"]?.string ?? members["preferred_username"]?.string
            displayName = members["display_name"]?.string ?? members["name"]?.string
            email = members["email"]?.string
        }
    }
}

extension OAuthClient {
    /// Asks whose an access token is (OpenID Connect Core 5.3).
    ///
    /// - Throws: ``OAuthError``; `.invalidToken` when the server refuses the token.
    public func userInfo(
        of credential: Credential, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthClient.UserIdentity {
        let platform = HTTPURL(origin: credential.instance, path: "/services/oauth2/userinfo")
        return try await identity(at: server.userInfoEndpoint ?? platform, credential.accessToken, deadline)
    }

    /// Reads the identity document that the token response named.
    ///
    /// The address is the server's word, so the token goes there only if it is on the login host, on the credential's
    /// instance, or on a host that the instance policy allows.
    ///
    /// - Throws: ``OAuthError``; `.foreignHost` for an address elsewhere, `.invalidRequest` when there is none,
    ///   `.invalidToken` when the server refuses the token.
    public func identity(
        of credential: Credential, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthClient.UserIdentity {
        guard let address = credential.identityURL else {
            throw OAuthError(.invalidRequest, "the server named no identity URL at this login")
        }
        guard let url = try? HTTPURL(parsing: address), url.isTrustworthy,
            url.origin == credential.instance || instancePolicy.believes(url.origin, login: login)
        else {
            throw OAuthError(.foreignHost, "the identity URL is on a foreign host; the token was not sent there")
        }
        return try await identity(at: url, credential.accessToken, deadline)
    }

    /// The user's id that the introspection endpoint says, else the user info endpoint, for a token whose answer named
    /// nobody; `nil` when neither does.
    func user(behind credential: Credential, deadline: ContinuousClock.Instant) async -> NamedUser? {
        if server.introspectionEndpoint != nil,
            let status = try? await introspect(credential.accessToken, kind: .access, deadline: deadline),
            let user = NamedUser(reading: status.subject, as: "sub")
        {
            return user
        }
        guard server.userInfoEndpoint != nil,
            let identity = try? await userInfo(of: credential, deadline: deadline)
        else { return nil }
        return NamedUser(reading: identity.fields["sub"]?.string ?? identity.userID, as: "sub")
    }

    private func identity(
        at url: HTTPURL, _ token: Secret, _ deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthClient.UserIdentity {
        let request = HTTPRequest(
            url: url, fields: ["Authorization": "Bearer \(token.reveal())", "Accept": "application/json"])
        let response = try await send(request, until: deadline)
        guard response.head.status != 401, response.head.status != 403 else {
            throw BearerChallenge.refusal(of: response, to: SentSecrets([token]))
        }
        return OAuthClient.UserIdentity(try OAuthAnswer(response, from: url.path, to: SentSecrets([token])).members())
    }
}

extension OAuthClient {
    /// Why a login is ended, as the platform's own SDKs say it: the form field `revoke_reason` of a revocation.
    ///
    /// It is for the server's statistics and changes nothing; a server that does not know the field ignores it
    /// (RFC 6749 3.2).
    public struct RevocationReason: RawRepresentable, Sendable, Hashable {
        /// The text that the server gets.
        public let rawValue: String

        /// Makes a reason of the app's own.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The user logged out.
        public static let userLogout = Self(rawValue: "user_logout")
        /// The refresh token has expired.
        public static let refreshTokenExpired = Self(rawValue: "refresh_token_expired")
        /// A newer refresh token took its place.
        public static let refreshTokenRotated = Self(rawValue: "refresh_token_rotated")
        /// What the app keeps of the login is damaged.
        public static let corruptState = Self(rawValue: "corrupt_state")
        /// The server answered something that the app cannot use.
        public static let unexpectedResponse = Self(rawValue: "unexpected_response")
        /// The user was away for too long.
        public static let timeout = Self(rawValue: "timeout")
        /// Something else that should not happen.
        public static let unexpected = Self(rawValue: "unexpected")
    }
}

extension OAuthClient {
    /// Which of the two tokens a text is (RFC 7009 2.1).
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
    /// What the server says about a token (RFC 7662 2.2).
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

// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestTransport

extension OAuthClient {
    /// The user of a login.
    public struct UserIdentity: Sendable, Hashable {
        /// The user's id.
        public let userID: String?
        /// The org's id.
        public let organizationID: String?
        /// The login name.
        public let username: String?
        /// The display name.
        public let displayName: String?
        /// The email address.
        public let email: String?
        /// The My Domain of the user's org, if the response names one that ``OAuthClient/instancePolicy`` allows.
        ///
        /// After a login at `https://login.salesforce.com`, it is the server for client credentials and for the next
        /// logins.
        public let myDomain: Origin?
        /// All fields of the response.
        public let fields: JSONValue

        /// Reads the claims of OpenID Connect (Core §5.1) or Salesforce's identity document, which has other names.
        init(_ members: OAuthMembers, for client: OAuthClient) {
            fields = members.object
            userID = members["user_id"]?.string ?? members["sub"]?.string
            organizationID = members["organization_id"]?.string
            username = members["username"]?.string ?? members["preferred_username"]?.string
            displayName = members["display_name"]?.string ?? members["name"]?.string
            email = members["email"]?.string
            let domain = members["urls"]?["custom_domain"]?.string
            myDomain = domain.flatMap { try? client.instancePolicy.instance(named: $0, login: client.login) }
        }
    }
}

extension OAuthClient {
    /// Requests the user of an access token (OpenID Connect Core §5.3).
    ///
    /// - Throws: ``OAuthError``: `.invalidToken` if the server rejects the token.
    public func userInfo(
        of credential: Credential, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthClient.UserIdentity {
        let platform = HTTPURL(origin: credential.instance, path: "/services/oauth2/userinfo")
        return try await identity(at: server.userInfoEndpoint ?? platform, credential, deadline)
    }

    /// Requests the identity document that the token response named.
    ///
    /// The server chose the URL, so the token is sent only if the URL is on the login host, on the credential's
    /// instance, or on a host that the instance policy allows.
    ///
    /// - Throws: ``OAuthError``: `.foreignHost` for any other URL, `.invalidRequest` if the credential has no URL,
    ///   `.invalidToken` if the server rejects the token.
    public func identity(
        of credential: Credential, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthClient.UserIdentity {
        guard let address = credential.identityURL else {
            throw OAuthError(
                .invalidRequest, "the server returned no identity URL at this login; log in with the scope id")
        }
        guard let url = try? HTTPURL(parsing: address), url.isTrustworthy,
            url.origin == credential.instance || instancePolicy.believes(url.origin, login: login)
        else {
            throw OAuthError(.foreignHost, "the identity URL is on another host; the token was not sent there")
        }
        return try await identity(at: url, credential, deadline)
    }

    /// The user of a credential whose response named none, from the introspection or the user info endpoint, or `nil`.
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
        at url: HTTPURL, _ credential: Credential, _ deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthClient.UserIdentity {
        let request = HTTPRequest(
            url: url, fields: ["Authorization": credential.authorization, "Accept": "application/json"])
        let response = try await send(request, provedBy: credential.dpopKey, until: deadline)
        let secrets = SentSecrets([credential.accessToken])
        guard response.head.status != 401, response.head.status != 403 else {
            throw BearerChallenge.rejection(of: response, to: secrets)
        }
        return OAuthClient.UserIdentity(try OAuthResponse(response, from: url.path, to: secrets).members(), for: self)
    }
}

extension OAuthClient {
    /// The reason for a revocation, sent as the form field `revoke_reason`, with the values of Salesforce's own SDKs.
    ///
    /// It is used for the server's statistics only. A server that does not know the field ignores it (RFC 6749 §3.2).
    public struct RevocationReason: RawRepresentable, Sendable, Hashable {
        /// The string that is sent.
        public let rawValue: String

        /// Creates a custom reason.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user logged out.
        public static let userLogout = Self(rawValue: "user_logout")
        /// The refresh token has expired.
        public static let refreshTokenExpired = Self(rawValue: "refresh_token_expired")
        /// A newer refresh token replaced this one.
        public static let refreshTokenRotated = Self(rawValue: "refresh_token_rotated")
        /// The app's stored login is damaged.
        public static let corruptState = Self(rawValue: "corrupt_state")
        /// The server sent a response that the app cannot use.
        public static let unexpectedResponse = Self(rawValue: "unexpected_response")
        /// The user was inactive for too long.
        public static let timeout = Self(rawValue: "timeout")
        /// Another unexpected reason.
        public static let unexpected = Self(rawValue: "unexpected")
    }
}

extension OAuthClient {
    /// The kind of a token (RFC 7009 §2.1).
    public enum TokenKind: String, Sendable, Hashable {
        /// An access token, which authorizes API calls.
        case access = "access_token"
        /// A refresh token, which renews access tokens.
        case refresh = "refresh_token"
    }
}

extension OAuthClient {
    /// Revokes a token (RFC 7009).
    ///
    /// Revoking a refresh token ends the whole login.
    ///
    /// If the server does not know the token, it counts as revoked.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - kind: the kind of the token, as a hint for the server.
    ///   - reason: the reason, for the server's statistics.
    ///   - deadline: the time at which the request fails with `.timedOut`.
    /// - Throws: ``OAuthError`` with `.revocationPending` if the server is temporarily unavailable, `.unreachable` or
    ///   `.timedOut` if no response arrived. In these three cases the token may still be valid, so try again later.
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
        let reply = try await post(
            form, with: secret, to: endpoint, by: server.revocationAuthentication, until: deadline)
        if reply.response.head.isSuccess { return }
        if let failure = reply.unavailable {
            throw OAuthError(
                .revocationPending, "\(failure.message); the token may still be valid",
                retryAfter: failure.retryAfter)
        }
        do {
            _ = try reply.members()
        } catch  where error.code == .invalidToken {
            return
        }
    }
}

extension OAuthClient {
    /// The status of a token (RFC 7662 §2.2).
    public struct TokenStatus: Sendable, Hashable {
        /// Whether the token is valid now.
        ///
        /// All other properties of an invalid token are empty.
        public let isActive: Bool
        /// The scopes of the token.
        public let scopes: [String]
        /// The id of the client to which the token was issued.
        public let clientID: String?
        /// The user's login name.
        public let username: String?
        /// The id of the user or client at the server.
        public let subject: String?
        /// The token type, as the server calls it.
        public let tokenType: String?
        /// The time of expiry, in seconds since 1970.
        public let expiresAt: Int64?
        /// The time of issue, in seconds since 1970.
        public let issuedAt: Int64?
        /// The time before which the token is not valid, in seconds since 1970.
        public let notBefore: Int64?

        init(_ members: OAuthMembers) throws(OAuthError) {
            guard let active = members["active"]?.bool else {
                throw OAuthError(
                    .invalidResponse, "the introspection endpoint did not report whether the token is active")
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
    /// Requests the status of a token (RFC 7662).
    ///
    /// - Parameters:
    ///   - token: the token, of either kind.
    ///   - kind: the kind of the token, as a hint for the server.
    ///   - deadline: the time at which the request fails with `.timedOut`.
    /// - Returns: the status. An invalid token is a status, not an error.
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
        let reply = try await post(
            form, with: secret, to: endpoint, by: server.introspectionAuthentication, until: deadline)
        return try OAuthClient.TokenStatus(try reply.members())
    }
}

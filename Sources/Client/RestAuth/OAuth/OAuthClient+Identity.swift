// SPDX-License-Identifier: Apache-2.0

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

        /// Reads the claims of OpenID Connect (Core §5.1) or the platform's identity document; both have other names.
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
    /// Asks whose an access token is (OpenID Connect Core §5.3).
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

    /// Asks whose the account's tokens are; one that the server refuses is renewed, once.
    ///
    /// - Throws: ``OAuthError``.
    public func userInfo(
        of tokens: TokenManager, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthClient.UserIdentity {
        try await renewing(tokens, deadline) { (credential) async throws(OAuthError) in
            try await userInfo(of: credential, deadline: deadline)
        }
    }

    /// Reads the identity document that the token response named; a token that the server refuses is renewed, once.
    ///
    /// - Throws: ``OAuthError``, the same as of one credential.
    public func identity(
        of tokens: TokenManager, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> OAuthClient.UserIdentity {
        try await renewing(tokens, deadline) { (credential) async throws(OAuthError) in
            try await identity(of: credential, deadline: deadline)
        }
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

    private func renewing(
        _ tokens: TokenManager, _ deadline: ContinuousClock.Instant,
        _ ask: (Credential) async throws(OAuthError) -> OAuthClient.UserIdentity
    ) async throws(OAuthError) -> OAuthClient.UserIdentity {
        let issued = try await tokens.credential(deadline: deadline)
        do throws(OAuthError) {
            return try await ask(issued.credential)
        } catch  where error.code == .invalidToken {
            let renewed = try await tokens.credential(rejecting: issued.generation, deadline: deadline)
            return try await ask(renewed.credential)
        }
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

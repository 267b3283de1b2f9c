// SPDX-License-Identifier: Apache-2.0

extension Credential {
    /// A way to log in that needs nobody: it gives a credential, as often as it is asked.
    ///
    /// Most are forms for the token endpoint, which is what ``OAuthGrant`` is for. One of your own can ask anything that
    /// gives tokens.
    public protocol Grant: Sendable {
        /// Logs in.
        ///
        /// - Parameters:
        ///   - client: the authorization server, and who asks it.
        ///   - previous: the credential being renewed; what it knows is kept where the server says nothing else.
        ///   - deadline: when to give up.
        /// - Returns: the credential; ``Credential/login`` is set by those who keep it.
        /// - Throws: ``OAuthError``.
        func credential(
            from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
        ) async throws(OAuthError) -> Credential

        /// Whether a ``TokenManager`` asks the grant again after the server refused it.
        ///
        /// If so, the first question that comes a minute or more after the refusal asks it again. After each further
        /// refusal the pause is twice as long, up to an hour. ``TokenManager/refreshNow(deadline:)`` asks at once. This
        /// is for programs that no user watches: the reason for a refusal, such as a wrong clock or a locked user, may
        /// pass. By default it is `false`, because a server may lock a user after several wrong passwords.
        var isAskedAgain: Bool { get }
    }
}

extension Credential.Grant {
    /// `false`: a refusal ends the login until a user, or the app, logs in again.
    public var isAskedAgain: Bool { false }
}

extension OAuthGrant {
    /// Exchanges the form fields at the token endpoint (RFC 6749 §4).
    public func credential(
        from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        try await client.exchange(parameters, renewing: previous, deadline: deadline)
    }
}

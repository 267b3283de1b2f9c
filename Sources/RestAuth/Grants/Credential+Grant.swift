// SPDX-License-Identifier: Apache-2.0

extension Credential {
    /// A way to log in that needs nobody: it gives a credential, as often as it is asked.
    ///
    /// Most are forms for the token endpoint, which is what ``OAuthGrant`` is for; ``PasswordGrant/SOAP`` asks another
    /// API. One of your own can ask anything that gives tokens.
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
    }
}

extension OAuthGrant {
    /// Exchanges the form fields at the token endpoint (RFC 6749 §4).
    public func credential(
        from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        try await client.exchange(parameters, renewing: previous, deadline: deadline)
    }
}

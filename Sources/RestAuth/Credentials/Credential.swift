// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// What a login gave: an access token, where to use it, and how to renew it.
public struct Credential: Sendable, Hashable {
    /// The bearer token of API requests (RFC 6750).
    public var accessToken: Secret
    /// The token that renews the access token, when the grant gave one.
    public var refreshToken: Secret?
    /// The only origin that the access token is sent to.
    public var instance: Origin
    /// The identity URL (`…/id/ORG/USER`), when the server named one.
    public var identityURL: String?
    /// When the server issued the access token, in milliseconds since 1970.
    public var issuedAtMilliseconds: Int64?
    /// How long the access token was good when it was given, when the server said so; counted from the moment this
    /// process got to know it, since clocks of servers and users are set.
    public var lifetime: Duration?
    /// The scopes that were granted; empty when the server did not say.
    public var scopes: [String]
    /// Where and as what the login was made; `nil` when the app knows that by itself.
    public var login: Credential.Login?
    /// A name of the login, made of its first tokens, which its renewals keep: what tells it from another login under
    /// the same key where the server names no user.
    package var mark: String?

    /// Makes a credential.
    public init(
        accessToken: Secret, refreshToken: Secret? = nil, instance: Origin, identityURL: String? = nil,
        issuedAtMilliseconds: Int64? = nil, lifetime: Duration? = nil, scopes: [String] = [],
        login: Credential.Login? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.instance = instance
        self.identityURL = identityURL
        self.issuedAtMilliseconds = issuedAtMilliseconds
        self.lifetime = lifetime
        self.scopes = scopes
        self.login = login
    }
}

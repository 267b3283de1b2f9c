// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText
public import RestTransport

/// A statement signed with the client's private key gives an access token in a user's name (RFC 7523), for programs
/// that nobody watches.
///
/// A new statement is signed for every request. There is no refresh token; the grant itself renews.
public struct JWTBearerGrant: OAuthGrant {
    /// The client's id: the `iss` of the statement.
    public let clientID: String
    /// The user's login name: the `sub` of the statement.
    public let username: String
    /// Whom the statement is for: its `aud`.
    public let audience: String
    /// How long the statement is good, at most ``maximumLifetime``: its `exp`.
    public let lifetime: Duration
    /// What the token is to be good for; empty asks for what the client is registered for.
    public let scopes: [String]
    private let key: JWTBearerGrant.PrivateKey
    private let clock: WallClock

    /// The platform takes no statement that is good for longer.
    public static let maximumLifetime = Duration.seconds(180)

    /// Makes the grant.
    ///
    /// - Parameters:
    ///   - clientID: the client's id.
    ///   - username: the user's login name.
    ///   - key: the key whose certificate is registered with the client.
    ///   - login: the authorization server; the audience comes from it unless one is given.
    ///   - audience: the audience for a server whose own differs, such as an experience site.
    ///   - lifetime: how long each statement is good; more than ``maximumLifetime`` is cut to it, less than a second
    ///     is a second.
    ///   - scopes: what the token is to be good for; empty asks for what the client is registered for.
    public init(
        clientID: String, username: String, key: JWTBearerGrant.PrivateKey, login: Origin, audience: String? = nil,
        lifetime: Duration = .seconds(120), scopes: [String] = []
    ) {
        self.init(
            clientID: clientID, username: username, key: key, audience: audience ?? Self.audience(of: login),
            lifetime: lifetime, scopes: scopes, clock: .system)
    }

    /// Makes the grant for a server that says by itself what it is called, which is the audience (RFC 7523 §3).
    ///
    /// - Parameters:
    ///   - clientID: the client's id.
    ///   - username: the user's login name.
    ///   - key: the key whose certificate is registered with the client.
    ///   - server: the authorization server; the platform's login servers get the audience that they expect.
    ///   - lifetime: as in the other initializer.
    ///   - scopes: as there.
    public init(
        clientID: String, username: String, key: JWTBearerGrant.PrivateKey, server: AuthorizationServer,
        lifetime: Duration = .seconds(120), scopes: [String] = []
    ) {
        let isNamedByOrigin = server.issuer == server.origin.description
        self.init(
            clientID: clientID, username: username, key: key, login: server.origin,
            audience: isNamedByOrigin ? nil : server.issuer, lifetime: lifetime, scopes: scopes)
    }

    package init(
        clientID: String, username: String, key: JWTBearerGrant.PrivateKey, audience: String, lifetime: Duration,
        scopes: [String] = [], clock: WallClock
    ) {
        self.clientID = clientID
        self.username = username
        self.key = key
        self.audience = audience
        self.lifetime = min(max(lifetime, .seconds(1)), Self.maximumLifetime)
        self.scopes = scopes
        self.clock = clock
    }

    /// The form fields of this grant.
    ///
    /// - Throws: ``OAuthError`` with `.unusableKey` when the key does not sign.
    public var parameters: [(name: String, value: Secret)] {
        get throws(OAuthError) {
            [
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                ("assertion", Secret(try assertion())),
            ] + Scopes.field(scopes)
        }
    }

    /// `true`: the grant is made for programs that no user watches.
    public var isAskedAgain: Bool { true }

    /// The signed statement (RFC 7515 §7.1).
    private func assertion() throws(OAuthError) -> String {
        let header: JSONValue = ["alg": "RS256", "typ": "JWT"]
        let claims: JSONValue = [
            "iss": JSONValue(clientID), "sub": JSONValue(username), "aud": JSONValue(audience),
            "exp": JSONValue(clock.seconds + lifetime.components.seconds),
            // Two statements of one second are two; a server takes none twice (RFC 7523 §3, 7).
            "jti": JSONValue(Base64.encodeForURL(try RandomSource.system.bytes(16))),
        ]
        let statement = "\(Base64.encodeForURL(header.bytes())).\(Base64.encodeForURL(claims.bytes()))"
        return "\(statement).\(Base64.encodeForURL(try key.signature(of: Array(statement.utf8))))"
    }

    /// The audience that the server at an origin expects.
    ///
    /// Every org of the platform expects the login host of its kind, also at its My Domain: sandboxes and scratch orgs
    /// the one for tests, all others the production one. Any other server expects its own origin.
    static func audience(of login: Origin) -> String {
        let (production, test) = ("https://login.salesforce.com", "https://test.salesforce.com")
        guard login.scheme == .https, login.host.hasBytes(suffix: ".salesforce.com") else { return login.description }
        switch login.description {
        case production, test: return login.description
        default:
            guard login.host.hasBytes(suffix: ".my.salesforce.com") else { return login.description }
            let kinds = [".sandbox.my.salesforce.com", ".scratch.my.salesforce.com"]
            let isTest =
                kinds.contains { login.host.hasBytes(suffix: $0) } || login.host.prefix(before: ".").hasBytes("--")
            return isTest ? test : production
        }
    }
}

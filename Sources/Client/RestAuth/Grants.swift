// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
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

    /// Makes the grant for a server that says by itself what it is called, which is the audience (RFC 7523 3).
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

    /// The signed statement (RFC 7515 7.1).
    private func assertion() throws(OAuthError) -> String {
        let header: JSONValue = ["alg": "RS256", "typ": "JWT"]
        let claims: JSONValue = [
            "iss": JSONValue(clientID), "sub": JSONValue(username), "aud": JSONValue(audience),
            "exp": JSONValue(clock.seconds + lifetime.components.seconds),
            // Two statements of one second are two; a server takes none twice (RFC 7523 3, 7).
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

/// A way to get tokens from the token endpoint (RFC 6749 1.3): the form fields beside the client's own.
///
/// The grants of this library are values of this kind, and so can be your own, such as a token exchange (RFC 8693).
public protocol OAuthGrant: Credential.Grant {
    /// The form fields of the token request, `grant_type` among them, in order.
    ///
    /// Asked for anew with every request, so that a grant can sign what must be fresh.
    ///
    /// - Throws: ``OAuthError`` when they cannot be made; nothing is sent then.
    var parameters: [(name: String, value: Secret)] { get throws(OAuthError) }
}

/// The client acts for itself (RFC 6749 4.4).
public struct ClientCredentialsGrant: OAuthGrant {
    /// What the token is to be good for; empty asks for what the client is registered for.
    public let scopes: [String]

    /// Makes the grant; the client's id and secret are all it needs.
    public init(scopes: [String] = []) {
        self.scopes = scopes
    }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [("grant_type", "client_credentials")] + Scopes.field(scopes)
    }

    /// `true`: the grant is made for programs that no user watches.
    public var isAskedAgain: Bool { true }
}

/// The user's name and password go to the server (RFC 6749 4.3).
///
/// Legacy: RFC 9700 2.4 forbids it for new systems. Use it only where nothing else is offered.
public struct PasswordGrant: OAuthGrant {
    /// The user's login name.
    public let username: String
    /// The password, followed by the security token where the org asks for one.
    public let password: Secret
    /// What the token is to be good for; empty asks for what the client is registered for.
    public let scopes: [String]

    /// Makes the grant.
    public init(username: String, password: Secret, scopes: [String] = []) {
        self.username = username
        self.password = password
        self.scopes = scopes
    }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [("grant_type", "password"), ("username", Secret(username)), ("password", password)] + Scopes.field(scopes)
    }
}

/// A refresh token gives a new access token, and under rotation a new refresh token too (RFC 6749 6).
public struct RefreshTokenGrant: OAuthGrant {
    /// The token to spend.
    public let refreshToken: Secret
    /// What the new token is to be good for, at most what the login was granted; empty asks for the same.
    public let scopes: [String]

    /// Makes the grant.
    public init(refreshToken: Secret, scopes: [String] = []) {
        self.refreshToken = refreshToken
        self.scopes = scopes
    }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [("grant_type", "refresh_token"), ("refresh_token", refreshToken)] + Scopes.field(scopes)
    }
}

/// The `scope` of a token request (RFC 6749 3.3).
enum Scopes {
    /// The form field; none for no scopes, since some servers take an empty one for a wrong one.
    static func field(_ scopes: [String]) -> [(name: String, value: Secret)] {
        scopes.isEmpty ? [] : [("scope", Secret(scopes.joined(separator: " ")))]
    }
}

/// The code that the browser brought back gives the first tokens (RFC 6749 4.1.3, RFC 7636 4.5).
///
/// ``OAuthClient/finishLogin(_:redirectURL:deadline:)`` makes and spends it after checking the redirect.
package struct AuthorizationCodeGrant: OAuthGrant {
    /// The code; good once and for minutes.
    package let code: Secret
    /// The redirect URI of the authorization request, unchanged.
    package let redirectURI: String
    /// The verifier whose challenge the authorization request carried.
    package let verifier: PendingLogin.CodeVerifier

    /// Makes the grant.
    package init(code: Secret, redirectURI: String, verifier: PendingLogin.CodeVerifier) {
        self.code = code
        self.redirectURI = redirectURI
        self.verifier = verifier
    }

    /// The form fields of this grant.
    package var parameters: [(name: String, value: Secret)] {
        [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Secret(redirectURI)),
            ("code_verifier", verifier.secret),
        ]
    }
}

/// The code of a device login gives tokens once the user has agreed elsewhere (RFC 8628 3.4).
struct DeviceCodeGrant: OAuthGrant {
    let deviceCode: Secret
    /// Whether to speak the platform's older form.
    let isPlatform: Bool

    var parameters: [(name: String, value: Secret)] {
        guard isPlatform else {
            return [
                ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode),
            ]
        }
        return [("grant_type", "device"), ("code", deviceCode)]
    }
}

extension Credential {
    /// A way to log in that needs nobody: it gives a credential, as often as it is asked.
    ///
    /// Most are forms for the token endpoint, which is what ``OAuthGrant`` is for. One of your own can ask anything
    /// that gives tokens.
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
    /// Exchanges the form fields at the token endpoint (RFC 6749 4).
    public func credential(
        from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        try await client.exchange(parameters, renewing: previous, deadline: deadline)
    }
}

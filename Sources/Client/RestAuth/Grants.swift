// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestTransport

/// A grant for unattended programs: a JWT signed with the client's private key returns a user's access token (RFC
/// 7523).
///
/// A new JWT is signed for every request. There is no refresh token. The grant itself renews the login.
public struct JWTBearerGrant: OAuthGrant {
    /// The client's id: the `iss` of the JWT.
    public let clientID: String
    /// The user's login name: the `sub` of the JWT.
    public let username: String
    /// The audience: the `aud` of the JWT.
    public let audience: String
    /// The lifetime of each JWT, at most ``maximumLifetime``, which determines its `exp`.
    public let lifetime: Duration
    /// The scopes to request, or empty for those registered for the client.
    public let scopes: [String]
    private let key: JWTBearerGrant.PrivateKey
    private let clock: WallClock

    /// The maximum lifetime of a JWT that Salesforce accepts.
    public static let maximumLifetime = Duration.seconds(180)

    /// Creates the grant.
    ///
    /// - Parameters:
    ///   - clientID: the client's id.
    ///   - username: the user's login name.
    ///   - key: the private key whose certificate is registered with the client.
    ///   - login: the authorization server, which determines the default audience.
    ///   - audience: the audience, if it differs from the server's, as for an experience site.
    ///   - lifetime: the lifetime of each JWT, from one second to ``maximumLifetime``. Other values are clamped.
    ///   - scopes: the scopes to request. If empty, the server grants those registered for the client.
    public init(
        clientID: String, username: String, key: JWTBearerGrant.PrivateKey, login: Origin, audience: String? = nil,
        lifetime: Duration = .seconds(120), scopes: [String] = []
    ) {
        self.init(
            clientID: clientID, username: username, key: key, audience: audience ?? Self.audience(of: login),
            lifetime: lifetime, scopes: scopes, clock: .system)
    }

    /// Creates the grant for a server whose issuer identifier is the audience (RFC 7523 §3).
    ///
    /// - Parameters:
    ///   - clientID: the client's id.
    ///   - username: the user's login name.
    ///   - key: the private key whose certificate is registered with the client.
    ///   - server: the authorization server. Salesforce's login servers get the audience that they expect.
    ///   - lifetime: the lifetime of each JWT, as in the other initializer.
    ///   - scopes: the scopes to request.
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
    /// - Throws: ``OAuthError`` with `.unusableKey` if the key cannot sign.
    public var parameters: [(name: String, value: Secret)] {
        get throws(OAuthError) {
            [
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                ("assertion", Secret(try assertion())),
            ] + Scopes.field(scopes)
        }
    }

    /// `true`, because the grant is intended for unattended programs.
    public var isAskedAgain: Bool { true }

    /// The signed JWT (RFC 7515 §7.1).
    private func assertion() throws(OAuthError) -> String {
        let header: JSONValue = ["alg": "RS256", "typ": "JWT"]
        let claims: JSONValue = [
            "iss": JSONValue(clientID), "sub": JSONValue(username), "aud": JSONValue(audience),
            "exp": JSONValue(clock.seconds + lifetime.components.seconds),
            // Unique, because a server rejects a JWT that it has already received (RFC 7523 §3, 7).
            "jti": JSONValue(Base64.encodeForURL(try RandomSource.system.bytes(16))),
        ]
        let statement = "\(Base64.encodeForURL(header.bytes())).\(Base64.encodeForURL(claims.bytes()))"
        return "\(statement).\(Base64.encodeForURL(try key.signature(of: Array(statement.utf8))))"
    }

    /// The audience that the server at an origin expects.
    ///
    /// Every Salesforce org, even at its My Domain, expects the login host of its kind: the test host for sandboxes and
    /// scratch orgs, otherwise the production host. Any other server expects its own origin.
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

/// A grant that is exchanged at the token endpoint (RFC 6749 §1.3), defined by its form fields.
///
/// The grants of this library conform to this protocol. You can add others, such as a SAML assertion (RFC 7522).
public protocol OAuthGrant: Credential.Grant {
    /// The form fields of the token request, including `grant_type`, in order.
    ///
    /// They are requested for every token request, so that a grant can sign a new value.
    ///
    /// - Throws: ``OAuthError`` if they cannot be created. Nothing is sent.
    var parameters: [(name: String, value: Secret)] { get throws(OAuthError) }
}

/// A grant for a client that acts for itself (RFC 6749 §4.4).
public struct ClientCredentialsGrant: OAuthGrant {
    /// The scopes to request, or empty for those registered for the client.
    public let scopes: [String]

    /// Creates the grant, which requires only the client's id and secret.
    public init(scopes: [String] = []) { self.scopes = scopes }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [("grant_type", "client_credentials")] + Scopes.field(scopes)
    }

    /// `true`, because the grant is intended for unattended programs.
    public var isAskedAgain: Bool { true }
}

/// A grant that sends the user's name and password to the server (RFC 6749 §4.3).
///
/// - Warning: Salesforce is switching this grant off. It is blocked by default in new orgs, and External Client Apps
///   cannot use it. RFC 9700 §2.4 forbids it. Use ``JWTBearerGrant`` or ``ClientCredentialsGrant`` for programs, and a
///   browser or a device code for users.
public struct PasswordGrant: OAuthGrant {
    /// The user's login name.
    public let username: String
    /// The password, followed by the security token if the org requires one.
    public let password: Secret
    /// The scopes to request, or empty for those registered for the client.
    public let scopes: [String]

    /// Creates the grant.
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

/// A grant that exchanges a refresh token for a new access token, and perhaps a new refresh token (RFC 6749 §6).
public struct RefreshTokenGrant: OAuthGrant {
    /// The refresh token to spend.
    public let refreshToken: Secret
    /// The scopes to request, at most those of the login, or empty for the same scopes.
    public let scopes: [String]

    /// Creates the grant.
    public init(refreshToken: Secret, scopes: [String] = []) {
        self.refreshToken = refreshToken
        self.scopes = scopes
    }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [("grant_type", "refresh_token"), ("refresh_token", refreshToken)] + Scopes.field(scopes)
    }

    /// Exchanges the refresh token, for tokens that are bound to the key of `previous` if it has one.
    public func credential(
        from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        try await client.exchange(parameters, renewing: previous, boundTo: nil, deadline: deadline)
    }
}

enum Scopes {
    /// The form field, or no field without scopes, because some servers reject an empty one.
    static func field(_ scopes: [String]) -> [(name: String, value: Secret)] {
        scopes.isEmpty ? [] : [("scope", Secret(scopes.joined(separator: " ")))]
    }
}

/// A grant that exchanges an authorization code for the first tokens (RFC 6749 §4.1.3, RFC 7636 §4.5).
///
/// ``OAuthClient/finishLogin(_:redirectURL:deadline:)`` creates it after checking the redirect.
package struct AuthorizationCodeGrant: OAuthGrant {
    /// The authorization code, which can be used only once and expires after some minutes.
    package let code: Secret
    package let redirectURI: String
    package let verifier: PendingLogin.CodeVerifier
    /// The key that the code is bound to, or `nil` if it is not bound.
    let dpopKey: Credential.DPoPKey?

    package init(
        code: Secret, redirectURI: String, verifier: PendingLogin.CodeVerifier, dpopKey: Credential.DPoPKey? = nil
    ) {
        self.code = code
        self.redirectURI = redirectURI
        self.verifier = verifier
        self.dpopKey = dpopKey
    }

    package func credential(
        from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        try await client.exchange(parameters, renewing: previous, boundTo: dpopKey, deadline: deadline)
    }

    package var parameters: [(name: String, value: Secret)] {
        [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Secret(redirectURI)),
            ("code_verifier", verifier.secret),
        ]
    }
}

/// A grant that exchanges the device code for tokens after the user has confirmed the login (RFC 8628 §3.4).
struct DeviceCodeGrant: OAuthGrant {
    let deviceCode: Secret
    /// Whether to use Salesforce's older form.
    let isPlatform: Bool
    /// The key of the login, the same for each poll.
    var dpopKey: Credential.DPoPKey?

    func credential(
        from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        try await client.exchange(parameters, renewing: previous, boundTo: dpopKey, deadline: deadline)
    }

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
    /// A login that requires no user and returns a new credential whenever it is called.
    ///
    /// Most grants are forms for the token endpoint, for which there is ``OAuthGrant``. A custom grant can get tokens
    /// from any source.
    public protocol Grant: Sendable {
        /// Logs in.
        ///
        /// - Parameters:
        ///   - client: the client of the authorization server.
        ///   - previous: the credential to renew. Its values are retained unless the server sends others.
        ///   - deadline: the time at which to fail with `.timedOut`.
        /// - Returns: the credential. Its ``Credential/login`` is set by the code that stores it.
        /// - Throws: ``OAuthError``.
        func credential(
            from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
        ) async throws(OAuthError) -> Credential

        /// Whether a ``TokenManager`` tries the grant again after the server rejected it.
        ///
        /// If so, the first request for a token that comes at least a minute after the error tries it again. After each
        /// further error the pause doubles, up to an hour. ``TokenManager/refreshNow(deadline:)`` tries at once. This
        /// is for unattended programs, because the cause, such as a wrong clock or a locked user, can be temporary. The
        /// default is `false`, because a server may lock a user after several wrong passwords.
        var isAskedAgain: Bool { get }
    }
}

extension Credential.Grant {
    /// `false`, because an error response ends the login until the user, or the app, logs in again.
    public var isAskedAgain: Bool { false }
}

extension OAuthGrant {
    /// Exchanges the form fields at the token endpoint (RFC 6749 §4).
    public func credential(
        from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        let key = previous?.dpopKey == nil ? try client.makeKey() : nil
        return try await client.exchange(parameters, renewing: previous, boundTo: key, deadline: deadline)
    }
}

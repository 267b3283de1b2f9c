// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Where an authorization server's endpoints are.
///
/// The platform's are at fixed paths; other servers say where theirs are (``discovered(at:transport:deadline:)``), or
/// you do.
public struct AuthorizationServer: Sendable, Hashable {
    /// Where a device login begins, and in which words.
    public enum DeviceEndpoint: Sendable, Hashable {
        /// An endpoint of its own, by RFC 8628.
        case standard(HTTPURL)
        /// The platform's older form, at the token endpoint.
        case platform(HTTPURL)
    }

    /// How a server is told to end a login.
    public enum RevocationStyle: String, Sendable, Hashable {
        /// The revocation endpoint takes a form with a token (RFC 7009).
        case form
        /// The revocation endpoint ends the login of the access token that a request carries, and takes no form: the
        /// token is the proof, and client and secret are not asked for.
        case bearer
    }

    /// The server's name for itself (RFC 8414 §2), exactly as it writes it.
    public let issuer: String
    /// The server's origin.
    public let origin: Origin
    /// The page where the user logs in.
    public var authorizationEndpoint: HTTPURL
    /// Where grants are exchanged for tokens.
    public var tokenEndpoint: HTTPURL
    /// Where tokens are revoked (RFC 7009).
    public var revocationEndpoint: HTTPURL?
    /// Where one can ask what a token is good for (RFC 7662).
    public var introspectionEndpoint: HTTPURL?
    /// Where one can ask whose an access token is; `nil` for a path on the token's own instance.
    public var userInfoEndpoint: HTTPURL?
    /// Where a device login begins.
    public var deviceEndpoint: DeviceEndpoint?
    /// Whether every redirect of the server names it (RFC 9207), so that one that does not is refused.
    public var announcesIssuer = false
    /// How a client with a secret authenticates at the token endpoint, and where a device login begins.
    ///
    /// The server's metadata decides; set it for a server whose metadata are wrong or missing.
    public var clientAuthentication = OAuthClient.Authentication.post
    /// How it authenticates at the revocation endpoint; `nil` the same as at the token endpoint.
    public var revocationAuthentication: OAuthClient.Authentication?
    /// How it authenticates at the introspection endpoint; `nil` the same as at the token endpoint.
    public var introspectionAuthentication: OAuthClient.Authentication?
    /// How the server is told to end a login.
    public var revocationStyle = RevocationStyle.form
    /// What every form to the token endpoint carries beside the grant and the client, such as the language of its
    /// texts.
    public var tokenParameters: [String: String] = [:]
    /// Whether a token answer that names no user, but a `team_id`, is the login of that team.
    ///
    /// Of another server it may name the team of users that the answer leaves out.
    public var namesTeams = false
    /// Whether a `signature` in a token answer is the platform's, made with the client's secret, so that a wrong one is
    /// refused.
    ///
    /// Other servers may mean something else by it. It is looked at only in an answer with `id` and `issued_at`.
    public var signsTokens = false

    /// The platform's server at `login`, with its fixed paths.
    public init(login: Origin) {
        let tokenEndpoint = HTTPURL(origin: login, path: "/services/oauth2/token")
        self.init(
            issuer: login.description, origin: login,
            authorizationEndpoint: HTTPURL(origin: login, path: "/services/oauth2/authorize"),
            tokenEndpoint: tokenEndpoint)
        revocationEndpoint = HTTPURL(origin: login, path: "/services/oauth2/revoke")
        introspectionEndpoint = HTTPURL(origin: login, path: "/services/oauth2/introspect")
        deviceEndpoint = .platform(tokenEndpoint)
        signsTokens = true
    }

    /// A server that has these endpoints; set the others where it has them.
    ///
    /// - Parameters:
    ///   - issuer: its name for itself, usually its origin as text.
    ///   - origin: its origin.
    ///   - authorizationEndpoint: the page where the user logs in.
    ///   - tokenEndpoint: where grants are exchanged for tokens.
    public init(issuer: String, origin: Origin, authorizationEndpoint: HTTPURL, tokenEndpoint: HTTPURL) {
        self.issuer = issuer
        self.origin = origin
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
    }
}

extension HTTPURL {
    /// Whether tokens may travel to it and browsers be sent to it: https, or http to a literal loopback address.
    var isTrustworthy: Bool { origin.scheme == .https || origin.isLoopback }
}

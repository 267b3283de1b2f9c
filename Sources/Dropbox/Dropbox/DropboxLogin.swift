// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
public import RestAuth
public import RestSDK
public import RestTransport
import StoneRuntime

/// The login of users and teams at Dropbox, with PKCE and without a secret in the app.
///
/// ```swift
/// let login = try DropboxLogin(app: app, transport: PlatformTransport.shared)
/// let credential = try await login.run(with: LoopbackPresenter(), deadline: .now + .seconds(300))
/// let account = try await accounts.add(credential, makesCurrent: true)
/// let box = try DropboxClient(account: account.id, of: accounts, app: app)
/// ```
public struct DropboxLogin: Sendable {
    /// The OAuth client of the app for Dropbox's authorization server.
    public let client: OAuthClient
    private let locale: String?

    /// Creates a login.
    ///
    /// - Parameters:
    ///   - app: the app with its key.
    ///   - transport: the transport that sends the requests.
    /// - Throws: `OAuthError` with `.invalidRequest` for an app without a key.
    public init(app: DropboxApp, transport: any HTTPTransport) throws(OAuthError) {
        guard let key = app.key, !key.isEmpty else {
            throw OAuthError(.invalidRequest, "the app has no key; set DropboxApp.key")
        }
        client = OAuthClient(
            server: .dropbox(app.hosts, locale: app.locale), clientID: key, clientSecret: app.secret,
            transport: transport)
        locale = app.locale
    }

    /// Logs a user in with a browser.
    ///
    /// - Parameters:
    ///   - presenter: shows the login page and waits for the redirect.
    ///   - options: the options of the login.
    ///   - deadline: the time at which the login fails. Allow the user some minutes.
    /// - Returns: the credential, for `AccountManager.add`.
    /// - Throws: `OAuthError`, with `.userDenied` if the user denied access.
    public func run(
        with presenter: some LoginPresenter, _ options: LoginOptions = LoginOptions(),
        deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        kept(
            try await client.login(
                with: presenter, scopes: options.scopes, parameters: options.parameters(locale: locale),
                deadline: deadline))
    }

    /// Begins a login.
    ///
    /// Open the login's `url` in a browser, and finish the login with the URL of the redirect.
    ///
    /// - Parameters:
    ///   - redirectURI: the redirect URI that is registered for the app.
    ///   - options: the options of the login.
    /// - Returns: the pending login.
    /// - Throws: `OAuthError`.
    public func begin(
        redirectURI: String, _ options: LoginOptions = LoginOptions()
    ) throws(OAuthError) -> PendingLogin {
        try client.beginLogin(
            redirectURI: redirectURI, scopes: options.scopes, parameters: options.parameters(locale: locale))
    }

    /// Finishes a login, also one that an earlier process began.
    ///
    /// - Parameters:
    ///   - pending: the login.
    ///   - redirectURL: the complete URL of the redirect.
    ///   - deadline: the time at which the login fails.
    /// - Returns: the credential, for `AccountManager.add`.
    /// - Throws: `OAuthError`.
    public func finish(
        _ pending: PendingLogin, redirectURL: String, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        kept(try await client.finishLogin(pending, redirectURL: redirectURL, deadline: deadline))
    }

    /// Returns a copy of the credential with the data that a later process needs to renew and revoke it, but without
    /// the app's secret.
    func kept(_ credential: Credential) -> Credential {
        var kept = credential
        kept.login = Credential.Login(server: client.login, endpoints: client.server, clientID: client.clientID)
        return kept
    }
}

/// The options of a login at Dropbox.
public struct LoginOptions: Sendable, Hashable {
    /// The lifetime of a login.
    public enum Access: String, Sendable, Hashable {
        /// The login has a refresh token, so it can be renewed without the user.
        case offline
        /// The login expires with its access token, after a few hours.
        case online
    }

    /// The earlier logins whose scopes are added to a new login.
    public enum GrantedScopes: String, Sendable, Hashable {
        /// Scopes that the user granted.
        case user
        /// Scopes that the team granted.
        case team
    }

    /// The requested scopes, such as `files.content.read`, or none to request all scopes of the app.
    public var scopes: [String]
    /// Whether the login can be renewed.
    public var access: Access
    /// The earlier logins whose scopes are added, or `nil` for ``scopes`` only.
    public var grantedScopes: GrantedScopes?
    /// Whether the user must type the password even if the browser is logged in.
    public var forcesReauthentication: Bool
    /// Whether the user must approve the app again.
    public var forcesReapproval: Bool
    /// Whether the login page does not offer to create an account.
    public var disablesSignup: Bool

    /// Makes options, by default for a login that can be renewed and has all scopes of the app.
    public init(
        scopes: [String] = [], access: Access = .offline, grantedScopes: GrantedScopes? = nil,
        forcesReauthentication: Bool = false, forcesReapproval: Bool = false, disablesSignup: Bool = false
    ) {
        self.scopes = scopes
        self.access = access
        self.grantedScopes = grantedScopes
        self.forcesReauthentication = forcesReauthentication
        self.forcesReapproval = forcesReapproval
        self.disablesSignup = disablesSignup
    }

    /// The parameters of the login page, in addition to the parameters of OAuth.
    func parameters(locale: String?) -> [(name: String, value: String)] {
        var parameters = [(name: "token_access_type", value: access.rawValue)]
        if let grantedScopes { parameters.append(("include_granted_scopes", grantedScopes.rawValue)) }
        if let locale { parameters.append(("locale", locale)) }
        let flags = [
            ("force_reauthentication", forcesReauthentication), ("force_reapprove", forcesReapproval),
            ("disable_signup", disablesSignup),
        ]
        return parameters + flags.filter(\.1).map { ($0.0, "true") }
    }
}

extension AuthorizationServer {
    /// The authorization server of Dropbox, which ends a login at `auth/token/revoke`.
    ///
    /// - Parameters:
    ///   - hosts: the hosts of Dropbox.
    ///   - locale: the language of the texts. If `nil`, Dropbox chooses.
    /// - Returns: the server.
    public static func dropbox(
        _ hosts: DropboxHosts = DropboxHosts(), locale: String? = nil
    ) -> AuthorizationServer {
        var server = AuthorizationServer(
            issuer: hosts.web.description, origin: hosts.api,
            authorizationEndpoint: HTTPURL(origin: hosts.web, path: "/oauth2/authorize"),
            tokenEndpoint: HTTPURL(origin: hosts.api, path: "/oauth2/token"))
        server.revocationEndpoint = HTTPURL(origin: hosts.api, path: "/2/auth/token/revoke")
        server.revocationStyle = .bearer
        server.namesTeams = true
        if let locale { server.tokenParameters["locale"] = locale }
        return server
    }
}

/// An OAuth 1 token, as apps for version 1 of the Dropbox API stored it.
public struct OAuth1Token: Sendable, Hashable {
    /// The token.
    public let token: Secret
    /// The secret of the token.
    public let secret: Secret
    /// The key of the app that owns the token.
    public let appKey: String

    /// Makes a token from its parts.
    public init(token: Secret, secret: Secret, appKey: String) {
        self.token = token
        self.secret = secret
        self.appKey = appKey
    }
}

extension TokenMigration {
    /// A migration that exchanges OAuth 1 tokens for OAuth 2 tokens, all or nothing.
    ///
    /// A token of another app, or a token that the server rejects, is left out. If the server is temporarily not
    /// available, nothing is changed, and a later run restarts the migration. The old tokens are unchanged.
    ///
    /// - Parameters:
    ///   - tokens: the old tokens by the user's id (`uid`), which becomes the account's key.
    ///   - app: the app with key and secret.
    ///   - target: the store of the new logins.
    ///   - configuration: the configuration of the calls.
    /// - Returns: the migration, to be run once.
    public static func oauth1(
        _ tokens: [String: OAuth1Token], of app: DropboxApp, to target: any CredentialStore,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) -> TokenMigration {
        let client = DropboxAppClient(app: app, configuration: configuration)
        let source = RecordSource(tokens) { (uid, token) async throws(TokenMigration.Failure) in
            guard token.appKey == app.key else {
                throw Failure(account: uid, isTemporary: false, "the token belongs to another app, \(token.appKey)")
            }
            return try await app.credential(uid, exchange(token, of: uid, client))
        }
        return TokenMigration(name: "dropbox-oauth1-\(app.key ?? "")", from: source, to: target)
    }

    private static func exchange(
        _ token: OAuth1Token, of uid: String, _ client: DropboxAppClient
    ) async throws(TokenMigration.Failure) -> Secret {
        let argument = Auth.TokenFromOAuth1Arg(
            oauth1Token: token.token.reveal(), oauth1TokenSecret: token.secret.reveal())
        do throws(CallError<Auth.TokenFromOAuth1Error>) {
            return Secret(try await client.routes.call(Auth.Routes.tokenFromOauth1, argument).value.oauth2Token)
        } catch {
            throw Failure(account: uid, isTemporary: error.isTemporary, error.description)
        }
    }
}

extension CallError {
    /// Whether the server was not reached or not available, so a later call may succeed.
    fileprivate var isTemporary: Bool {
        guard case .rest(let error) = self else { return false }
        switch error.dropbox {
        case .rateLimit, .server: return true
        case .client(let code): return code != .invalidRequest && code != .decoding
        default: return false
        }
    }
}

extension TokenMigration {
    /// A migration of access tokens that were stored as plain text, as earlier Dropbox SDKs did.
    ///
    /// These tokens do not expire and are not renewed.
    ///
    /// - Parameters:
    ///   - tokens: the tokens by the user's id, which becomes the account's key.
    ///   - app: the app that owns the tokens.
    ///   - target: the store of the new logins.
    /// - Returns: the migration, to be run once.
    public static func plainTokens(
        _ tokens: [String: Secret], of app: DropboxApp, to target: any CredentialStore
    ) -> TokenMigration {
        let source = RecordSource(tokens) { uid, token in app.credential(uid, token) }
        return TokenMigration(name: "dropbox-plain-\(app.key ?? "")", from: source, to: target)
    }
}

extension DropboxApp {
    func credential(_ uid: String, _ token: Secret) -> Credential {
        Credential(
            accessToken: token, instance: hosts.api, userID: uid,
            login: Credential.Login(
                server: hosts.api, endpoints: .dropbox(hosts, locale: locale), clientID: key ?? ""))
    }
}

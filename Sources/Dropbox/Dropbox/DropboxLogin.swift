// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
public import RestAuth
public import RestSDK
public import RestTransport
import StoneRuntime

/// Logs in users and teams at Dropbox with PKCE, without a secret in the app.
///
/// ```swift
/// let login = try DropboxLogin(app: app, transport: PlatformTransport.shared)
/// let credential = try await login.run(with: LoopbackPresenter(), deadline: .now + .seconds(300))
/// let account = try await accounts.add(credential, makesCurrent: true)
/// let box = try DropboxClient(account: account.id, of: accounts, app: app)
/// ```
public struct DropboxLogin: Sendable {
    /// The client of Dropbox's authorization server.
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

    /// Logs a user in with a browser, from opening the page to receiving the tokens.
    ///
    /// - Parameters:
    ///   - presenter: shows the login page and waits for the redirect.
    ///   - options: the scopes and other options.
    ///   - deadline: the deadline, which should allow the user several minutes.
    /// - Returns: the credential, which can be passed to `AccountManager.add`.
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

    /// Begins a login, whose `url` you open in a browser.
    ///
    /// Pass the URL of the redirect to ``finish(_:redirectURL:deadline:)``.
    ///
    /// - Parameters:
    ///   - redirectURI: the redirect URI that is registered for the app.
    ///   - options: the scopes and other options.
    /// - Returns: the pending login.
    /// - Throws: `OAuthError`.
    public func begin(
        redirectURI: String, _ options: LoginOptions = LoginOptions()
    ) throws(OAuthError) -> PendingLogin {
        try client.beginLogin(
            redirectURI: redirectURI, scopes: options.scopes, parameters: options.parameters(locale: locale))
    }

    /// Finishes a login, even one that an earlier process began.
    ///
    /// - Parameters:
    ///   - pending: the login.
    ///   - redirectURL: the complete URL of the redirect.
    ///   - deadline: the deadline.
    /// - Returns: the credential, which can be passed to `AccountManager.add`.
    /// - Throws: `OAuthError`.
    public func finish(
        _ pending: PendingLogin, redirectURL: String, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        kept(try await client.finishLogin(pending, redirectURL: redirectURL, deadline: deadline))
    }

    /// Adds everything that renewing and revoking need, except the app's secret.
    func kept(_ credential: Credential) -> Credential {
        var kept = credential
        kept.login = Credential.Login(server: client.login, endpoints: client.server, clientID: client.clientID)
        return kept
    }
}

/// The options of a login at Dropbox.
public struct LoginOptions: Sendable, Hashable {
    /// The lifetime of a login's tokens.
    public enum Access: String, Sendable, Hashable {
        /// The login has a refresh token and can be renewed while the user is away.
        case offline
        /// The login expires with its access token, after a few hours.
        case online
    }

    /// The owner of previously granted scopes that a new login includes.
    public enum GrantedScopes: String, Sendable, Hashable {
        /// The user's granted scopes.
        case user
        /// The team's granted scopes.
        case team
    }

    /// The requested scopes, such as `files.content.read`; empty for all scopes that the app may have.
    public var scopes: [String]
    /// Whether the login can be renewed.
    public var access: Access
    /// The owner of the earlier scopes to include, or `nil` to include only ``scopes``.
    public var grantedScopes: GrantedScopes?
    /// Whether the user must enter the password even if the browser is already logged in.
    public var forcesReauthentication: Bool
    /// Whether the user must approve the app again.
    public var forcesReapproval: Bool
    /// Whether the login page does not offer creating an account.
    public var disablesSignup: Bool

    /// Creates options, by default for a renewable login with all scopes that the app may have.
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
    /// Returns the server of Dropbox: login page, token endpoint, and revocation at `auth/token/revoke`.
    ///
    /// - Parameters:
    ///   - hosts: the Dropbox servers.
    ///   - locale: the language of the pages, or `nil` for Dropbox's choice.
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

/// An OAuth 1 token, as stored by apps of the first version of Dropbox's API.
public struct OAuth1Token: Sendable, Hashable {
    /// The token.
    public let token: Secret
    /// The token's secret.
    public let secret: Secret
    /// The key of the app to which the token was issued.
    public let appKey: String

    /// Creates a token from its parts.
    public init(token: Secret, secret: Secret, appKey: String) {
        self.token = token
        self.secret = secret
        self.appKey = appKey
    }
}

extension TokenMigration {
    /// Exchanges OAuth 1 tokens for OAuth 2 tokens, all or nothing.
    ///
    /// Tokens of another app and tokens that the server rejects can never be exchanged, so the other tokens migrate
    /// without them. If the server cannot be reached or is temporarily unavailable, nothing changes, and a later run
    /// starts from the beginning. The old tokens are not changed.
    ///
    /// - Parameters:
    ///   - tokens: the old tokens by the user's id (`uid`), which becomes the account's key.
    ///   - app: the app with key and secret.
    ///   - target: the store for the logins.
    ///   - configuration: all other settings of the calls.
    /// - Returns: the migration, which must be run once.
    public static func oauth1(
        _ tokens: [String: OAuth1Token], of app: DropboxApp, to target: any CredentialStore,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) -> TokenMigration {
        let client = DropboxAppClient(app: app, configuration: configuration)
        let source = RecordSource(tokens) { (uid, token) async throws(TokenMigration.Failure) in
            guard token.appKey == app.key else {
                throw Failure(account: uid, isTemporary: false, "the token is of another app, \(token.appKey)")
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
    /// Whether a later attempt can succeed: the server was not reached or is temporarily unavailable.
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
    /// Migrates access tokens that were stored as plain text, as earlier Dropbox SDKs did.
    ///
    /// The tokens do not expire and are never renewed.
    ///
    /// - Parameters:
    ///   - tokens: the tokens by the user's id, which becomes the account's key.
    ///   - app: the app to which the tokens were issued.
    ///   - target: the store for the logins.
    /// - Returns: the migration, which must be run once.
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

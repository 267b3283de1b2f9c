// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
public import RestAuth
public import RestSDK
public import RestTransport
import StoneRuntime

/// Logs users and teams in at Dropbox, with PKCE and without a secret in the app.
///
/// ```swift
/// let login = try DropboxLogin(app: app, transport: PlatformTransport.shared)
/// let credential = try await login.run(with: LoopbackPresenter(), deadline: .now + .seconds(300))
/// let account = try await accounts.add(credential, makesCurrent: true)
/// let box = try DropboxClient(account: account.id, of: accounts, app: app)
/// ```
public struct DropboxLogin: Sendable {
    /// Speaks to Dropbox's authorization server as the app.
    public let client: OAuthClient
    private let locale: String?

    /// Makes a login.
    ///
    /// - Parameters:
    ///   - app: the app with its key.
    ///   - transport: what sends the requests.
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

    /// Logs somebody in with a browser, from opening the page to having the tokens.
    ///
    /// - Parameters:
    ///   - presenter: shows the page and waits for the way back.
    ///   - options: what is asked.
    ///   - deadline: when to give up; leave the user minutes.
    /// - Returns: what the login gave, ready for `AccountManager.add`.
    /// - Throws: `OAuthError`; `.userDenied` when the user said no.
    public func run(
        with presenter: some LoginPresenter, _ options: LoginOptions = LoginOptions(),
        deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        kept(
            try await client.login(
                with: presenter, scopes: options.scopes, parameters: options.parameters(locale: locale),
                deadline: deadline))
    }

    /// Begins a login; open its `url` in a browser, and finish it with the address that comes back.
    ///
    /// - Parameters:
    ///   - redirectURI: where the browser comes back to, as registered for the app.
    ///   - options: what is asked.
    /// - Returns: the login that waits.
    /// - Throws: `OAuthError`.
    public func begin(
        redirectURI: String, _ options: LoginOptions = LoginOptions()
    ) throws(OAuthError) -> PendingLogin {
        try client.beginLogin(
            redirectURI: redirectURI, scopes: options.scopes, parameters: options.parameters(locale: locale))
    }

    /// Ends a login that was begun, also by an earlier process.
    ///
    /// - Parameters:
    ///   - pending: the login.
    ///   - redirectURL: the whole address that the browser came back to.
    ///   - deadline: when to give up.
    /// - Returns: what the login gave, ready for `AccountManager.add`.
    /// - Throws: `OAuthError`.
    public func finish(
        _ pending: PendingLogin, redirectURL: String, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        kept(try await client.finishLogin(pending, redirectURL: redirectURL, deadline: deadline))
    }

    /// The credential with all that a later process needs to renew and to revoke it; the secret stays with the app.
    func kept(_ credential: Credential) -> Credential {
        var kept = credential
        kept.login = Credential.Login(server: client.login, endpoints: client.server, clientID: client.clientID)
        return kept
    }
}

/// What an app asks of a login at Dropbox.
public struct LoginOptions: Sendable, Hashable {
    /// How long the tokens of a login are good.
    public enum Access: String, Sendable, Hashable {
        /// The login can be renewed while the user is away: it has a refresh token.
        case offline
        /// The login ends with its access token, after a few hours.
        case online
    }

    /// Whose scopes of earlier logins a new one adds to.
    public enum GrantedScopes: String, Sendable, Hashable {
        /// What the user granted.
        case user
        /// What the team granted.
        case team
    }

    /// What the tokens are to be good for, such as `files.content.read`; empty asks for all that the app may have.
    public var scopes: [String]
    /// Whether the login can be renewed.
    public var access: Access
    /// Whose earlier scopes the new tokens have too; `nil` for none but ``scopes``.
    public var grantedScopes: GrantedScopes?
    /// Whether the user has to type the password also where the browser is logged in.
    public var forcesReauthentication: Bool
    /// Whether the user has to agree anew also where that was done before.
    public var forcesReapproval: Bool
    /// Whether the page offers no new accounts.
    public var disablesSignup: Bool

    /// What an app usually asks: a login that can be renewed, with every scope that the app may have.
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

    /// The parameters of the login page beside those of OAuth itself.
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
    /// Dropbox's own server: its page, its token endpoint, and the end of a login at `auth/token/revoke`.
    ///
    /// - Parameters:
    ///   - hosts: where Dropbox is.
    ///   - locale: the language of its texts; `nil` leaves it to Dropbox.
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

/// A token of OAuth 1, as apps of the first version of Dropbox's API kept it.
public struct OAuth1Token: Sendable, Hashable {
    /// The token.
    public let token: Secret
    /// The secret that belongs to it.
    public let secret: Secret
    /// The key of the app that it was given to.
    public let appKey: String

    /// Makes a token of its parts.
    public init(token: Secret, secret: Secret, appKey: String) {
        self.token = token
        self.secret = secret
        self.appKey = appKey
    }
}

extension TokenMigration {
    /// Exchanges tokens of OAuth 1 for today's, all or nothing.
    ///
    /// A token of another app, and one that the server refuses, can never be exchanged; the others migrate without it.
    /// When the server cannot be reached, or cannot answer now, nothing is changed and a later run begins anew. The old
    /// tokens stay as they are.
    ///
    /// - Parameters:
    ///   - tokens: the old tokens by the user's id (`uid`), which becomes the account's key.
    ///   - app: the app with key and secret.
    ///   - target: where the logins go.
    ///   - configuration: everything else about the calls.
    /// - Returns: the migration, to be run once.
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
    /// Whether trying later can help: the server was not reached, or could not answer now.
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
    /// Takes over access tokens that were kept as bare text, as earlier SDKs of Dropbox did.
    ///
    /// They do not end, and nobody renews them.
    ///
    /// - Parameters:
    ///   - tokens: the tokens by the user's id, which becomes the account's key.
    ///   - app: the app that they were given to.
    ///   - target: where the logins go.
    /// - Returns: the migration, to be run once.
    public static func plainTokens(
        _ tokens: [String: Secret], of app: DropboxApp, to target: any CredentialStore
    ) -> TokenMigration {
        let source = RecordSource(tokens) { uid, token in app.credential(uid, token) }
        return TokenMigration(name: "dropbox-plain-\(app.key ?? "")", from: source, to: target)
    }
}

extension DropboxApp {
    /// The login of a token that came without any other.
    func credential(_ uid: String, _ token: Secret) -> Credential {
        Credential(
            accessToken: token, instance: hosts.api, userID: uid,
            login: Credential.Login(
                server: hosts.api, endpoints: .dropbox(hosts, locale: locale), clientID: key ?? ""))
    }
}

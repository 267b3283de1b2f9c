// SPDX-License-Identifier: Apache-2.0

public import RestAuth
public import RestTransport

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

// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Shows a login page to the user and waits for the redirect.
///
/// Use ``LoopbackPresenter`` for command lines and desktops, and `WebAuthenticationPresenter` for apps on Apple
/// platforms. An app with its own browser view can provide its own presenter:
///
/// ```swift
/// struct KioskPresenter: LoginPresenter {
///     func present(
///         until deadline: ContinuousClock.Instant, begin: BeginLogin
///     ) async throws(OAuthError) -> PendingLogin.Redirect {
///         let login = try begin("com.example.kiosk:/done")
///         return PendingLogin.Redirect(of: login, url: await kiosk.show(login.url))
///     }
/// }
/// ```
public protocol LoginPresenter: Sendable {
    /// Begins a login with the given redirect URI.
    typealias BeginLogin = (_ redirectURI: String) throws(OAuthError) -> PendingLogin

    /// Begins the login, shows its page, and returns the redirect.
    ///
    /// - Parameters:
    ///   - deadline: the time at which to fail with `.timedOut`.
    ///   - begin: the function that begins the login. Call it once, when the redirect URI is known.
    /// - Returns: the redirect URL, with the login that `begin` returned.
    /// - Throws: ``OAuthError``. If the task is cancelled, the code is `.cancelled`.
    func present(until deadline: ContinuousClock.Instant, begin: BeginLogin) async throws(OAuthError)
        -> PendingLogin.Redirect
}

extension PendingLogin {
    /// The URL to which the browser was redirected, and the login to which it belongs.
    public struct Redirect: Sendable, Hashable {
        /// The login that was begun.
        public let login: PendingLogin
        /// The complete URL.
        ///
        /// It contains the authorization code, which is a secret for some minutes.
        public let url: String

        /// Creates a redirect of a login.
        public init(of login: PendingLogin, url: String) {
            self.login = login
            self.url = url
        }
    }
}

extension PendingLogin.Redirect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The issuer of the login, without the code.
    public var description: String { "redirect of a login at \(login.issuer)" }
    /// The same string as `description`.
    public var debugDescription: String { description }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension OAuthClient {
    /// Begins a login in the user's browser: authorization code with PKCE S256 (RFC 6749 §4.1, RFC 7636, RFC 9700).
    ///
    /// Nothing is sent. Open ``PendingLogin/url`` in a browser. After the redirect, pass the redirect URL to
    /// ``finishLogin(_:redirectURL:deadline:)``. ``login(with:scopes:parameters:deadline:)`` does all of this in one
    /// call.
    ///
    /// - Parameters:
    ///   - redirectURI: the redirect URI that is registered for the client.
    ///   - scopes: the scopes to request, such as `["api", "refresh_token"]`. If empty, the server grants those
    ///     registered for the client.
    ///   - parameters: additional parameters of the authorization request, such as `prompt` or `login_hint`.
    ///   - verifier: a PKCE verifier. If `nil`, a random one is created.
    /// - Returns: the login, to finish after the redirect.
    /// - Throws: ``OAuthError`` with `.invalidRequest` or `.cryptographyUnavailable`.
    public func beginLogin(
        redirectURI: String, scopes: [String] = [], parameters: [(name: String, value: String)] = [],
        verifier: PendingLogin.CodeVerifier? = nil
    ) throws(OAuthError) -> PendingLogin {
        try beginLogin(
            redirectURI: redirectURI, scopes: scopes, parameters: parameters, verifier: verifier, random: .system)
    }

    package func beginLogin(
        redirectURI: String, scopes: [String] = [], parameters: [(name: String, value: String)] = [],
        verifier: PendingLogin.CodeVerifier? = nil, random: RandomSource, clock: WallClock = .system
    ) throws(OAuthError) -> PendingLogin {
        try RedirectURI.check(redirectURI)
        guard server.authorizationEndpoint.isTrustworthy else {
            throw OAuthError(.invalidRequest, "the login page must have an https URL")
        }
        let verifier = if let verifier { verifier } else { try PendingLogin.CodeVerifier(from: random) }
        let state = Base64.encodeForURL(try random.bytes(32))
        var query = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI), ("state", state),
            ("code_challenge", try verifier.challenge()), ("code_challenge_method", "S256"),
        ]
        let key = try makeKey()
        if let key { query.append(("dpop_jkt", key.thumbprint)) }
        if !scopes.isEmpty { query.append(("scope", scopes.joined(separator: " "))) }
        guard parameters.allSatisfy({ parameter in !query.contains { $0.0 == parameter.name } }) else {
            throw OAuthError(
                .invalidRequest, "additional parameters cannot replace those of the login; use other names")
        }
        query += parameters.map { ($0.name, $0.value) }
        return PendingLogin(
            url: server.authorizationEndpoint.adding(query), redirectURI: redirectURI, issuer: server.issuer,
            clientID: clientID, scopes: scopes, createdAtMilliseconds: clock.milliseconds,
            needsIssuer: server.announcesIssuer, state: Secret(state), verifier: verifier, dpopKey: key)
    }

    /// Finishes a login: checks the redirect URL and exchanges its code for tokens.
    ///
    /// An authorization code can be used only once. If an error leaves open whether the server received the code, begin
    /// a new login.
    ///
    /// - Parameters:
    ///   - pending: the login that this client began.
    ///   - redirectURL: the complete URL to which the browser was redirected.
    ///   - deadline: the time at which the request fails with `.timedOut`.
    /// - Returns: the credential. Set ``Credential/login`` before you store it.
    /// - Throws: ``OAuthError``. If the redirect does not belong to the login, nothing is sent.
    public func finishLogin(
        _ pending: PendingLogin, redirectURL: String, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        guard pending.issuer == server.issuer, pending.clientID == clientID else {
            throw OAuthError(
                .issuerMismatch, "the login was started at \(pending.issuer) or with another client; finish it there")
        }
        let grant = AuthorizationCodeGrant(
            code: try pending.code(from: redirectURL), redirectURI: pending.redirectURI, verifier: pending.verifier,
            dpopKey: pending.dpopKey)
        var credential = try await token(for: grant, deadline: deadline)
        // A server that grants the requested scopes may leave them out (RFC 6749 §5.1).
        if credential.scopes.isEmpty { credential.scopes = pending.scopes }
        return credential
    }

    /// Logs a user in with a browser, from opening the page to receiving the tokens.
    ///
    /// - Parameters:
    ///   - presenter: the presenter that shows the page and waits for the redirect, such as ``LoopbackPresenter``.
    ///   - scopes: the scopes to request, as in ``beginLogin(redirectURI:scopes:parameters:verifier:)``.
    ///   - parameters: additional parameters of the authorization request.
    ///   - deadline: the time at which to fail with `.timedOut`. Give the user several minutes.
    /// - Returns: the credential. Set ``Credential/login`` before you store it.
    /// - Throws: ``OAuthError``: `.userDenied` if the user declined, `.timedOut` if no redirect arrived.
    public func login(
        with presenter: some LoginPresenter, scopes: [String] = [],
        parameters: [(name: String, value: String)] = [], deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        let redirect = try await presenter.present(until: deadline) { redirectURI throws(OAuthError) in
            try beginLogin(redirectURI: redirectURI, scopes: scopes, parameters: parameters)
        }
        return try await finishLogin(redirect.login, redirectURL: redirect.url, deadline: deadline)
    }
}

extension HTTPURL {
    func adding(_ parameters: [(String, String)]) -> HTTPURL {
        let added = parameters.map {
            "\(PercentEncoding.queryComponent($0.0))=\(PercentEncoding.queryComponent($0.1))"
        }.joined(separator: "&")
        return HTTPURL(origin: origin, path: path, query: query.map { "\($0)&\(added)" } ?? added)
    }
}

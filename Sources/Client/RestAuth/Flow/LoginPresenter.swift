// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// Shows a login page to the user and waits until the browser comes back.
///
/// ``LoopbackPresenter`` does it for command lines and desktops, `WebAuthenticationPresenter` for apps on Apple
/// platforms. An app with a page of its own conforms a type of its own:
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
    /// Begins a login for the address that the browser is to come back to.
    typealias BeginLogin = (_ redirectURI: String) throws(OAuthError) -> PendingLogin

    /// Begins the login, shows its page, and returns the address the browser came back to.
    ///
    /// - Parameters:
    ///   - deadline: when to give up with `.timedOut`.
    ///   - begin: call it once, when it is known where the browser comes back to.
    /// - Returns: the address, with the login that `begin` gave.
    /// - Throws: ``OAuthError``; `.cancelled` when the task is cancelled.
    func present(until deadline: ContinuousClock.Instant, begin: BeginLogin) async throws(OAuthError)
        -> PendingLogin.Redirect
}

extension PendingLogin {
    /// Where the browser came back to, and the login it belongs to.
    public struct Redirect: Sendable, Hashable {
        /// The login that was begun.
        public let login: PendingLogin
        /// The whole address, which holds the code: a secret for some minutes.
        public let url: String

        /// Pairs an address with its login.
        public init(of login: PendingLogin, url: String) {
            self.login = login
            self.url = url
        }
    }
}

extension PendingLogin.Redirect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the login was begun, without the code.
    public var description: String { "redirect of a login at \(login.issuer)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror that shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension OAuthClient {
    /// Begins a login in the user's browser: authorization code with PKCE S256 (RFC 6749 4.1, RFC 7636, RFC 9700).
    ///
    /// Nothing is sent. Open ``PendingLogin/url`` in a browser; when it comes back, hand the address to
    /// ``finishLogin(_:redirectURL:deadline:)``. ``login(with:scopes:parameters:deadline:)`` does it all in one call.
    ///
    /// - Parameters:
    ///   - redirectURI: where the browser comes back to, as registered for the client.
    ///   - scopes: what the tokens are to be good for, such as `["api", "refresh_token"]`; empty asks for what the
    ///     client is registered for.
    ///   - parameters: further parameters of the authorization request, such as `prompt` or `login_hint`.
    ///   - verifier: a verifier made elsewhere; `nil` makes one.
    /// - Returns: the login, to be finished when the browser has come back.
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
            throw OAuthError(.invalidRequest, "the login page must have an https address")
        }
        let verifier = if let verifier { verifier } else { try PendingLogin.CodeVerifier(from: random) }
        let state = Base64.encodeForURL(try random.bytes(32))
        var query = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI), ("state", state),
            ("code_challenge", try verifier.challenge()), ("code_challenge_method", "S256"),
        ]
        if !scopes.isEmpty { query.append(("scope", scopes.joined(separator: " "))) }
        guard parameters.allSatisfy({ parameter in !query.contains { $0.0 == parameter.name } }) else {
            throw OAuthError(.invalidRequest, "the parameters of the login itself cannot be replaced")
        }
        query += parameters.map { ($0.name, $0.value) }
        return PendingLogin(
            url: server.authorizationEndpoint.adding(query), redirectURI: redirectURI, issuer: server.issuer,
            clientID: clientID, scopes: scopes, createdAtMilliseconds: clock.milliseconds,
            needsIssuer: server.announcesIssuer, state: Secret(state), verifier: verifier)
    }

    /// Ends a login: checks the address the browser came back to and exchanges its code for tokens.
    ///
    /// The code is good once. After a failure that leaves open whether the server saw it, begin anew.
    ///
    /// - Parameters:
    ///   - pending: the login as it was begun, with this client.
    ///   - redirectURL: the whole address the browser came back to.
    ///   - deadline: when to give up.
    /// - Returns: what the login gave; set ``Credential/login`` before it is kept.
    /// - Throws: ``OAuthError``; nothing is sent when the redirect does not belong to the login.
    public func finishLogin(
        _ pending: PendingLogin, redirectURL: String, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        guard pending.issuer == server.issuer, pending.clientID == clientID else {
            throw OAuthError(.issuerMismatch, "the login was begun at \(pending.issuer) or with another client")
        }
        let grant = AuthorizationCodeGrant(
            code: try pending.code(from: redirectURL), redirectURI: pending.redirectURI, verifier: pending.verifier)
        var credential = try await token(for: grant, deadline: deadline)
        // A server that grants what was asked for need not say so (RFC 6749 5.1).
        if credential.scopes.isEmpty { credential.scopes = pending.scopes }
        return credential
    }

    /// Logs a user in with a browser, from opening the page to having the tokens.
    ///
    /// - Parameters:
    ///   - presenter: shows the page and waits for the way back, such as ``LoopbackPresenter``.
    ///   - scopes: as in ``beginLogin(redirectURI:scopes:parameters:verifier:)``.
    ///   - parameters: as there.
    ///   - deadline: when to give up; leave the user minutes.
    /// - Returns: what the login gave; set ``Credential/login`` before it is kept.
    /// - Throws: ``OAuthError``; `.userDenied` when the user said no, `.timedOut` when nothing came back.
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
    /// The URL with these parameters behind those it has.
    fileprivate func adding(_ parameters: [(String, String)]) -> HTTPURL {
        let added = parameters.map {
            "\(PercentEncoding.queryComponent($0.0))=\(PercentEncoding.queryComponent($0.1))"
        }.joined(separator: "&")
        return HTTPURL(origin: origin, path: path, query: query.map { "\($0)&\(added)" } ?? added)
    }
}

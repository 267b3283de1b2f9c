// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport

/// `/oauth2/authorize`: agrees at once, as the first user or as the user whose e-mail address is the `login_hint`.
///
/// It redirects the browser to a URI on this machine. Without a redirect URI, the code is the page.
struct AuthorizeEndpoint: Sendable {
    let identity: BoxIdentity
    let tokens: TokenIssuer
    let scopes: [String]

    static let path = "/oauth2/authorize"

    func respond(_ request: ServerRequest) -> ServerResponse {
        .noted("authorize") { (note) throws(OAuthRejection) in
            let form = try OAuthForm(request.path?.query ?? [], request)
            note.clientID = form["client_id"]
            let client = try identity.clients.client(form["client_id"])
            let redirect = form["redirect_uri"]
            guard redirect.map(client.allows) ?? true else {
                throw .invalidRequest("the redirect_uri must be on this machine")
            }
            let asked = form.words("scope")
            guard Set(asked).isSubset(of: scopes) else { throw OAuthRejection("invalid_scope", "a scope is unknown") }
            let request = TokenIssuer.CodeRequest(
                clientID: client.id, redirectURI: redirect, challenge: try form.challenge(),
                scopes: asked.isEmpty ? scopes : asked, isLasting: form["token_access_type"] == "offline",
                subject: TokenSubject.user(try user(form).number).text)
            let code = RandomText.make(43)
            tokens.add(code, request, lifetime: .seconds(600))
            note.outcome = "allowed"
            guard let redirect else { return .text(200, code) }
            return AuthorizationResponse(redirectURI: redirect, state: form["state"], result: .success(code)).response()
        }
    }

    /// Returns the user with the e-mail address in `login_hint`, or the first user.
    private func user(_ form: OAuthForm) throws(OAuthRejection) -> BoxUser {
        guard let hint = form["login_hint"] else { return identity.owner }
        guard let user = identity.users.first(where: { $0.email == hint }) else {
            throw .invalidRequest("no user has this login_hint")
        }
        return user
    }
}

/// `/oauth2/token`: exchanges codes and refresh tokens for access tokens (RFC 6749, RFC 7636).
struct TokenEndpoint: Sendable {
    let identity: BoxIdentity
    let tokens: TokenIssuer

    func respond(_ request: ServerRequest) -> ServerResponse {
        .noted { (note) throws(OAuthRejection) in
            let form = try OAuthForm(request)
            note.grantType = form["grant_type"]
            note.clientID = form.clientID
            let grant = try tokens.exchange(form, of: try identity.clients.authenticate(form, .secretOrVerifier))
            note.outcome = "granted"
            return response(grant)
        }
    }

    private func response(_ grant: TokenIssuer.Grant) -> ServerResponse {
        .unstored(
            .object { writer in
                writer.member("access_token", grant.accessToken)
                writer.member("token_type", "bearer")
                writer.member("expires_in", Int(clamping: tokens.rules.lifetime.components.seconds))
                if let refresh = grant.refreshToken { writer.member("refresh_token", refresh) }
                writer.member("scope", grant.login.scopes.joined(separator: " "))
                if case .user(let number) = TokenSubject(grant.login.subject) {
                    writer.member("uid", identity.users[number].uid)
                    writer.member("account_id", identity.users[number].accountID)
                }
            })
    }
}

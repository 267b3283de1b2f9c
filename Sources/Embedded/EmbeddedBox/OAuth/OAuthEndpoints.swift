// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport

/// `/oauth2/authorize`: the user of the box agrees to everything at once, the first one unless `login_hint` has the
/// e-mail address of another.
///
/// With a redirect URI on this machine the browser is sent there; without one the code is the page.
struct AuthorizeEndpoint: Sendable {
    let identity: BoxIdentity
    let tokens: TokenIssuer
    let scopes: [String]

    static let path = "/oauth2/authorize"

    func answer(_ request: ServerRequest) -> ServerResponse {
        .noted("authorize") { (note) throws(OAuthRefusal) in
            let form = try OAuthForm(request.path?.query ?? [], request)
            note.clientID = form["client_id"]
            guard form["client_id"] == identity.appKey else {
                throw OAuthRefusal("invalid_client", "no app has this client_id")
            }
            guard form["response_type"] == "code" else {
                throw OAuthRefusal("unsupported_response_type", "the response_type must be code")
            }
            let redirect = try redirect(form)
            let code = RandomText.make(43)
            tokens.add(
                code, try codeRequest(form, redirect ?? "", try user(form)), lifetime: .seconds(600))
            note.outcome = "allowed"
            return response(code, redirect, form)
        }
    }

    /// The user whose e-mail address is hinted at, else the first one.
    private func user(_ form: OAuthForm) throws(OAuthRefusal) -> BoxUser {
        guard let hint = form["login_hint"] else { return identity.owner }
        guard let user = identity.users.first(where: { $0.email == hint }) else {
            throw .invalidRequest("no user has this login_hint")
        }
        return user
    }

    private func redirect(_ form: OAuthForm) throws(OAuthRefusal) -> String? {
        guard let text = form["redirect_uri"] else { return nil }
        guard
            ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"].contains(where: { text.hasBytes(prefix: $0) }),
            !text.hasBytes("#"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .invalidRequest("the redirect_uri must be on this machine") }
        return text
    }

    private func codeRequest(
        _ form: OAuthForm, _ redirect: String, _ user: BoxUser
    ) throws(OAuthRefusal) -> TokenIssuer.CodeRequest {
        let challenge = form["code_challenge"]
        if let challenge {
            guard form["code_challenge_method"] == "S256", ProofKey.isChallenge(challenge) else {
                throw .invalidRequest("the code_challenge must be one of S256")
            }
        }
        let asked = form.words("scope")
        guard Set(asked).isSubset(of: scopes) else { throw OAuthRefusal("invalid_scope", "a scope is unknown") }
        return TokenIssuer.CodeRequest(
            clientID: identity.appKey, redirectURI: redirect, challenge: challenge,
            scopes: asked.isEmpty ? scopes : asked, isLasting: form["token_access_type"] == "offline",
            subject: TokenSubject.user(user.number).text)
    }

    private func response(_ code: String, _ redirect: String?, _ form: OAuthForm) -> ServerResponse {
        guard let redirect else {
            return .unstored(
                ServerResponse(
                    status: 200, fields: [("Content-Type", "text/plain; charset=utf-8")], body: Array(code.utf8)))
        }
        var query = "code=" + code
        if let state = form["state"] { query += "&state=" + PercentEncoding.queryComponent(state) }
        let place = redirect + (redirect.hasBytes("?") ? "&" : "?") + query
        return .unstored(ServerResponse(status: 302, fields: [("Location", place)]))
    }
}

/// `/oauth2/token`: codes and refresh tokens become access tokens (RFC 6749, RFC 7636).
struct TokenEndpoint: Sendable {
    let identity: BoxIdentity
    let tokens: TokenIssuer

    func answer(_ request: ServerRequest) -> ServerResponse {
        .noted { (note) throws(OAuthRefusal) in
            let form = try OAuthForm(request)
            note.grantType = form["grant_type"]
            note.clientID = form.basic?.id ?? form["client_id"]
            let grant = try grant(form, isConfidential: try checkClient(form))
            note.outcome = "granted"
            return response(grant)
        }
    }

    /// Whether the client has shown its secret; one that has none must use PKCE.
    private func checkClient(_ form: OAuthForm) throws(OAuthRefusal) -> Bool {
        guard let id = form.basic?.id ?? form["client_id"], id == identity.appKey else {
            throw OAuthRefusal("invalid_client", "no app has this client_id")
        }
        guard let secret = form.basic?.secret ?? form["client_secret"] else { return false }
        guard Digest.areEqual(secret, identity.appSecret) else {
            throw OAuthRefusal("invalid_client", "the client_secret is wrong")
        }
        return true
    }

    private func grant(_ form: OAuthForm, isConfidential: Bool) throws(OAuthRefusal) -> TokenIssuer.Grant {
        switch try form.required("grant_type") {
        case "authorization_code":
            let verifier = form["code_verifier"]
            guard isConfidential || verifier != nil else {
                throw OAuthRefusal("invalid_client", "a client_secret or a code_verifier is needed")
            }
            return try tokens.redeem(
                try form.required("code"), of: identity.appKey, redirectURI: form["redirect_uri"] ?? "",
                verifier: verifier)
        case "refresh_token":
            let token = try form.required("refresh_token")
            guard let grant = tokens.refresh(token, of: identity.appKey, scopes: form.words("scope")) else {
                throw .invalidGrant("the refresh token is not valid, or has not all of these scopes")
            }
            return grant
        case let other: throw OAuthRefusal("unsupported_grant_type", "the grant type \(other.prefix(40)) is unknown")
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

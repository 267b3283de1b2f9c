// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// `/oauth2/token`: codes and refresh tokens become access tokens (RFC 6749, RFC 7636).
struct TokenEndpoint: Sendable {
    let identity: BoxIdentity
    let tokens: BoxTokens

    func answer(_ request: ServerRequest) -> ServerResponse {
        var note = JournalEntry.OAuth()
        do throws(OAuthRefusal) {
            let form = try OAuthForm(request)
            note.grantType = form["grant_type"]
            note.clientID = form.basic?.id ?? form["client_id"]
            let isConfidential = try checkClient(form)
            let grant = try grant(form, isConfidential: isConfidential)
            note.outcome = "granted"
            return response(grant, note)
        } catch {
            note.refuse(error)
            var response = error.response
            response.oauth = note
            return response
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

    private func grant(_ form: OAuthForm, isConfidential: Bool) throws(OAuthRefusal) -> BoxTokens.Grant {
        switch try form.required("grant_type") {
        case "authorization_code":
            let verifier = form["code_verifier"]
            guard isConfidential || verifier != nil else {
                throw OAuthRefusal("invalid_client", "a client_secret or a code_verifier is needed")
            }
            let claim = AuthorizationCodes.Claim(
                clientID: identity.appKey, redirectURI: form["redirect_uri"] ?? "", verifier: verifier)
            return try tokens.redeem(try form.required("code"), claim)
        case "refresh_token":
            let token = try form.required("refresh_token")
            guard let grant = tokens.refresh(token, of: identity.appKey, scopes: form.words("scope")) else {
                throw .invalidGrant("the refresh token is not valid, or has not all of these scopes")
            }
            return grant
        case let other: throw OAuthRefusal("unsupported_grant_type", "the grant type \(other.prefix(40)) is unknown")
        }
    }

    private func response(_ grant: BoxTokens.Grant, _ note: JournalEntry.OAuth) -> ServerResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("access_token", grant.accessToken)
        writer.member("token_type", "bearer")
        writer.member("expires_in", Int(clamping: tokens.lifetimeSeconds))
        if let refresh = grant.refreshToken { writer.member("refresh_token", refresh) }
        writer.member("scope", grant.scopes.joined(separator: " "))
        if case .user(let number) = grant.subject {
            writer.member("uid", identity.users[number].uid)
            writer.member("account_id", identity.users[number].accountID)
        }
        writer.endObject()
        var response = ServerResponse.unstored(.json(200, writer.bytes))
        response.oauth = note
        return response
    }
}

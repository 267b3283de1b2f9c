// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// `/revoke` (RFC 7009) and `/introspect` (RFC 7662).
struct TokenInformation {
    let tokens: TokenService
    let clients: ClientRegistry
    let users: UserLogin

    /// Revokes a token, by POST or, as the platform allows, by GET; an unknown one counts as revoked (RFC 7009 §2.2).
    func revoke(_ request: ServerRequest, _ path: RequestPath) -> ServerResponse {
        var note = JournalEntry.OAuth()
        note.grantType = "revoke"
        var response: ServerResponse
        do throws(OAuthRefusal) {
            let form = request.method == "GET" ? try OAuthForm(path.query, request) : try OAuthForm(request)
            note.outcome = tokens.revoke(try form.required("token")) ? "revoked" : "unknown"
            response = .unstored(.empty(200))
        } catch {
            note.refuse(error)
            response = error.response
        }
        response.oauth = note
        return response
    }

    func introspect(_ request: ServerRequest) -> ServerResponse {
        var note = JournalEntry.OAuth()
        note.grantType = "introspect"
        var response: ServerResponse
        do throws(OAuthRefusal) {
            let form = try OAuthForm(request)
            let client = try clients.authenticate(form, .secretIfAny)
            note.clientID = client.id
            let status = tokens.status(of: try form.required("token"), for: client.id)
            note.outcome = status == nil ? "inactive" : "active"
            response = body(status)
        } catch {
            note.refuse(error)
            response = error.response
        }
        response.oauth = note
        return response
    }

    /// What the answer says about a token; an inactive one has no other member (RFC 7662 §2.2).
    private func body(_ status: TokenService.Status?) -> ServerResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("active", status != nil)
        if let status {
            writer.member("scope", status.login.scopes.joined(separator: " "))
            writer.member("client_id", status.login.clientID)
            writer.member("username", users.username(of: status.login.subject))
            writer.member("sub", tokens.identity.identityURL(of: status.login.subject))
            writer.member("token_type", status.type)
            if let expiry = status.expiry { writer.member("exp", Int(clamping: expiry)) }
            writer.member("iat", Int(clamping: status.login.issuedAt))
            writer.member("nbf", Int(clamping: status.login.issuedAt))
        }
        writer.endObject()
        return .unstored(.json(200, writer.bytes))
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// `POST /services/oauth2/token` and `/revoke` (RFC 6749, RFC 7009) with the platform's bodies.
struct TokenEndpoint {
    let tokens: TokenService

    /// A refusal of the OAuth endpoints: an object, where the API answers an array.
    struct Refusal: Error {
        var status = 400
        let error: String
        let description: String
    }

    private typealias Form = [String: String]

    func token(_ request: ServerRequest) -> ServerResponse {
        do throws(Refusal) {
            let form = try form(of: request)
            return try success(grant(form, request), scope: form["scope"])
        } catch {
            return Self.response(error)
        }
    }

    func revoke(_ request: ServerRequest) -> ServerResponse {
        do throws(Refusal) {
            let form = try form(of: request)
            guard let token = form["token"], tokens.revoke(token) else {
                throw Refusal(error: "invalid_token", description: "this token does not exist or is revoked already")
            }
            return .empty(200)
        } catch {
            return Self.response(error)
        }
    }

    private func form(of request: ServerRequest) throws(Refusal) -> Form {
        guard request.mediaType == "application/x-www-form-urlencoded",
            let text = String(validating: request.body, as: UTF8.self), let pairs = try? PercentEncoding.formPairs(text)
        else { throw Refusal(error: "invalid_request", description: "the body must be a URL-encoded form") }
        guard let form = try? Form(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { _, _ in throw Repeated() })
        else {
            throw Refusal(error: "invalid_request", description: "a parameter is repeated")  // RFC 6749 §3.2
        }
        return form
    }

    private struct Repeated: Error {}

    private func grant(_ form: Form, _ request: ServerRequest) throws(Refusal) -> TokenService.Grant {
        guard let type = form["grant_type"] else {
            throw Refusal(error: "unsupported_grant_type", description: "grant type not supported")
        }
        switch type {
        case "client_credentials":
            try authenticateClient(form, request, needsSecret: true)
            return tokens.login(withRefreshToken: false)
        case "password":
            try authenticateClient(form, request, needsSecret: true)
            try authenticateUser(form)
            let scopes = (form["scope"] ?? "").split(separator: " ")
            return tokens.login(withRefreshToken: scopes.contains { $0 == "refresh_token" || $0 == "offline_access" })
        case "refresh_token":
            try authenticateClient(form, request, needsSecret: false)
            guard let token = form["refresh_token"], let grant = tokens.refresh(token) else {
                throw Refusal(error: "invalid_grant", description: "expired access/refresh token")
            }
            return grant
        default: throw Refusal(error: "unsupported_grant_type", description: "grant type not supported")
        }
    }

    /// Checks the app's id and secret, in the body or as HTTP Basic (RFC 6749 §2.3.1).
    ///
    /// A refresh may come without secret.
    private func authenticateClient(
        _ form: Form, _ request: ServerRequest, needsSecret: Bool
    ) throws(Refusal) {
        let basic = Self.basicCredentials(request.fields["Authorization"])
        let id = basic?.id ?? form["client_id"]
        let secret = basic?.secret ?? form["client_secret"]
        guard let id, Digest.areEqual(id, tokens.identity.clientID) else {
            throw Refusal(error: "invalid_client_id", description: "client identifier invalid")
        }
        if secret == nil, !needsSecret { return }
        guard let secret, Digest.areEqual(secret, tokens.identity.clientSecret) else {
            throw Refusal(error: "invalid_client", description: "invalid client credentials")
        }
    }

    /// The user's password, alone or with a security token of up to 64 letters and digits behind it: the platform asks
    /// for one from unknown networks, and the org takes any.
    private func authenticateUser(_ form: Form) throws(Refusal) {
        let (username, given) = (form["username"] ?? "", form["password"] ?? "")
        let known = tokens.identity.password
        let (password, rest) = (given.prefix(known.count), given.dropFirst(known.count))
        let isRight = Digest.areEqual(String(password), known)
        let isToken =
            rest.utf8.count <= 64
            && rest.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
            }
        guard Digest.areEqual(username.lowercased(), tokens.identity.username), isRight, isToken else {
            throw Refusal(error: "invalid_grant", description: "authentication failure")
        }
    }

    private static func basicCredentials(_ field: String?) -> (id: String, secret: String)? {
        guard let field, field.prefix(6).lowercased() == "basic ",
            let bytes = Base64.decode(String(field.dropFirst(6))), let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let id = try? PercentEncoding.decodeForm(String(parts[0])),
            let secret = try? PercentEncoding.decodeForm(String(parts[1]))
        else { return nil }
        return (id, secret)
    }
}

extension TokenEndpoint {
    private func success(_ grant: TokenService.Grant, scope: String?) -> ServerResponse {
        let identity = tokens.identity
        let issuedAt = String(WireTime.milliseconds)
        let signed = identity.identityURL + issuedAt
        var pairs = [
            ("access_token", grant.accessToken), ("instance_url", identity.instanceURL), ("id", identity.identityURL),
            ("token_type", "Bearer"), ("issued_at", issuedAt),
            ("signature", Base64.encode(Digest.hmacSHA256(key: identity.clientSecret, signed))),
            ("scope", grant.refreshToken == nil ? "api" : "refresh_token api"),
        ]
        if let token = grant.refreshToken { pairs.append(("refresh_token", token)) }
        return Self.object(200, pairs)
    }

    static func response(_ refusal: Refusal) -> ServerResponse {
        object(refusal.status, [("error", refusal.error), ("error_description", refusal.description)])
    }

    private static func object(_ status: Int, _ pairs: [(String, String)]) -> ServerResponse {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in pairs {
            writer.key(name)
            writer.string(value)
        }
        writer.endObject()
        var response = ServerResponse.json(status, writer.bytes)
        response.fields += [("Cache-Control", "no-store"), ("Pragma", "no-cache")]  // RFC 6749 §5.1
        return response
    }
}

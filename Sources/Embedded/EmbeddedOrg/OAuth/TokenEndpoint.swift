// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport

/// `POST /services/oauth2/token` (RFC 6749 §3.2) with Salesforce's response bodies.
struct TokenEndpoint {
    let tokens: TokenService
    let registry: ClientRegistry
    let users: UserLogin

    private var clients: RegisteredClients { registry.clients }
    private static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let deviceCode = "urn:ietf:params:oauth:grant-type:device_code"

    private static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"

    static let grantTypes = [
        "authorization_code", "refresh_token", "client_credentials", "password", jwtBearer, deviceCode, "device",
        tokenExchange,
    ]

    func respond(_ request: ServerRequest) -> ServerResponse {
        .noted { (note) throws(OAuthRejection) in
            let form = try OAuthForm(request)
            note.grantType = form["grant_type"] ?? form["response_type"]
            note.clientID = form.clientID
            var response: ServerResponse
            if form["grant_type"] == nil, form["response_type"] == "device_code" {
                response = try DeviceEndpoint(tokens: tokens, clients: clients).begin(form, isPlatform: true)
            } else {
                let grant = try grant(form, boundTo: try tokens.proofs.key(of: request))
                note.clientID = grant.login.clientID
                response = success(grant, isExchange: form["grant_type"] == Self.tokenExchange)
            }
            note.outcome = "granted"
            return response
        }
    }

    private func grant(_ form: OAuthForm, boundTo key: String?) throws(OAuthRejection) -> TokenIssuer.Grant {
        switch form["grant_type"] {
        case "client_credentials":
            let client = try clients.authenticate(form, .secret)
            let scopes = try OAuthScope.granted(form.words("scope"), standard: ["api"])
            // On Salesforce, the app names the user of such a login.
            return tokens.issuer.login(
                client.id, subject: tokens.identity.userID, scopes: scopes, isLasting: false, boundTo: key)
        case "password": return try password(form, key)
        case Self.jwtBearer: return try assertion(form, key)
        case Self.tokenExchange: return try exchange(form, key)
        case "device": return try device(form, code: "code", key)
        case Self.deviceCode: return try device(form, code: "device_code", key)
        default:
            return try tokens.issuer.exchange(form, boundTo: key, of: try clients.authenticate(form, .secretIfAny))
        }
    }

    private func password(_ form: OAuthForm, _ key: String?) throws(OAuthRejection) -> TokenIssuer.Grant {
        let client = try clients.authenticate(form, .secret)
        let user = try users.check(form["username"] ?? "", form["password"] ?? "")
        let scopes = try OAuthScope.granted(form.words("scope"), standard: ["api"])
        return tokens.issuer.login(
            client.id, subject: user, scopes: scopes, isLasting: OAuthScope.isLasting(scopes), boundTo: key)
    }

    /// Exchanges a token of another server for tokens of a user (RFC 8693 §2.1).
    private func exchange(_ form: OAuthForm, _ key: String?) throws(OAuthRejection) -> TokenIssuer.Grant {
        let client = try clients.authenticate(form, .secretIfAny)
        let (token, type) = (try form.required("subject_token"), try form.required("subject_token_type"))
        guard let handler = tokens.tokenHandler else {
            throw OAuthRejection("unsupported_grant_type", "grant type not supported")
        }
        guard let name = handler(token, type), let user = users.id(of: name) else {
            throw .invalidGrant("the token handler rejected the subject token")
        }
        let scopes = try OAuthScope.granted(form.words("scope"), standard: ["api"])
        return tokens.issuer.login(
            client.id, subject: user, scopes: scopes, isLasting: OAuthScope.isLasting(scopes), boundTo: key)
    }

    private func device(
        _ form: OAuthForm, code name: String, _ key: String?
    ) throws(OAuthRejection) -> TokenIssuer.Grant {
        let client = try clients.authenticate(form, .secretIfAny)
        return try tokens.pollDevice(try form.required(name), clientID: client.id, boundTo: key)
    }

    /// Checks the issuer, signature, audience, times and user of an assertion (RFC 7523 §3).
    private func assertion(_ form: OAuthForm, _ key: String?) throws(OAuthRejection) -> TokenIssuer.Grant {
        guard let assertion = JWTAssertion(try form.required("assertion")) else {
            throw .invalidGrant("invalid assertion")
        }
        let client = try clients.client(assertion.issuer)
        guard form["client_id"].map({ $0 == client.id }) ?? true else {
            throw .invalidRequest("client_id and the assertion's iss differ")
        }
        guard assertion.isSigned(by: registry.keys[client.id] ?? []) else { throw .invalidGrant("invalid assertion") }
        let instance = tokens.identity.instanceURL
        let audiences = [instance, instance + "/services/oauth2/token"] + tokens.identity.audiences
        guard assertion.isMeant(for: audiences) else { throw .invalidGrant("audience is invalid") }
        if let fault = assertion.fault(at: tokens.clock.seconds) { throw .invalidGrant("invalid assertion: \(fault)") }
        guard let user = assertion.subject.flatMap(users.id) else {
            throw .invalidGrant("user hasn't approved this consumer")
        }
        try tokens.spend(assertion, of: client.id)
        return tokens.issuer.login(client.id, subject: user, scopes: ["api"], isLasting: false, boundTo: key)
    }

    /// Returns the response with the tokens, without a lifetime as on Salesforce.
    private func success(_ grant: TokenIssuer.Grant, isExchange: Bool) -> ServerResponse {
        let identity = tokens.identity
        let issuedAt = String(tokens.clock.milliseconds)
        let secret = (try? clients.client(grant.login.clientID))?.secret ?? ""
        let user = identity.identityURL(of: grant.login.subject)
        let signature = Digest.hmacSHA256(key: secret, user + issuedAt)
        return .unstored(
            .object { writer in
                for (name, value) in [
                    ("access_token", grant.accessToken), ("instance_url", identity.instanceURL), ("id", user),
                    ("token_type", grant.login.key == nil ? "Bearer" : "DPoP"), ("issued_at", issuedAt),
                    ("signature", Base64.encode(signature)),
                    ("scope", grant.login.scopes.joined(separator: " ")),
                ] {
                    writer.member(name, value)
                }
                if isExchange {
                    writer.member("issued_token_type", "urn:ietf:params:oauth:token-type:access_token")
                }
                if let token = grant.refreshToken { writer.member("refresh_token", token) }
            })
    }
}

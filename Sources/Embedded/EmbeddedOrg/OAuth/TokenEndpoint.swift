// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport

/// `POST /services/oauth2/token` (RFC 6749 3.2) with the platform's bodies.
struct TokenEndpoint {
    let tokens: TokenService
    let clients: ClientRegistry
    let users: UserLogin

    private static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let deviceCode = "urn:ietf:params:oauth:grant-type:device_code"

    /// What the endpoint can turn into tokens, for the metadata.
    static let grantTypes = [
        "authorization_code", "refresh_token", "client_credentials", "password", jwtBearer, deviceCode, "device",
    ]

    func answer(_ request: ServerRequest) -> ServerResponse {
        .noted { (note) throws(OAuthRefusal) in
            let form = try OAuthForm(request)
            note.grantType = form["grant_type"] ?? form["response_type"]
            note.clientID = form.basic?.id ?? form["client_id"]
            var response: ServerResponse
            if form["grant_type"] == nil, form["response_type"] == "device_code" {
                response = try DeviceEndpoint(tokens: tokens, clients: clients).begin(form, isPlatform: true)
            } else {
                let grant = try grant(form)
                note.clientID = grant.login.clientID
                response = success(grant)
            }
            note.outcome = "granted"
            return response
        }
    }

    private func grant(_ form: OAuthForm) throws(OAuthRefusal) -> TokenIssuer.Grant {
        switch form["grant_type"] {
        case "authorization_code": return try code(form)
        case "refresh_token":
            let client = try clients.authenticate(form, .secretIfAny)
            guard let grant = tokens.issuer.refresh(try form.required("refresh_token"), of: client.id) else {
                throw .invalidGrant("expired access/refresh token")
            }
            return grant
        case "client_credentials":
            let client = try clients.authenticate(form, .secret)
            let scopes = try OAuthScope.granted(form.words("scope"), standard: ["api"])
            // The platform runs such a login as the user that its app names.
            return tokens.issuer.login(client.id, subject: tokens.identity.userID, scopes: scopes, isLasting: false)
        case "password": return try password(form)
        case Self.jwtBearer: return try assertion(form)
        case "device": return try device(form, code: "code")
        case Self.deviceCode: return try device(form, code: "device_code")
        default: throw OAuthRefusal("unsupported_grant_type", "grant type not supported")
        }
    }

    private func code(_ form: OAuthForm) throws(OAuthRefusal) -> TokenIssuer.Grant {
        let client = try clients.authenticate(form, .secretIfAny)
        return try tokens.issuer.redeem(
            try form.required("code"), of: client.id, redirectURI: form["redirect_uri"],
            verifier: form["code_verifier"], takesAnyVerifier: tokens.takesAnyVerifier)
    }

    private func password(_ form: OAuthForm) throws(OAuthRefusal) -> TokenIssuer.Grant {
        let client = try clients.authenticate(form, .secret)
        let user = try users.check(form["username"] ?? "", form["password"] ?? "")
        let scopes = try OAuthScope.granted(form.words("scope"), standard: ["api"])
        return tokens.issuer.login(
            client.id, subject: user, scopes: scopes, isLasting: OAuthScope.isLasting(scopes))
    }

    private func device(_ form: OAuthForm, code name: String) throws(OAuthRefusal) -> TokenIssuer.Grant {
        let client = try clients.authenticate(form, .secretIfAny)
        return try tokens.pollDevice(try form.required(name), clientID: client.id)
    }

    /// Checks issuer, signature, audience, times and user of an assertion (RFC 7523 3).
    private func assertion(_ form: OAuthForm) throws(OAuthRefusal) -> TokenIssuer.Grant {
        guard let assertion = JWTAssertion(try form.required("assertion")) else {
            throw .invalidGrant("invalid assertion")
        }
        guard let client = assertion.issuer.flatMap(clients.client) else {
            throw OAuthRefusal("invalid_client_id", "client identifier invalid")
        }
        guard form["client_id"].map({ $0 == client.id }) ?? true else {
            throw .invalidRequest("client_id and the assertion's iss differ")
        }
        guard assertion.isSigned(by: client.keys) else { throw .invalidGrant("invalid assertion") }
        let instance = tokens.identity.instanceURL
        let audiences = [instance, instance + "/services/oauth2/token"] + tokens.identity.audiences
        guard assertion.isMeant(for: audiences) else { throw .invalidGrant("audience is invalid") }
        if let fault = assertion.fault(at: tokens.clock.seconds) { throw .invalidGrant("invalid assertion: \(fault)") }
        guard let user = assertion.subject.flatMap(users.id) else {
            throw .invalidGrant("user hasn't approved this consumer")
        }
        try tokens.spend(assertion, of: client.id)
        return tokens.issuer.login(client.id, subject: user, scopes: ["api"], isLasting: false)
    }

    /// The platform's answer; it has a lifetime only if the org is configured so.
    private func success(_ grant: TokenIssuer.Grant) -> ServerResponse {
        let identity = tokens.identity
        let issuedAt = String(tokens.clock.milliseconds)
        let secret = clients.client(grant.login.clientID)?.secret ?? ""
        let user = identity.identityURL(of: grant.login.subject)
        let signature = Digest.hmacSHA256(key: secret, user + issuedAt)
        return .unstored(
            .object { writer in
                for (name, value) in [
                    ("access_token", grant.accessToken), ("instance_url", identity.instanceURL), ("id", user),
                    ("token_type", "Bearer"), ("issued_at", issuedAt), ("signature", Base64.encode(signature)),
                    ("scope", grant.login.scopes.joined(separator: " ")),
                ] {
                    writer.member(name, value)
                }
                if let token = grant.refreshToken { writer.member("refresh_token", token) }
                if let seconds = tokens.announcedLifetime { writer.member("expires_in", seconds) }
            })
    }
}

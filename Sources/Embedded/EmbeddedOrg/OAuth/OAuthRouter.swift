// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport
import SOQLStore

struct OAuthRouter: Sendable {
    let tokens: TokenService
    let registry: ClientRegistry
    let users: UserLogin
    let browser: BrowserEndpoint
    let store: RecordStore

    static let pages: Set<String> = [LoginPages.path, DeviceEndpoint.page]

    /// Returns the response, or `nil` if the path is another one.
    func respond(_ request: ServerRequest, _ path: RequestPath) throws(OrgError) -> ServerResponse? {
        let segments = path.segments
        switch segments.first {
        case "services" where segments.count == 3 && segments[1] == "oauth2":
            return try oauth(request, path, segments[2])
        case "setup" where segments.count == 2 && segments[1] == "connect":
            try allow(request, "GET")
            return browser.device(request, path)
        case "id" where segments.count == 3:
            try allow(request, "GET", "POST")
            return IdentityEndpoints(tokens: tokens, users: users, store: store).identity(
                request, organization: segments[1], user: segments[2])
        case ".well-known" where segments.count == 2:
            try allow(request, "GET")
            return MetadataEndpoint(identity: tokens.identity, proofs: tokens.proofs.settings).respond(segments[1])
        default: return nil
        }
    }

    private func oauth(
        _ request: ServerRequest, _ path: RequestPath, _ name: String
    ) throws(OrgError) -> ServerResponse? {
        let information = TokenInformation(tokens: tokens, clients: registry.clients, users: users)
        switch name {
        case "authorize":
            try allow(request, "GET", "POST")
            return browser.authorize(request, path)
        case "token":
            try allow(request, "POST")
            return TokenEndpoint(tokens: tokens, registry: registry, users: users).respond(request)
        case "device_authorization":
            try allow(request, "POST")
            return DeviceEndpoint(tokens: tokens, clients: registry.clients).respond(request)
        case "revoke":
            try allow(request, "POST")
            return information.revoke(request)
        case "introspect":
            try allow(request, "POST")
            return information.introspect(request)
        case "userinfo":
            try allow(request, "GET", "POST")
            return IdentityEndpoints(tokens: tokens, users: users, store: store).userInfo(request)
        default: return nil
        }
    }

    private func allow(_ request: ServerRequest, _ methods: String...) throws(OrgError) {
        guard methods.contains(request.method) else { throw .methodNotAllowed(request.method, methods) }
    }
}

enum OAuthScope {
    /// The known scopes, while others are rejected to report typing errors.
    static let known = [
        "api", "web", "full", "id", "profile", "email", "address", "phone", "openid", "refresh_token", "offline_access",
        "chatter_api", "custom_permissions", "visualforce", "content", "lightning",
    ]

    static let standard = ["refresh_token", "api", "id"]

    /// Checks the requested scopes and returns them, or the default scopes if there are none.
    static func granted(_ wished: [String], standard: [String] = Self.standard) throws(OAuthRejection) -> [String] {
        guard wished.allSatisfy({ known.contains($0) }) else {
            throw OAuthRejection("invalid_scope", "the requested scope is not allowed")
        }
        return wished.isEmpty ? standard : wished.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether a login with these scopes has a refresh token.
    static func isLasting(_ scopes: [String]) -> Bool {
        scopes.contains { $0 == "refresh_token" || $0 == "offline_access" }
    }

    /// Whether these scopes include the REST API.
    static func opensAPI(_ scopes: [String]) -> Bool { scopes.contains { $0 == "api" || $0 == "full" } }
}

/// The start of a device login (RFC 8628 §3.1), also in Salesforce's older form at the token endpoint.
struct DeviceEndpoint {
    let tokens: TokenService
    let clients: RegisteredClients

    /// The page where the user enters the code.
    static let page = "/setup/connect"

    func respond(_ request: ServerRequest) -> ServerResponse {
        .noted("device_authorization") { (note) throws(OAuthRejection) in
            let form = try OAuthForm(request)
            note.clientID = form.clientID
            let response = try begin(form, isPlatform: false)
            note.outcome = "granted"
            return response
        }
    }

    func begin(_ form: OAuthForm, isPlatform: Bool) throws(OAuthRejection) -> ServerResponse {
        let client = try clients.authenticate(form, .secretIfAny)
        let scopes = try OAuthScope.granted(form.words("scope"))
        guard let codes = tokens.beginDevice(client.id, scopes) else {
            throw .rateLimited(.seconds(60))
        }
        let address = tokens.identity.instanceURL + Self.page
        return .unstored(
            .object { writer in
                writer.member("device_code", codes.deviceCode)
                writer.member("user_code", codes.userCode)
                writer.member("verification_uri", address)
                writer.member("interval", Int(DeviceLogin.interval.components.seconds))
                if !isPlatform {
                    writer.member("verification_uri_complete", "\(address)?user_code=\(codes.userCode)")
                    writer.member("expires_in", Int(TokenService.codeLifetime.components.seconds))
                }
            })
    }
}

/// `/revoke` (RFC 7009) and `/introspect` (RFC 7662).
struct TokenInformation {
    let tokens: TokenService
    let clients: RegisteredClients
    let users: UserLogin

    /// Revokes a token, also successfully if it is unknown (RFC 7009 §2.2).
    func revoke(_ request: ServerRequest) -> ServerResponse {
        .noted("revoke") { (note) throws(OAuthRejection) in
            note.outcome = tokens.issuer.revoke(try OAuthForm(request).required("token")) ? "revoked" : "unknown"
            return .unstored(.empty(200))
        }
    }

    func introspect(_ request: ServerRequest) -> ServerResponse {
        .noted("introspect") { (note) throws(OAuthRejection) in
            let form = try OAuthForm(request)
            let client = try clients.authenticate(form, .secretIfAny)
            note.clientID = client.id
            let status = tokens.status(of: try form.required("token"), for: client.id)
            note.outcome = status == nil ? "inactive" : "active"
            return body(status)
        }
    }

    /// Returns the details of an active token, or that it is inactive (RFC 7662 §2.2).
    private func body(_ status: TokenService.Status?) -> ServerResponse {
        .unstored(
            .object { writer in
                writer.member("active", status != nil)
                guard let status else { return }
                writer.member("scope", status.login.scopes.joined(separator: " "))
                writer.member("client_id", status.login.clientID)
                writer.member("username", users.username(of: status.login.subject))
                writer.member("sub", tokens.identity.identityURL(of: status.login.subject))
                writer.member("token_type", status.type)
                if let expiry = status.expiry { writer.member("exp", Int(clamping: expiry)) }
                writer.member("iat", Int(clamping: status.login.issuedAt))
                writer.member("nbf", Int(clamping: status.login.issuedAt))
            })
    }
}

/// `/.well-known/…`: the addresses of the endpoints (RFC 8414).
struct MetadataEndpoint {
    let identity: OrgIdentity
    let proofs: ProofSettings

    func respond(_ name: String) -> ServerResponse? {
        switch name {
        case "oauth-authorization-server", "openid-configuration": metadata
        default: nil
        }
    }

    private var metadata: ServerResponse {
        let base = identity.instanceURL
        return .object { writer in
            writer.member("issuer", base)
            for (name, path) in [
                ("authorization_endpoint", "authorize"), ("token_endpoint", "token"), ("revocation_endpoint", "revoke"),
                ("introspection_endpoint", "introspect"), ("userinfo_endpoint", "userinfo"),
                ("device_authorization_endpoint", "device_authorization"),
            ] {
                writer.member(name, "\(base)/services/oauth2/\(path)")
            }
            for (name, values) in [
                ("scopes_supported", OAuthScope.known), ("response_types_supported", ["code"]),
                ("response_modes_supported", ["query"]), ("grant_types_supported", TokenEndpoint.grantTypes),
                ("code_challenge_methods_supported", ["S256"]), ("subject_types_supported", ["public"]),
                ("token_endpoint_auth_methods_supported", ["client_secret_post", "client_secret_basic", "none"]),
                ("prompt_values_supported", AuthorizationRequest.prompts),
            ] {
                writer.member(name, list: values)
            }
            if proofs.mode != .off { writer.member("dpop_signing_alg_values_supported", list: ["ES256"]) }
            writer.member("authorization_response_iss_parameter_supported", true)
        }
    }
}

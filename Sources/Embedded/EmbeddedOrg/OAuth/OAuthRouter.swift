// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

/// Finds the endpoint of a request that has to do with logins.
struct OAuthRouter: Sendable {
    let tokens: TokenService
    let clients: ClientRegistry
    let users: UserLogin
    let browser: BrowserEndpoint
    let store: RecordStore

    /// The pages for people.
    static let pages: Set<String> = [LoginPages.path, DeviceEndpoint.page]

    /// The answer, or `nil` when the path is none of these.
    func answer(_ request: ServerRequest, _ path: RequestPath) throws(OrgFault) -> ServerResponse? {
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
            return MetadataEndpoint(identity: tokens.identity).answer(segments[1])
        default: return nil
        }
    }

    private func oauth(
        _ request: ServerRequest, _ path: RequestPath, _ name: String
    ) throws(OrgFault) -> ServerResponse? {
        let information = TokenInformation(tokens: tokens, clients: clients, users: users)
        switch name {
        case "authorize":
            try allow(request, "GET", "POST")
            return browser.authorize(request, path)
        case "token":
            try allow(request, "POST")
            return TokenEndpoint(tokens: tokens, clients: clients, users: users).answer(request)
        case "device_authorization":
            try allow(request, "POST")
            return DeviceEndpoint(tokens: tokens, clients: clients).answer(request)
        case "revoke":
            try allow(request, "GET", "POST")
            return information.revoke(request, path)
        case "introspect":
            try allow(request, "POST")
            return information.introspect(request)
        case "userinfo":
            try allow(request, "GET", "POST")
            return IdentityEndpoints(tokens: tokens, users: users, store: store).userInfo(request)
        default: return nil
        }
    }

    private func allow(_ request: ServerRequest, _ methods: String...) throws(OrgFault) {
        guard methods.contains(request.method) else { throw .methodNotAllowed(request.method, methods) }
    }
}

/// What a login may be used for.
enum OAuthScope {
    /// The scopes the org knows; others are refused, so that a typing error is noticed.
    static let known = [
        "api", "web", "full", "id", "profile", "email", "address", "phone", "openid", "refresh_token", "offline_access",
        "chatter_api", "custom_permissions", "visualforce", "content", "lightning",
    ]

    /// What is granted when nothing is asked for.
    static let standard = ["refresh_token", "api", "id"]

    /// Checks the requested scopes; none means the standard ones.
    static func granted(_ wished: [String], standard: [String] = Self.standard) throws(OAuthRefusal) -> [String] {
        guard wished.allSatisfy({ known.contains($0) }) else {
            throw OAuthRefusal("invalid_scope", "the requested scope is not allowed")
        }
        return wished.isEmpty ? standard : wished.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether a login with these scopes goes on after its access token.
    static func isLasting(_ scopes: [String]) -> Bool {
        scopes.contains { $0 == "refresh_token" || $0 == "offline_access" }
    }

    /// Whether these scopes open the REST API.
    static func opensAPI(_ scopes: [String]) -> Bool { scopes.contains { $0 == "api" || $0 == "full" } }
}

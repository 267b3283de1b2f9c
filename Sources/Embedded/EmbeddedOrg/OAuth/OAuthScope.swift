// SPDX-License-Identifier: Apache-2.0

import LocalServer

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

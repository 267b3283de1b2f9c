// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// A parsed and checked answer of the token endpoint (RFC 6749 §5.1).
struct TokenResponse: Sendable, Hashable {
    /// The new access token.
    let accessToken: Secret
    /// The new refresh token; `nil` means that the one in use stays valid (RFC 6749 §6).
    let refreshToken: Secret?
    /// Where the access token is to be used, when the server said.
    let instanceURL: String?
    /// The identity URL.
    let identityURL: String?
    /// Milliseconds since 1970 at which the token was issued.
    let issuedAtMilliseconds: Int64?
    /// The granted scopes.
    let scopes: [String]

    /// Reads a token response.
    ///
    /// - Throws: ``OAuthError`` with the server's own code, `.serverUnavailable` for 429 and 5xx, or
    /// `.invalidResponse`.
    init(reading response: HTTPResponse) throws(OAuthError) {
        let status = response.head.status
        guard let root = try? JSONValue(parsing: response.body), root.object != nil else {
            if status == 429 || status >= 500 { throw Self.unavailable(status) }
            throw OAuthError(.invalidResponse, "the token endpoint answered \(status) without a JSON object")
        }
        if let error = root["error"]?.string {
            throw OAuthError(.init(rawValue: error), root["error_description"]?.string ?? "no description given")
        }
        if status == 429 || status >= 500 { throw Self.unavailable(status) }
        guard status == 200, let token = root["access_token"]?.string, Self.isUsable(token) else {
            throw OAuthError(.invalidResponse, "the token endpoint answered \(status) without a usable access_token")
        }
        if let type = root["token_type"]?.string, type.lowercased() != "bearer" {
            throw OAuthError(.invalidResponse, "the token endpoint gave a token of type \(type); only Bearer is spoken")
        }
        accessToken = Secret(token)
        refreshToken = root["refresh_token"]?.string.flatMap { Self.isUsable($0) ? Secret($0) : nil }
        instanceURL = root["instance_url"]?.string
        identityURL = root["id"]?.string
        issuedAtMilliseconds = root["issued_at"]?.string.flatMap { Int64($0) }
        scopes = root["scope"]?.string?.split(separator: " ").map(String.init) ?? []
    }

    private static func unavailable(_ status: Int) -> OAuthError {
        OAuthError(.serverUnavailable, "the token endpoint answered \(status); try again later")
    }

    /// Whether the text can stand in an `Authorization` field: visible ASCII, at most 16 KiB.
    private static func isUsable(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.count <= 16_384 && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The client acts for itself (RFC 6749 §4.4).
public struct ClientCredentialsGrant: OAuthGrant {
    /// What the token is to be good for; empty asks for what the client is registered for.
    public let scopes: [String]

    /// Makes the grant; the client's id and secret are all it needs.
    public init(scopes: [String] = []) {
        self.scopes = scopes
    }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [("grant_type", "client_credentials")] + Scopes.field(scopes)
    }
}

/// The user's name and password go to the server (RFC 6749 §4.3).
///
/// Legacy: RFC 9700 §2.4 forbids it for new systems. Use it only where nothing else is offered.
public struct PasswordGrant: OAuthGrant {
    /// The user's login name.
    public let username: String
    /// The password, followed by the security token where the org asks for one.
    public let password: Secret
    /// What the token is to be good for; empty asks for what the client is registered for.
    public let scopes: [String]

    /// Makes the grant.
    public init(username: String, password: Secret, scopes: [String] = []) {
        self.username = username
        self.password = password
        self.scopes = scopes
    }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [("grant_type", "password"), ("username", Secret(username)), ("password", password)] + Scopes.field(scopes)
    }
}

/// A refresh token gives a new access token, and under rotation a new refresh token too (RFC 6749 §6).
public struct RefreshTokenGrant: OAuthGrant {
    /// The token to spend.
    public let refreshToken: Secret
    /// What the new token is to be good for, at most what the login was granted; empty asks for the same.
    public let scopes: [String]

    /// Makes the grant.
    public init(refreshToken: Secret, scopes: [String] = []) {
        self.refreshToken = refreshToken
        self.scopes = scopes
    }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [("grant_type", "refresh_token"), ("refresh_token", refreshToken)] + Scopes.field(scopes)
    }
}

/// The `scope` of a token request (RFC 6749 §3.3).
enum Scopes {
    /// The form field; none for no scopes, since some servers take an empty one for a wrong one.
    static func field(_ scopes: [String]) -> [(name: String, value: Secret)] {
        scopes.isEmpty ? [] : [("scope", Secret(scopes.joined(separator: " ")))]
    }
}

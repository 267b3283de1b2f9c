// SPDX-License-Identifier: Apache-2.0

/// The client acts for itself (RFC 6749 §4.4).
public struct ClientCredentialsGrant: OAuthGrant {
    /// Makes the grant; the client's id and secret are all it needs.
    public init() {}

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] { [("grant_type", "client_credentials")] }
}

/// The user's name and password go to the server (RFC 6749 §4.3).
///
/// Legacy: RFC 9700 §2.4 forbids it for new systems. Use it only where nothing else is offered.
public struct PasswordGrant: OAuthGrant {
    /// The user's login name.
    public let username: String
    /// The password, followed by the security token where the org asks for one.
    public let password: Secret

    /// Makes the grant.
    public init(username: String, password: Secret) {
        self.username = username
        self.password = password
    }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [("grant_type", "password"), ("username", Secret(username)), ("password", password)]
    }
}

/// A refresh token gives a new access token, and under rotation a new refresh token too (RFC 6749 §6).
public struct RefreshTokenGrant: OAuthGrant {
    /// The token to spend.
    public let refreshToken: Secret

    /// Makes the grant.
    public init(refreshToken: Secret) {
        self.refreshToken = refreshToken
    }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
    }
}

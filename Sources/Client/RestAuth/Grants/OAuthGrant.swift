// SPDX-License-Identifier: Apache-2.0

/// A way to get tokens from the token endpoint (RFC 6749 §1.3): the form fields beside the client's own.
///
/// The grants of this library are values of this kind, and so can be your own, such as a token exchange (RFC 8693).
public protocol OAuthGrant: Credential.Grant {
    /// The form fields of the token request, `grant_type` among them, in order.
    ///
    /// Asked for anew with every request, so that a grant can sign what must be fresh.
    ///
    /// - Throws: ``OAuthError`` when they cannot be made; nothing is sent then.
    var parameters: [(name: String, value: Secret)] { get throws(OAuthError) }
}

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

    /// `true`: the grant is made for programs that no user watches.
    public var isAskedAgain: Bool { true }
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

/// The code that the browser brought back gives the first tokens (RFC 6749 §4.1.3, RFC 7636 §4.5).
///
/// ``OAuthClient/finishLogin(_:redirectURL:deadline:)`` makes and spends it after checking the redirect.
package struct AuthorizationCodeGrant: OAuthGrant {
    /// The code; good once and for minutes.
    package let code: Secret
    /// The redirect URI of the authorization request, unchanged.
    package let redirectURI: String
    /// The verifier whose challenge the authorization request carried.
    package let verifier: PendingLogin.CodeVerifier

    /// Makes the grant.
    package init(code: Secret, redirectURI: String, verifier: PendingLogin.CodeVerifier) {
        self.code = code
        self.redirectURI = redirectURI
        self.verifier = verifier
    }

    /// The form fields of this grant.
    package var parameters: [(name: String, value: Secret)] {
        [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Secret(redirectURI)),
            ("code_verifier", verifier.secret),
        ]
    }
}

/// The code of a device login gives tokens once the user has agreed elsewhere (RFC 8628 §3.4).
struct DeviceCodeGrant: OAuthGrant {
    let deviceCode: Secret
    /// Whether to speak the platform's older form.
    let isPlatform: Bool

    var parameters: [(name: String, value: Secret)] {
        guard isPlatform else {
            return [
                ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode),
            ]
        }
        return [("grant_type", "device"), ("code", deviceCode)]
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The code that the browser brought back gives the first tokens (RFC 6749 §4.1.3, RFC 7636 §4.5).
///
/// ``OAuthClient/finishLogin(_:redirectURL:deadline:)`` makes and spends it after checking the redirect; use it by
/// itself only where something else did that.
public struct AuthorizationCodeGrant: OAuthGrant {
    /// The code; good once and for minutes.
    public let code: Secret
    /// The redirect URI of the authorization request, unchanged.
    public let redirectURI: String
    /// The verifier whose challenge the authorization request carried.
    public let verifier: CodeVerifier

    /// Makes the grant.
    public init(code: Secret, redirectURI: String, verifier: CodeVerifier) {
        self.code = code
        self.redirectURI = redirectURI
        self.verifier = verifier
    }

    /// The form fields of this grant.
    public var parameters: [(name: String, value: Secret)] {
        [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Secret(redirectURI)),
            ("code_verifier", verifier.secret),
        ]
    }
}

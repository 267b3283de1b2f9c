// SPDX-License-Identifier: Apache-2.0

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

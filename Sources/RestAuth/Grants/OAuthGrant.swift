// SPDX-License-Identifier: Apache-2.0

/// A way to get tokens from the token endpoint (RFC 6749 §1.3): the form fields beside the client's own.
///
/// The grants of this library are values of this kind, and so can be your own, such as a token exchange (RFC 8693).
public protocol OAuthGrant: Sendable {
    /// The form fields of the token request, `grant_type` among them, in order.
    ///
    /// Asked for anew with every request, so that a grant can sign what must be fresh.
    ///
    /// - Throws: ``OAuthError`` when they cannot be made; nothing is sent then.
    var parameters: [(name: String, value: Secret)] { get throws(OAuthError) }
}

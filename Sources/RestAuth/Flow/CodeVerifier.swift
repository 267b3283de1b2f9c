// SPDX-License-Identifier: Apache-2.0

import RestCrypto
import RestTransport

extension PendingLogin {
    /// The secret that ties the code of a login to the program that began it (PKCE, RFC 7636).
    public struct CodeVerifier: Sendable, Hashable {
        let secret: Secret

        /// Takes a verifier made elsewhere.
        ///
        /// - Throws: ``OAuthError`` with `.invalidRequest` unless it has 43 to 128 letters, digits and `-._~` (§4.1).
        public init(_ text: String) throws(OAuthError) {
            guard (43...128).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isUnreserved) else {
                throw OAuthError(.invalidRequest, "a PKCE verifier must have 43 to 128 letters, digits and -._~")
            }
            secret = Secret(text)
        }

        /// Makes a verifier of 256 random bits.
        ///
        /// - Throws: ``OAuthError`` with `.cryptographyUnavailable` when the system gives none.
        package init(from random: RandomSource = .system) throws(OAuthError) {
            secret = Secret(Base64.encodeForURL(try random.bytes(32)))
        }

        /// The S256 challenge (§4.2), which may be seen.
        func challenge() throws(OAuthError) -> String {
            guard let digest = MessageDigest.sha256(Array(secret.reveal().utf8)) else {
                throw OAuthError(.cryptographyUnavailable, "the system makes no digests; nothing was sent")
            }
            return Base64.encodeForURL(digest)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The public keys a server may have: SHA-256 digests of the SubjectPublicKeyInfo, as in RFC 7469 §2.4.
struct PublicKeyPins: Sendable {
    private let digests: [String]

    /// Makes pins of digests in base64; one that is malformed matches no key.
    init(_ digests: [String]) {
        self.digests = digests
    }

    /// Whether nothing is pinned.
    var isEmpty: Bool { digests.isEmpty }

    /// Whether the key of a certificate is one of the pinned ones.
    ///
    /// - Parameter sha256: the platform's digest.
    func accept(_ certificate: [UInt8], sha256: (ArraySlice<UInt8>) -> [UInt8]) -> Bool {
        guard let key = CertificateDER.publicKeyInfo(in: certificate) else { return false }
        return digests.contains(Data(sha256(key)).base64EncodedString())
    }
}

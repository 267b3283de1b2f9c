// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport

/// The accepted public keys of a server, as SHA-256 digests of the SubjectPublicKeyInfo (RFC 7469 §2.4).
struct PublicKeyPins: Sendable {
    private let digests: [String]

    /// Creates pins from base64 digests, where a malformed digest matches no key.
    init(_ digests: [String]) { self.digests = digests }

    var isEmpty: Bool { digests.isEmpty }

    /// Whether the key of a DER certificate is pinned.
    func accept(_ certificate: [UInt8], sha256: (ArraySlice<UInt8>) -> [UInt8]) -> Bool {
        guard let key = CertificateDER.publicKeyInfo(in: certificate) else { return false }
        return digests.contains(Data(sha256(key)).base64EncodedString())
    }
}

/// Finds the public key in an X.509 certificate (RFC 5280 §4.1) that the system has already verified.
///
/// The whole SubjectPublicKeyInfo is used, so that keys of all types can be pinned without a table of their headers.
enum CertificateDER {
    /// Returns the SubjectPublicKeyInfo with its header, or `nil` if the bytes are not a certificate.
    static func publicKeyInfo(in certificate: [UInt8]) -> ArraySlice<UInt8>? {
        var outer = DERReader(certificate[...])
        guard var signed = outer.reader(of: .sequence), var fields = signed.reader(of: .sequence) else { return nil }
        // The version, which only certificates of version 1 lack.
        _ = fields.value(of: .version)
        // Serial number, signature algorithm, issuer, validity, subject.
        for tag: DERReader.Tag in [.integer, .sequence, .sequence, .sequence, .sequence] {
            guard fields.value(of: tag) != nil else { return nil }
        }
        return fields.element(of: .sequence)
    }
}

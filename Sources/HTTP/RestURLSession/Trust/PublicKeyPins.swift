// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The accepted public keys of a server, as SHA-256 digests of the SubjectPublicKeyInfo (RFC 7469 §2.4).
struct PublicKeyPins: Sendable {
    private let digests: [String]

    /// Creates pins from base64 digests, where a malformed digest matches no key.
    init(_ digests: [String]) {
        self.digests = digests
    }

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
        var outer = certificate[...]
        guard var signed = takeElement(&outer, tag: 0x30).flatMap({ content(of: $0) }),
            var fields = takeElement(&signed, tag: 0x30).flatMap({ content(of: $0) })
        else { return nil }
        // The version, which only certificates of version 1 lack.
        if fields.first == 0xA0 { _ = takeElement(&fields, tag: 0xA0) }
        // Serial number, signature algorithm, issuer, validity, subject.
        for tag: UInt8 in [0x02, 0x30, 0x30, 0x30, 0x30] {
            guard takeElement(&fields, tag: tag) != nil else { return nil }
        }
        return takeElement(&fields, tag: 0x30)
    }

    /// Removes the first element, including its header, from the bytes.
    private static func takeElement(_ bytes: inout ArraySlice<UInt8>, tag: UInt8) -> ArraySlice<UInt8>? {
        guard bytes.first == tag, let (header, length) = lengths(of: bytes),
            length <= bytes.count - header
        else { return nil }
        defer { bytes = bytes.dropFirst(header + length) }
        return bytes.prefix(header + length)
    }

    private static func content(of element: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        lengths(of: element).map { element.dropFirst($0.header) }
    }

    /// The sizes of an element's header and content (X.690 §8.1.3), or `nil` if the length has more than four bytes.
    private static func lengths(of bytes: ArraySlice<UInt8>) -> (header: Int, content: Int)? {
        guard let first = bytes.dropFirst().first else { return nil }
        guard first >= 0x80 else { return (2, Int(first)) }
        let count = Int(first & 0x7F)
        let digits = bytes.dropFirst(2).prefix(count)
        guard (1...4).contains(count), digits.count == count else { return nil }
        return (2 + count, digits.reduce(0) { $0 << 8 | Int($1) })
    }
}

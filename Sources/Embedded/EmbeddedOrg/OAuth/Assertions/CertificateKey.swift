// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

#if canImport(COpenSSL)
import COpenSSL
#elseif canImport(CryptoKit)
import Foundation
import Security
#endif

/// The RSA key of a certificate, to check signatures with RS256 (RFC 7518 §3.3).
struct CertificateKey: Sendable {
    private let der: [UInt8]
    private static let leastBits = 2_048

    /// Reads the first certificate of a text in PEM (RFC 7468); `nil` when there is none with an RSA key long enough.
    init?(pem: String) {
        let lines = pem.lines.filter { !$0.isEmpty }.map { $0.without(" \t") }
        guard let begin = lines.firstIndex(of: "-----BEGINCERTIFICATE-----"),
            let end = lines[begin...].firstIndex(of: "-----ENDCERTIFICATE-----"),
            let bytes = Base64.decode(lines[(begin + 1)..<end].joined())
        else { return nil }
        der = bytes
        guard bits >= Self.leastBits else { return nil }
    }
}

#if canImport(COpenSSL)
extension CertificateKey {
    /// The length of the key, or 0 when the certificate cannot be read or has a key of another kind.
    private var bits: Int {
        unsafe withKey { key in
            unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA ? Int(unsafe EVP_PKEY_get_bits(key)) : 0
        } ?? 0
    }

    /// Whether the signature of the message was made with the certificate's key (RSASSA-PKCS1-v1_5 with SHA-256).
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        unsafe withKey { key in
            guard let context = unsafe EVP_MD_CTX_new() else { return false }
            defer { unsafe EVP_MD_CTX_free(context) }
            guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
            return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        } ?? false
    }

    private func withKey<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
        Libcrypto.prepare()
        return unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            guard let certificate = unsafe d2i_X509(nil, &next, bytes.count) else { return nil }
            defer { unsafe X509_free(certificate) }
            guard let key = unsafe X509_get_pubkey(certificate) else { return nil }
            defer { unsafe EVP_PKEY_free(key) }
            return unsafe body(key)
        }
    }
}
#elseif canImport(CryptoKit)
extension CertificateKey {
    /// The length of the key, or 0 when the certificate cannot be read or has a key of another kind.
    private var bits: Int {
        guard let key, let attributes = SecKeyCopyAttributes(key) as? [CFString: Any],
            attributes[kSecAttrKeyType] as? String == kSecAttrKeyTypeRSA as String
        else { return 0 }
        return attributes[kSecAttrKeySizeInBits] as? Int ?? 0
    }

    /// Whether the signature of the message was made with the certificate's key (RSASSA-PKCS1-v1_5 with SHA-256).
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key else { return false }
        return SecKeyVerifySignature(
            key, .rsaSignatureMessagePKCS1v15SHA256, Data(message) as CFData, Data(signature) as CFData, nil)
    }

    private var key: SecKey? {
        SecCertificateCreateWithData(nil, Data(der) as CFData).flatMap(SecCertificateCopyKey)
    }
}
#endif

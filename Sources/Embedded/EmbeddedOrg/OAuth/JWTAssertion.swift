// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport

#if canImport(COpenSSL)
import COpenSSL
#elseif canImport(CryptoKit)
import Foundation
import Security
#endif

/// A signed JWT assertion, parsed.
struct JWTAssertion {
    private let token: SignedJWT
    private var claims: JSONValue { token.claims }

    /// Returns `nil` unless the text is a signed JWT.
    init?(_ text: String) {
        guard let token = SignedJWT(text) else { return nil }
        self.token = token
    }

    /// The identity of the assertion: its `jti`, or everything that was signed.
    var identifier: String {
        claims["jti"]?.string.map { "jti \($0)" } ?? String(decoding: token.signed, as: UTF8.self)
    }

    /// The time when it expires, in seconds since 1970.
    var end: Int64 { (seconds("exp") ?? 0) + Self.skew }

    var issuer: String? { claims["iss"]?.string }
    var subject: String? { claims["sub"]?.string ?? claims["prn"]?.string }

    /// Whether one of the keys made the signature with RS256.
    func isSigned(by keys: [CertificateKey]) -> Bool {
        token.header["alg"]?.string == "RS256" && keys.contains { $0.verifies(token.signature, of: token.signed) }
    }

    func isMeant(for audiences: [String]) -> Bool {
        let given = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string].compactMap(\.self)
        return given.contains { audiences.contains($0.removing(suffix: "/").map(String.init) ?? $0) }
    }

    /// Returns the error in the times, or `nil` if they are valid at a time in seconds since 1970 (RFC 7523 §3).
    func fault(at now: Int64) -> String? {
        guard let expiry = seconds("exp") else { return "exp is missing or not a number" }
        guard expiry > now - Self.skew else { return "it has expired" }
        guard expiry <= now + Self.longestLife + Self.skew else { return "exp is more than five minutes ahead" }
        for name in ["nbf", "iat"] {
            guard claims[name] != nil else { continue }
            guard let time = seconds(name) else { return "\(name) is not a number" }
            guard time <= now + Self.skew else { return "\(name) is in the future" }
        }
        return nil
    }

    /// The maximum difference of clocks and the maximum lifetime of an assertion, in seconds.
    private static let (skew, longestLife) = (Int64(30), Int64(300))

    /// Returns a time, which may be a string as on Salesforce.
    private func seconds(_ name: String) -> Int64? {
        if let text = claims[name]?.string { return Int64(outside: text, in: .epochSeconds) }
        // bounded: by its magnitude
        guard let number = claims[name]?.double, number.magnitude < 1e15 else { return nil }
        return Int64(number)
    }
}

/// The accepted assertions until they expire, as a value without I/O.
package struct SpentAssertions: Sendable {
    private struct Name: Hashable {
        let clientID: String
        let identifier: String
    }

    /// The expiry of each assertion, in seconds since 1970.
    private var ends: [Name: Int64] = [:]
    private let capacity: Int

    /// - Parameter capacity: the maximum number of stored assertions. Beyond it, new ones are rejected, so none is
    ///   forgotten.
    package init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// Accepts an assertion only once.
    package mutating func spend(
        _ identifier: String, of clientID: String, until end: Int64, now: Int64
    ) throws(OAuthRejection) {
        let name = Name(clientID: clientID, identifier: identifier)
        guard ends[name].map({ $0 < now }) ?? true else {
            throw .invalidGrant("invalid assertion: it was used before")
        }
        if ends.count >= capacity { ends = ends.filter { $0.value >= now } }
        guard ends.count < capacity else { throw .rateLimited(.seconds(60)) }
        ends[name] = end
    }
}

/// The RSA key of a certificate, for signatures with RS256 (RFC 7518 §3.3).
struct CertificateKey: Sendable {
    private let der: [UInt8]
    private static let leastBits = 2_048

    /// Reads the first PEM certificate of a text (RFC 7468), or returns `nil` unless it has an RSA key of sufficient
    /// length.
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
    /// The length of the key, or 0 for an invalid certificate or another kind of key.
    private var bits: Int {
        unsafe withKey { key in
            unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA ? Int(unsafe EVP_PKEY_get_bits(key)) : 0
        } ?? 0
    }

    /// Whether the certificate's key signed the message (RSASSA-PKCS1-v1_5 with SHA-256).
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
    private var bits: Int {
        guard let key, let attributes = SecKeyCopyAttributes(key) as? [CFString: Any],
            attributes[kSecAttrKeyType] as? String == kSecAttrKeyTypeRSA as String
        else { return 0 }
        return attributes[kSecAttrKeySizeInBits] as? Int ?? 0
    }

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

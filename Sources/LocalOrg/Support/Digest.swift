// SPDX-License-Identifier: Apache-2.0

#if canImport(COpenSSL)
import COpenSSL

/// SHA-256 and what the org makes of it, by libcrypto.
package enum Digest {
    /// SHA-256 of the bytes (FIPS 180-4).
    package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: 32)
        unsafe EVP_Digest(input, input.count, &output, nil, EVP_sha256(), nil)
        return output
    }

    /// HMAC-SHA256 of a text (RFC 2104).
    package static func hmacSHA256(key: String, _ text: String) -> [UInt8] {
        let (key, input) = (Array(key.utf8), Array(text.utf8))
        var output = [UInt8](repeating: 0, count: 32)
        unsafe HMAC(EVP_sha256(), key, CInt(clamping: key.count), input, input.count, &output, nil)
        return output
    }

    /// Whether two texts are equal, in a time that tells nothing about where they differ.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (sha256(left.utf8), sha256(right.utf8))
        return unsafe CRYPTO_memcmp(left, right, left.count) == 0
    }
}
#elseif canImport(CryptoKit)
import CryptoKit
import Foundation

/// SHA-256 and what the org makes of it, by CryptoKit.
package enum Digest {
    /// SHA-256 of the bytes (FIPS 180-4).
    package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        Array(SHA256.hash(data: Array(bytes)))
    }

    /// HMAC-SHA256 of a text (RFC 2104).
    package static func hmacSHA256(key: String, _ text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: Array(key.utf8))))
    }

    /// Whether two texts are equal, in a time that tells nothing about where they differ.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        let key = SymmetricKey(size: .bits256)
        let code = HMAC<SHA256>.authenticationCode(for: Array(left.utf8), using: key)
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Array(right.utf8), using: key)
    }
}
#endif

extension Digest {
    /// A short name for a secret that gives nothing of it away: 12 hexadecimal digits of its SHA-256.
    static func fingerprint(_ secret: String) -> String {
        sha256(secret.utf8).prefix(6).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

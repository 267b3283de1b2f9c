// SPDX-License-Identifier: Apache-2.0

#if canImport(COpenSSL)
import RestBase
import COpenSSL
#elseif canImport(CryptoKit)
import CryptoKit
#endif

/// Message digests, made by the platform's own cryptography: libcrypto or CryptoKit.
package enum MessageDigest {
    /// SHA-256 of the bytes (FIPS 180-4), 32 bytes; `nil` when libcrypto is out of memory or refuses the algorithm.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8]? {
        #if canImport(COpenSSL)
        Libcrypto.prepare()
        var output = [UInt8](repeating: 0, count: 32)
        let isMade = unsafe EVP_Digest(bytes, bytes.count, &output, nil, EVP_sha256(), nil) == 1
        return isMade ? output : nil
        #elseif canImport(CryptoKit)
        return Array(SHA256.hash(data: bytes))
        #endif
    }

    /// SHA-256 of the bytes as 64 hexadecimal digits in lower case.
    package static func hexSHA256(_ bytes: [UInt8]) -> [UInt8]? {
        sha256(bytes).map(Hexadecimal.encode)
    }

    /// HMAC-SHA-256 of the bytes (RFC 2104), 32 bytes; `nil` as in ``sha256(_:)``.
    package static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8]? {
        #if canImport(COpenSSL)
        Libcrypto.prepare()
        var output = [UInt8](repeating: 0, count: 32)
        let made = unsafe HMAC(EVP_sha256(), key, CInt(clamping: key.count), bytes, bytes.count, &output, nil)
        return unsafe made == nil ? nil : output
        #elseif canImport(CryptoKit)
        return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
        #endif
    }

    /// Whether the bytes are equal, in a time that does not tell where they differ.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        #if canImport(COpenSSL)
        return unsafe CRYPTO_memcmp(left, right, left.count) == 0
        #elseif canImport(CryptoKit)
        let key = SymmetricKey(size: .bits256)
        let code = HMAC<SHA256>.authenticationCode(for: left, using: key)
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: right, using: key)
        #endif
    }
}

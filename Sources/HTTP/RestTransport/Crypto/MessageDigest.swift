// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(COpenSSL)
import COpenSSL
#elseif canImport(CryptoKit)
import CryptoKit
import Foundation
#endif

/// Message digests, computed by libcrypto or CryptoKit.
package enum MessageDigest {
    /// The SHA-256 digest (FIPS 180-4) as 32 bytes, or `nil` if libcrypto lacks memory or the algorithm.
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

    /// The SHA-256 digest as 64 lower-case hexadecimal digits.
    package static func hexSHA256(_ bytes: [UInt8]) -> [UInt8]? {
        sha256(bytes).map(Hexadecimal.encode)
    }

    /// The HMAC-SHA-256 (RFC 2104) as 32 bytes, or `nil` as in ``sha256(_:)``.
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

    /// Whether the bytes are equal, in a time that does not depend on the position of a difference.
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

/// An incremental SHA-256 digest (FIPS 180-4), whose copies continue independently.
package struct RunningSHA256: Sendable {
    #if canImport(COpenSSL)
    private var context = DigestContext()
    #elseif canImport(CryptoKit)
    private var hasher = SHA256()
    #endif

    package init() {}

    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        #if canImport(COpenSSL)
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
        context.update(bytes)
        #elseif canImport(CryptoKit)
        hasher.update(data: bytes)
        #endif
    }

    /// The digest so far as 32 bytes, or `nil` if libcrypto lacks memory or the algorithm.
    package var digest: [UInt8]? {
        #if canImport(COpenSSL)
        DigestContext(copying: context).finish()
        #elseif canImport(CryptoKit)
        Array(hasher.finalize())
        #endif
    }
}

#if canImport(COpenSSL)
/// An incremental digest in libcrypto.
///
/// Sendable, because only the value that holds it, or the function that created it, changes it. libcrypto's contexts
/// are not bound to a thread.
@safe private final class DigestContext: @unchecked Sendable {
    private let pointer: OpaquePointer?
    private var isGood: Bool

    init() {
        Libcrypto.prepare()
        unsafe pointer = EVP_MD_CTX_new()
        isGood = unsafe pointer != nil && EVP_DigestInit_ex(pointer, EVP_sha256(), nil) == 1
    }

    init(copying other: DigestContext) {
        unsafe pointer = EVP_MD_CTX_new()
        isGood = unsafe other.isGood && pointer != nil && EVP_MD_CTX_copy_ex(pointer, other.pointer) == 1
    }

    deinit { unsafe EVP_MD_CTX_free(pointer) }

    func update(_ bytes: ArraySlice<UInt8>) {
        guard isGood else { return }
        isGood = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(pointer, $0.baseAddress, $0.count) == 1 }
    }

    func finish() -> [UInt8]? {
        guard isGood else { return nil }
        var output = [UInt8](repeating: 0, count: 32)
        isGood = false
        return unsafe EVP_DigestFinal_ex(pointer, &output, nil) == 1 ? output : nil
    }
}
#endif

/// AES with a 256-bit key in Galois/Counter Mode (NIST SP 800-38D), computed by libcrypto or CryptoKit.
package enum AESGCM {
    /// Decrypts bytes and verifies their 16-byte tag, with a 32-byte key and a 12-byte nonce.
    ///
    /// - Returns: the bytes, or `nil` if a length is wrong or the tag does not match.
    package static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], tag: [UInt8]) -> [UInt8]? {
        guard key.count == 32, nonce.count == 12, tag.count == 16 else { return nil }
        #if canImport(COpenSSL)
        return decrypted(sealed, key, nonce, tag)
        #elseif canImport(CryptoKit)
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed, tag: tag),
            let opened = try? AES.GCM.open(box, using: SymmetricKey(data: key))
        else { return nil }
        return Array(opened)
        #endif
    }

    #if canImport(COpenSSL)
    private static func decrypted(
        _ sealed: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ tag: [UInt8]
    ) -> [UInt8]? {
        Libcrypto.prepare()
        guard let context = unsafe EVP_CIPHER_CTX_new(), sealed.count <= Int(CInt.max) - 16 else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        guard unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1 else { return nil }
        var (output, tag) = ([UInt8](repeating: 0, count: sealed.count + 16), tag)
        var (count, rest): (CInt, CInt) = (0, 0)
        guard unsafe EVP_DecryptUpdate(context, &output, &count, sealed, CInt(sealed.count)) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, CInt(tag.count), &tag) == 1
        else { return nil }
        // All bytes have been written before this step, which only verifies the tag.
        var end = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_DecryptFinal_ex(context, &end, &rest) == 1, rest == 0 else { return nil }
        return Array(output.prefix(Int(count)))
    }
    #endif
}

package enum Libcrypto {
    /// Keeps libcrypto's tables in memory during `exit`.
    ///
    /// Call it before any other function of libcrypto, because only the first initialization counts. Later calls cost
    /// nothing. By default `exit` frees the tables while other threads may still use them, which crashes these threads
    /// (OPENSSL_init_crypto(3), `OPENSSL_INIT_NO_ATEXIT`).
    package static func prepare() { _ = isReady }

    #if canImport(COpenSSL)
    private static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
    #else
    private static let isReady = true
    #endif
}

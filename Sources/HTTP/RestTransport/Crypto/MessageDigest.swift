// SPDX-License-Identifier: Apache-2.0

import RestBase

#if canImport(COpenSSL)
import COpenSSL
#elseif canImport(CryptoKit)
import CryptoKit
import Foundation
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

/// SHA-256 of bytes that come piece by piece (FIPS 180-4); a value, so that a copy goes on by itself.
package struct RunningSHA256: Sendable {
    #if canImport(COpenSSL)
    private var context = DigestContext()
    #elseif canImport(CryptoKit)
    private var hasher = SHA256()
    #endif

    /// Begins with no bytes.
    package init() {}

    /// Goes on with more bytes.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        #if canImport(COpenSSL)
        if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
        context.update(bytes)
        #elseif canImport(CryptoKit)
        hasher.update(data: bytes)
        #endif
    }

    /// The digest of the bytes so far, 32 bytes; `nil` when libcrypto is out of memory or refuses the algorithm.
    package var digest: [UInt8]? {
        #if canImport(COpenSSL)
        DigestContext(copying: context).finish()
        #elseif canImport(CryptoKit)
        Array(hasher.finalize())
        #endif
    }
}

#if canImport(COpenSSL)
/// A digest under way in libcrypto.
///
/// Sendable: it is changed only by the one value that holds it, or by the function that made it; libcrypto's contexts
/// are bound to no thread.
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

/// AES with a key of 256 bits in Galois/Counter Mode (NIST SP 800-38D), by the platform's own cryptography.
package enum AESGCM {
    /// The bytes behind a sealed text.
    ///
    /// - Parameters:
    ///   - sealed: what was made of them.
    ///   - key: 32 bytes.
    ///   - nonce: the 12 bytes that were used once with the key.
    ///   - tag: the 16 bytes that prove that nothing was changed.
    /// - Returns: the bytes; `nil` when key, nonce, tag and text do not belong together, or have other lengths.
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
        // In this mode all bytes are out before; the last step only checks the tag.
        var end = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_DecryptFinal_ex(context, &end, &rest) == 1, rest == 0 else { return nil }
        return Array(output.prefix(Int(count)))
    }
    #endif
}

/// The process-wide state of libcrypto.
package enum Libcrypto {
    /// Makes libcrypto outlive `exit`.
    ///
    /// Call it before everything else of libcrypto: the first caller decides, and later calls cost nothing. By default
    /// `exit` frees libcrypto's tables while other threads may still use them, which crashes these threads
    /// (OPENSSL_init_crypto(3), `OPENSSL_INIT_NO_ATEXIT`).
    package static func prepare() { _ = isReady }

    #if canImport(COpenSSL)
    private static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
    #else
    private static let isReady = true
    #endif
}

// SPDX-License-Identifier: Apache-2.0

#if canImport(COpenSSL)
import COpenSSL
import RestTransport

/// An RSA key of libcrypto.
///
/// `@unchecked Sendable`: the pointer is set once and freed when the last reference goes; in between the key is only
/// read, which libcrypto allows from several threads at a time (openssl-threads(7)), each with a context of its own.
@safe
final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// Takes a key in PKCS #1 form; `nil` when libcrypto does not.
    init?(pkcs1: [UInt8]) {
        Libcrypto.prepare()
        let key = unsafe pkcs1.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_PrivateKey(EVP_PKEY_RSA, nil, &start, buffer.count)
        }
        guard let key = unsafe key else { return nil }
        unsafe self.key = key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 3.3).
    func signature(of bytes: [UInt8]) -> [UInt8]? {
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        defer { unsafe EVP_MD_CTX_free(context) }
        var size = 0
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            unsafe EVP_DigestSign(context, nil, &size, bytes, bytes.count) == 1
        else { return nil }
        var signature = [UInt8](repeating: 0, count: size)
        guard unsafe EVP_DigestSign(context, &signature, &size, bytes, bytes.count) == 1 else { return nil }
        return Array(signature.prefix(size))
    }
}
#endif

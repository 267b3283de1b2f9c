// SPDX-License-Identifier: Apache-2.0

#if canImport(COpenSSL)
import COpenSSL
import RestTransport

/// An RSA key of libcrypto.
///
/// `@unchecked Sendable`: the pointer is set once and freed with the last reference. In between, the key is only read,
/// which libcrypto allows from several threads at a time (openssl-threads(7)), each with its own context.
@safe
final class SigningKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// Reads a key in PKCS #1 form, or returns `nil` if libcrypto rejects it.
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

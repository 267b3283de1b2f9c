// SPDX-License-Identifier: Apache-2.0

#if canImport(COpenSSL)
import COpenSSL
#elseif canImport(CryptoKit)
import CryptoKit
import Foundation
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

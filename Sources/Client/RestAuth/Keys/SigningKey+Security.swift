// SPDX-License-Identifier: Apache-2.0

#if !canImport(COpenSSL) && canImport(CryptoKit)
import Foundation
import Security

/// An RSA key of the Security framework.
///
/// `@unchecked Sendable`: a `SecKey` never changes after its creation, and its functions may be called from any thread
/// (Apple, "Certificate, Key, and Trust Services").
final class SigningKey: @unchecked Sendable {
    private let key: SecKey

    /// Reads a key in PKCS #1 form, or returns `nil` if Security rejects it.
    init?(pkcs1: [UInt8]) {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ]
        guard let key = SecKeyCreateWithData(Data(pkcs1) as CFData, attributes as CFDictionary, nil) else {
            return nil
        }
        self.key = key
    }

    func signature(of bytes: [UInt8]) -> [UInt8]? {
        let made = SecKeyCreateSignature(key, .rsaSignatureMessagePKCS1v15SHA256, Data(bytes) as CFData, nil)
        return made.map { [UInt8]($0 as Data) }
    }
}
#endif

// SPDX-License-Identifier: Apache-2.0

#if !canImport(COpenSSL) && canImport(CryptoKit)
import CryptoKit
import Foundation
import Security

extension P256PublicKey {
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: Data(point)),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: Data(signature))
        else { return false }
        return key.isValidSignature(signature, for: Data(message))
    }
}

/// A private key on the curve P-256, in the Secure Enclave of this device or, without one, in memory.
package final class P256PrivateKey: Sendable {
    private enum Key: Sendable {
        case enclave(SecureEnclave.P256.Signing.PrivateKey)
        case memory(P256.Signing.PrivateKey)
    }

    private let key: Key
    package let publicKey: P256PublicKey

    private init?(_ key: Key) {
        let point =
            switch key {
            case .enclave(let key): key.publicKey.rawRepresentation
            case .memory(let key): key.publicKey.rawRepresentation
            }
        guard let publicKey = P256PublicKey(point: Array(point)) else { return nil }
        (self.key, self.publicKey) = (key, publicKey)
    }

    package convenience init?() {
        // Like the items of the Keychain, the key can be used in the background after the first unlock.
        let access = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil)
        if SecureEnclave.isAvailable, let access,
            let key = try? SecureEnclave.P256.Signing.PrivateKey(accessControl: access)
        {
            self.init(.enclave(key))
        } else {
            self.init(.memory(P256.Signing.PrivateKey()))
        }
    }

    /// Reads a key that ``stored`` returned, or returns `nil` for anything else, or a key of another device's enclave.
    package convenience init?(stored bytes: [UInt8]) {
        let data = Data(bytes.dropFirst())
        if bytes.first == 1, let key = try? SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: data) {
            self.init(.enclave(key))
        } else if bytes.first == 0, let key = try? P256.Signing.PrivateKey(rawRepresentation: data) {
            self.init(.memory(key))
        } else {
            return nil
        }
    }

    /// The key for a store, which only this device's enclave can open if it has one.
    package var stored: [UInt8]? {
        switch key {
        case .enclave(let key): [1] + key.dataRepresentation
        case .memory(let key): [0] + key.rawRepresentation
        }
    }

    package func signature(of message: [UInt8]) -> [UInt8]? {
        switch key {
        case .enclave(let key): (try? key.signature(for: Data(message))).map { Array($0.rawRepresentation) }
        case .memory(let key): (try? key.signature(for: Data(message))).map { Array($0.rawRepresentation) }
        }
    }
}
#endif

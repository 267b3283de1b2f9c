// SPDX-License-Identifier: Apache-2.0

import RestBase

extension JWTBearerGrant {
    /// A private RSA key that signs in the name of a client (RFC 7523), read from PEM text in PKCS #1 or PKCS #8 form.
    ///
    /// Its numbers stay inside the platform's cryptography; printing, dumping or reflecting it shows a placeholder.
    public struct PrivateKey: Sendable {
        private let key: SigningKey
        /// Far beyond any key.
        private static let greatestFile = 65_536

        /// What to do with a key file that others on the machine can read.
        public enum SharedFileRule: Sendable {
            /// Refuse it, as ssh does.
            case refuse
            /// Use it and tell this function so, once for each time the file is read.
            case warn(@Sendable (String) -> Void)
        }

        /// Reads a key from PEM text.
        ///
        /// - Throws: ``OAuthError`` with `.unusableKey` for a key that is encrypted, damaged, shorter than 2048 bits or
        ///   not of RSA.
        public init(pem: Secret) throws(OAuthError) {
            guard let key = SigningKey(pkcs1: try PrivateKeyPEM(pem.reveal()).pkcs1) else {
                throw OAuthError(.unusableKey, "the private key cannot be used: its numbers do not fit together")
            }
            self.key = key
        }

        /// Reads a key from a PEM file.
        ///
        /// - Parameters:
        ///   - path: the file, which should belong to the user and be readable by the user alone (mode 600 or 400).
        ///   - rule: what to do when the group or everybody can read or write it.
        /// - Throws: ``OAuthError``; `.sharedKeyFile` by the rule, `.unusableKey` for what ``init(pem:)`` refuses and
        ///   for a file that cannot be read.
        public init(contentsOfFile path: String, ifShared rule: SharedFileRule = .refuse) throws(OAuthError) {
            let file: PlainFile
            do throws(PlainFile.Failure) {
                file = try PlainFile(path: path, limit: Self.greatestFile)
            } catch {
                throw OAuthError(.unusableKey, "the key file \(path) cannot be used: \(error.reason)")
            }
            if file.isShared {
                let fault = "the key file \(path) can be read by others; run: chmod 600 \(path.shellQuoted)"
                switch rule {
                case .refuse: throw OAuthError(.sharedKeyFile, fault)
                case .warn(let tell): tell(fault)
                }
            }
            try self.init(pem: Secret(String(decoding: file.bytes, as: UTF8.self)))
        }

        /// RSASSA-PKCS1-v1_5 with SHA-256: `RS256` of RFC 7518 §3.3.
        func signature(of bytes: [UInt8]) throws(OAuthError) -> [UInt8] {
            guard let signature = key.signature(of: bytes) else {
                throw OAuthError(.unusableKey, "the private key cannot be used: the system did not sign with it")
            }
            return signature
        }
    }
}

extension JWTBearerGrant.PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder.
    public var description: String { "«private key»" }
    /// The placeholder, as in `description`.
    public var debugDescription: String { description }
    /// A mirror that shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

// SPDX-License-Identifier: Apache-2.0

extension Credential {
    /// A credential with the version it was stored under.
    public struct Stored: Sendable, Hashable {
        /// What was stored.
        public let credential: Credential
        /// Another one after every save of the account.
        public let version: UInt64
        /// What is known about the fate of the credential's refresh token.
        public let renewal: Credential.RenewalState

        /// Pairs a credential with its version.
        public init(credential: Credential, version: UInt64, renewal: Credential.RenewalState = .settled) {
            self.credential = credential
            self.version = version
            self.renewal = renewal
        }

        /// Reads the bytes of a record, of a file or of a safe's item, without any I/O.
        ///
        /// - Parameters:
        ///   - bytes: the record in its envelope.
        ///   - account: the key that it must be of.
        /// - Throws: ``CredentialStoreError``: `.newerVersion`, or `.corrupt` for anything that is not a whole record.
        package init(record bytes: [UInt8], account: String) throws(CredentialStoreError) {
            guard let record = try CredentialRecord.find(in: bytes, account: account) else {
                throw CredentialStoreError(.corrupt, "the record of \(account) is damaged; log in again")
            }
            self = record.stored
        }
    }
}

extension Credential {
    /// What a store notes about the refresh token it keeps, for clients that come after one that died.
    ///
    /// Unless it is settled, a refusal of the token is no proof that somebody ended the login.
    public enum RenewalState: String, Sendable, Hashable {
        /// No earlier attempt to spend the token or the one before it is open.
        case settled
        /// A client was about to spend the token and has not said how it ended: the token can be tried once more.
        case started
        /// The token came from repeating such an attempt. The first request may still reach the server, which can take
        /// it for a thief's.
        case repeated
    }
}

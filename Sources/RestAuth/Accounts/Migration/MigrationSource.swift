// SPDX-License-Identifier: Apache-2.0

extension TokenMigration {
    /// Where logins are that shall move to a store: another store, another SDK's files, an older record format.
    public protocol Source: Sendable {
        /// The ids of all accounts there are to migrate; each becomes the account's key in the new store.
        ///
        /// - Throws: ``TokenMigration/Failure``, which ends the migration with nothing changed.
        func accounts() async throws(TokenMigration.Failure) -> [String]

        /// The login of an account as a credential.
        ///
        /// It may ask a server, but must leave the old login usable: when another account cannot be migrated now, the
        /// result is thrown away and asked for again at the next attempt.
        ///
        /// - Throws: ``TokenMigration/Failure``, which says whether trying later can help.
        func credential(of account: String) async throws(TokenMigration.Failure) -> Credential
    }
}

extension TokenMigration {
    /// Why an account could not be migrated.
    public struct Failure: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// The account; `nil` when the source as a whole failed.
        public let account: String?
        /// Whether trying again later can help; a permanent failure means a new login.
        public let isTemporary: Bool
        /// What happened, free of secrets.
        public let message: String

        /// Makes a failure.
        public init(account: String?, isTemporary: Bool, _ message: String) {
            self.account = account
            self.isTemporary = isTemporary
            self.message = message
        }

        /// The failure of a server that was asked for a new token; only a final refusal is permanent.
        public init(account: String, _ error: OAuthError) {
            self.init(account: account, isTemporary: !error.isFinal, error.description)
        }

        /// The failure of a store; only a damaged record is permanent, as what cannot be read now may be read later.
        public init(account: String?, _ error: CredentialStoreError) {
            self.init(account: account, isTemporary: error.code != .corrupt, error.description)
        }

        /// The value as text, for people and logs.
        public var description: String {
            "\(account.map { "'\($0)'" } ?? "the source"): \(message)" + (isTemporary ? " (try again later)" : "")
        }
    }
}

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

extension TokenMigration {
    /// The logins of another store, such as files that shall move to the key chain.
    ///
    /// Nothing may use the old store any more: a login that is renewed there during the migration is lost to the new
    /// one.
    public struct StoreSource: TokenMigration.Source {
        private let store: any CredentialStore

        /// Takes every account of a store.
        public init(_ store: any CredentialStore) {
            self.store = store
        }

        /// The keys of all stored accounts.
        public func accounts() async throws(TokenMigration.Failure) -> [String] {
            do {
                return try await store.accounts()
            } catch {
                throw TokenMigration.Failure(account: nil, error)
            }
        }

        /// The account's credential as it stands in the store.
        public func credential(of account: String) async throws(TokenMigration.Failure) -> Credential {
            do throws(CredentialStoreError) {
                if let stored = try await store.load(account) { return stored.credential }
            } catch {
                throw TokenMigration.Failure(account: account, error)
            }
            throw TokenMigration.Failure(account: account, isTemporary: false, "the login was removed meanwhile")
        }
    }
}

extension TokenMigration {
    /// Logins in a format of somebody else's, or of an earlier version of your program.
    public struct RecordSource<Record: Sendable>: TokenMigration.Source {
        private let records: [String: Record]
        private let convert: @Sendable (String, Record) async throws(TokenMigration.Failure) -> Credential

        /// Takes records that were read already.
        ///
        /// - Parameters:
        ///   - records: the records by the account's key.
        ///   - convert: makes a record's credential; see ``TokenMigration/Source/credential(of:)``.
        public init(
            _ records: [String: Record],
            convert: @escaping @Sendable (String, Record) async throws(TokenMigration.Failure) -> Credential
        ) {
            self.records = records
            self.convert = convert
        }

        /// The keys of all records.
        public func accounts() async throws(TokenMigration.Failure) -> [String] { records.keys.sorted() }

        /// The credential that the account's record converts to.
        public func credential(of account: String) async throws(TokenMigration.Failure) -> Credential {
            guard let record = records[account] else {
                throw TokenMigration.Failure(account: account, isTemporary: false, "there is no such record")
            }
            return try await convert(account, record)
        }
    }
}

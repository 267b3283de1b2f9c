// SPDX-License-Identifier: Apache-2.0

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

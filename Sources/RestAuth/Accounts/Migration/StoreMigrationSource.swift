// SPDX-License-Identifier: Apache-2.0

/// The logins of another store, such as files that shall move to the key chain.
///
/// Nothing may use the old store any more: a login that is renewed there during the migration is lost to the new one.
public struct StoreMigrationSource: MigrationSource {
    private let store: any AccountStore

    /// Takes every account of a store.
    public init(_ store: any AccountStore) {
        self.store = store
    }

    /// The keys of all stored accounts.
    public func accounts() async throws(MigrationFailure) -> [String] {
        do {
            return try await store.accounts()
        } catch {
            throw MigrationFailure(account: nil, error)
        }
    }

    /// The account's credential as it stands in the store.
    public func credential(of account: String) async throws(MigrationFailure) -> Credential {
        do throws(CredentialStoreError) {
            if let stored = try await store.load(account) { return stored.credential }
        } catch {
            throw MigrationFailure(account: account, error)
        }
        throw MigrationFailure(account: account, isTemporary: false, "the login was removed meanwhile")
    }
}

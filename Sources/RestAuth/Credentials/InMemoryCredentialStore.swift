// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Keeps credentials for the life of the process.
public final class InMemoryCredentialStore: CredentialStore {
    private let records = Mutex<[String: StoredCredential]>([:])

    /// Makes an empty store.
    public init() {}

    /// The account's credential, or `nil`.
    public func load(_ account: String) async throws(CredentialStoreError) -> StoredCredential? {
        records.withLock { $0[account] }
    }

    /// Saves if the version is still the given one, else throws `.conflict`.
    public func save(_ credential: Credential, for account: String, replacing version: UInt64?)
        async throws(CredentialStoreError) -> UInt64
    {
        let saved: UInt64? = records.withLock { records in
            guard records[account]?.version == version else { return nil }
            let next = (version ?? 0) + 1
            records[account] = StoredCredential(credential: credential, version: next)
            return next
        }
        guard let saved else {
            throw CredentialStoreError(.conflict, "another writer changed \(account) first; load it again")
        }
        return saved
    }

    /// Forgets the account.
    public func remove(_ account: String) async throws(CredentialStoreError) {
        records.withLock { $0[account] = nil }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport

@testable import RestAuth

/// A store whose locks keep nobody out, as on a file system that does not know them.
struct LocklessStore: CredentialStore {
    private let store = InMemoryCredentialStore()

    func load(_ account: String) async throws(CredentialStoreError) -> Credential.Stored? {
        try await store.load(account)
    }

    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(CredentialStoreError) -> UInt64 {
        try await store.save(credential, for: account, replacing: version, renewal: renewal)
    }

    func remove(_ account: String) async throws(CredentialStoreError) { try await store.remove(account) }

    func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(CredentialStoreError) -> Credential.Lock { Credential.Lock {} }

    func accounts() async throws(CredentialStoreError) -> [String] { try await store.accounts() }
    func note(_ name: String) async throws(CredentialStoreError) -> String? { try await store.note(name) }

    func setNote(_ name: String, _ value: String?) async throws(CredentialStoreError) {
        try await store.setNote(name, value)
    }
}

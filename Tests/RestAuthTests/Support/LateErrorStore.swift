// SPDX-License-Identifier: Apache-2.0

import RestTransport

@testable import RestAuth

/// A store whose changes of records take effect, and are reported as failed.
struct LateErrorStore: CredentialStore {
    static let error = CredentialStoreError(.temporarilyUnavailable, "the other program did not answer")

    let store = InMemoryCredentialStore()

    func load(_ account: String) async throws(CredentialStoreError) -> Credential.Stored? {
        try await store.load(account)
    }

    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(CredentialStoreError) -> UInt64 {
        _ = try await store.save(credential, for: account, replacing: version, renewal: renewal)
        throw Self.error
    }

    func remove(_ account: String) async throws(CredentialStoreError) {
        try await store.remove(account)
        throw Self.error
    }

    func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(CredentialStoreError) -> Credential.Lock { try await store.lock(account, until: deadline) }

    func accounts() async throws(CredentialStoreError) -> [String] { try await store.accounts() }
    func note(_ name: String) async throws(CredentialStoreError) -> String? { try await store.note(name) }

    func setNote(_ name: String, _ value: String?) async throws(CredentialStoreError) {
        try await store.setNote(name, value)
    }
}

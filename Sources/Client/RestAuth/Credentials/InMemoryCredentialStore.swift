// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Keeps credentials for the life of the process.
public final class InMemoryCredentialStore: CredentialStore {
    private struct State {
        var records: [String: Credential.Stored] = [:]
        var locked: Set<String> = []
        var notes: [String: String] = [:]
        /// Never used twice, so that a login that was removed and made again is not mistaken for the old one.
        var lastVersion: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Makes an empty store.
    public init() {}

    /// The account's credential, or `nil`.
    public func load(_ account: String) async throws(CredentialStoreError) -> Credential.Stored? {
        state.withLock { $0.records[account] }
    }

    /// Saves if the version is still the given one, else throws `.conflict`.
    public func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(CredentialStoreError) -> UInt64 {
        let saved: UInt64? = state.withLock { state in
            guard state.records[account]?.version == version else { return nil }
            state.lastVersion += 1
            state.records[account] = Credential.Stored(
                credential: credential, version: state.lastVersion, renewal: renewal)
            return state.lastVersion
        }
        guard let saved else {
            throw CredentialStoreError(.conflict, "another writer changed \(account) first; load it again")
        }
        return saved
    }

    /// Forgets the account.
    public func remove(_ account: String) async throws(CredentialStoreError) {
        state.withLock { $0.records[account] = nil }
    }

    /// Takes the account's renewal lock among the clients of this process.
    public func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(CredentialStoreError) -> Credential.Lock {
        try await Credential.Lock.poll(until: deadline, clock: ContinuousClock()) { () throws(CredentialStoreError) in
            guard state.withLock({ $0.locked.insert(account).inserted }) else { return nil }
            return Credential.Lock { _ = self.state.withLock { $0.locked.remove(account) } }
        }
    }

    /// The keys of all accounts, sorted.
    public func accounts() async throws(CredentialStoreError) -> [String] {
        state.withLock { $0.records.keys.sorted() }
    }

    /// The note of this name, or `nil`.
    public func note(_ name: String) async throws(CredentialStoreError) -> String? {
        state.withLock { $0.notes[name] }
    }

    /// Keeps a note, or forgets it.
    public func setNote(_ name: String, _ value: String?) async throws(CredentialStoreError) {
        state.withLock { $0.notes[name] = value }
    }
}

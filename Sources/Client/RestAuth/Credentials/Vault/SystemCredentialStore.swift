// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Keeps credentials in the system's own safe: the key chain on Apple platforms, the Secret Service on Linux.
///
/// Records, versions and locks are ours; keeping the bytes secret is the safe's. A safe that is locked or does not
/// answer gives `.temporarilyUnavailable`, which does not mean that there is no credential. Choose such a store
/// explicitly: nothing here falls back to another place.
public struct SystemCredentialStore: CredentialStore {
    private let records: RecordStore

    init(vault: any SecretVault, lockDirectory: String?, clock: any MonotonicClock) {
        records = RecordStore(vault: vault, locks: StoreLocks(directory: lockDirectory, clock: clock))
    }

    /// The account's credential, or `nil` when the safe says that there is none.
    @concurrent
    public func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? {
        try await records.load(account)
    }

    /// Saves if the version is still the given one, else throws `.conflict`.
    ///
    /// Safes know no compare-and-swap, so this is done under a lock.
    @concurrent
    public func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64 {
        try await records.save(credential, for: account, replacing: version, renewal: renewal)
    }

    /// Removes the account's item.
    @concurrent
    public func remove(_ account: String) async throws(Credential.StoreError) { try await records.remove(account) }

    /// Takes the account's renewal lock.
    @concurrent
    public func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(Credential.StoreError) -> Credential.Lock {
        try await records.locks.lock(AccountFiles(account: account).renewalLock, until: deadline)
    }

    /// The keys of all accounts that have an item, sorted.
    @concurrent
    public func accounts() async throws(Credential.StoreError) -> [String] { try await records.accounts() }

    /// The note of this name, or `nil`.
    @concurrent
    public func note(_ name: String) async throws(Credential.StoreError) -> String? { try await records.note(name) }

    /// Keeps a note, or forgets it.
    @concurrent
    public func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError) {
        try await records.setNote(name, value)
    }
}

/// What the key chain's result codes (`SecBase.h`) mean to a store.
enum KeychainStatus {
    static let success: Int32 = 0
    static let duplicateItem: Int32 = -25_299
    static let itemNotFound: Int32 = -25_300

    /// The error for a code that is neither success nor one the caller expects.
    ///
    /// What is not known to be final is temporary: a login must not be lost to a code that nobody thought of.
    static func error(_ status: Int32, isWriting: Bool) -> Credential.StoreError {
        switch status {
        // Interaction not allowed, authentication failed, not available, cancelled by the user.
        case -25_308, -25_293, -25_291, -128:
            Credential.StoreError(
                .temporarilyUnavailable, "the key chain is locked (\(status)); try again when the device is unlocked")
        // A missing entitlement.
        case -34_018:
            Credential.StoreError(
                .notWritable,
                "this program may not use the data protection key chain (-34018); sign it with a key chain access group, "
                    + "or choose the login key chain")
        default:
            Credential.StoreError(
                isWriting ? .notWritable : .temporarilyUnavailable, "the key chain failed with status \(status)")
        }
    }
}

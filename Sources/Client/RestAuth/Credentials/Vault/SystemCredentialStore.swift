// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Stores credentials in the system's vault: the Keychain on Apple platforms, the Secret Service on Linux.
///
/// This library manages records, versions and locks. The vault keeps the bytes secret. A vault that is locked or does
/// not respond throws `.temporarilyUnavailable`, which does not mean that no credential is stored. There is no fallback
/// to another store.
public struct SystemCredentialStore: CredentialStore {
    private let records: RecordStore

    init(vault: any SecretVault, lockDirectory: String?, clock: any MonotonicClock) {
        records = RecordStore(vault: vault, locks: StoreLocks(directory: lockDirectory, clock: clock))
    }

    /// Loads the account's credential, or returns `nil` if the vault reports that none exists.
    @concurrent
    public func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? {
        try await records.load(account)
    }

    /// Saves if the stored version is still `version`, and otherwise throws `.conflict`.
    ///
    /// The comparison is done under a lock, because vaults have no compare-and-swap.
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

    /// Returns the note with this name, or `nil`.
    @concurrent
    public func note(_ name: String) async throws(Credential.StoreError) -> String? { try await records.note(name) }

    /// Stores a note, or removes it if `value` is `nil`.
    @concurrent
    public func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError) {
        try await records.setNote(name, value)
    }
}

/// Converts the Keychain's result codes (`SecBase.h`) to errors of a store.
enum KeychainStatus {
    static let success: Int32 = 0
    static let duplicateItem: Int32 = -25_299
    static let itemNotFound: Int32 = -25_300

    /// The error for an unexpected code.
    ///
    /// Unknown codes are temporary errors when reading, so that no login is lost to them.
    static func error(_ status: Int32, isWriting: Bool) -> Credential.StoreError {
        switch status {
        // Interaction not allowed, authentication failed, not available, cancelled by the user.
        case -25_308, -25_293, -25_291, -128:
            Credential.StoreError(
                .temporarilyUnavailable, "the Keychain is locked (\(status)); try again when the device is unlocked")
        // A missing entitlement.
        case -34_018:
            Credential.StoreError(
                .notWritable,
                "this program may not use the data protection Keychain (-34018); sign it with a Keychain access group, "
                    + "or choose the login Keychain")
        default:
            Credential.StoreError(
                isWriting ? .notWritable : .temporarilyUnavailable, "the Keychain failed with status \(status)")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport
import Synchronization

/// Keeps credentials in the system's own safe: the key chain on Apple platforms, the Secret Service on Linux.
///
/// Records, versions and locks are ours; keeping the bytes secret is the safe's. A safe that is locked or does not
/// answer gives `.temporarilyUnavailable`, which does not mean that there is no credential. Choose such a store
/// explicitly: nothing here falls back to another place.
public struct SystemCredentialStore: CredentialStore {
    /// The item that keeps the notes; no account has this name.
    private static let notesName = "notes"
    /// A safe answers within seconds, so a lock that cannot be had in this time is an error.
    private static let patience = Duration.seconds(10)

    private let vault: any SecretVault
    private let locks: VaultLocks
    private let clock: any MonotonicClock

    init(vault: any SecretVault, lockDirectory: String?, clock: any MonotonicClock) {
        self.vault = vault
        self.locks = VaultLocks(directory: lockDirectory)
        self.clock = clock
    }

    /// The account's credential, or `nil` when the safe says that there is none.
    @concurrent
    public func load(_ account: String) async throws(CredentialStoreError) -> Credential.Stored? {
        switch try await examine(account) {
        case .none: nil
        case .record(let record): record.stored
        case .damaged:
            throw CredentialStoreError(.corrupt, "the item of \(account) is damaged; log in again")
        }
    }

    /// Saves if the version is still the given one, else throws `.conflict`.
    ///
    /// Safes know no compare-and-swap, so this is done under a lock.
    @concurrent
    public func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(CredentialStoreError) -> UInt64 {
        try await changing(AccountFiles(account: account).writeLock) { () throws(CredentialStoreError) in
            var earlier: CredentialRecord?
            switch try await examine(account) {
            case .none: break
            case .record(let record): earlier = record
            case .damaged: return try await write(credential, renewal, for: account, over: nil)
            }
            guard earlier?.stored.version == version else {
                throw CredentialStoreError(.conflict, "another writer changed \(account) first; load it again")
            }
            return try await write(credential, renewal, for: account, over: earlier)
        }
    }

    /// Removes the account's item.
    @concurrent
    public func remove(_ account: String) async throws(CredentialStoreError) {
        try await changing(AccountFiles(account: account).writeLock) { () throws(CredentialStoreError) in
            _ = try await examine(account)  // throws when only a newer library may touch it
            try await vault.delete(AccountName.escaped(account))
        }
    }

    /// Takes the account's renewal lock.
    @concurrent
    public func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(CredentialStoreError) -> Credential.Lock {
        try await locks.lock(AccountFiles(account: account).renewalLock, until: deadline, clock: clock)
    }

    /// The keys of all accounts that have an item, sorted.
    @concurrent
    public func accounts() async throws(CredentialStoreError) -> [String] {
        try await vault.names().compactMap { AccountName.account(of: $0) }.sorted()
    }

    /// The note of this name, or `nil`.
    @concurrent
    public func note(_ name: String) async throws(CredentialStoreError) -> String? {
        try await notes()[name]?.string
    }

    /// Keeps a note, or forgets it.
    @concurrent
    public func setNote(_ name: String, _ value: String?) async throws(CredentialStoreError) {
        try await changing(AccountFiles.notes.writeLock) { () throws(CredentialStoreError) in
            var notes = try await notes()
            notes[name] = value.map { JSONValue($0) }
            try await vault.write(JSONValue(notes).bytes(), Self.notesName)
        }
    }

    private func notes() async throws(CredentialStoreError) -> JSONObject {
        try await vault.read(Self.notesName).flatMap { try? JSONValue(parsing: $0) }?.object ?? JSONObject()
    }

    private func examine(_ account: String) async throws(CredentialStoreError) -> CredentialRecord.Finding {
        guard let bytes = try await vault.read(AccountName.escaped(account)) else { return .none }
        return try CredentialRecord.find(in: bytes, account: account).map { .record($0) } ?? .damaged
    }

    private func write(
        _ credential: Credential, _ renewal: Credential.RenewalState, for account: String,
        over earlier: CredentialRecord?
    ) async throws(CredentialStoreError) -> UInt64 {
        let version = CredentialRecord.generation(after: earlier?.stored.version)
        let stored = Credential.Stored(credential: credential, version: version, renewal: renewal)
        let record = CredentialRecord(account: account, stored: stored, keeping: earlier)
        try await vault.write(try record.sealed(), AccountName.escaped(account))
        return version
    }

    private func changing<Value>(
        _ name: String, _ body: () async throws(CredentialStoreError) -> Value
    ) async throws(CredentialStoreError) -> Value {
        let lock = try await locks.lock(name, until: clock.now + Self.patience, clock: clock)
        defer { lock.release() }
        return try await body()
    }
}

/// Somebody else's safe that keeps items under names: a key chain, a secret service.
///
/// It answers like a store: an item, none, or an error. "Locked" and "does not answer" are errors.
protocol SecretVault: Sendable {
    /// The item's bytes; `nil` only when the vault says that there is no such item.
    func read(_ name: String) async throws(CredentialStoreError) -> [UInt8]?

    /// Adds the item or replaces its bytes.
    func write(_ bytes: [UInt8], _ name: String) async throws(CredentialStoreError)

    /// Removes the item; without effect when there is none.
    func delete(_ name: String) async throws(CredentialStoreError)

    /// The names of all items.
    func names() async throws(CredentialStoreError) -> [String]
}

/// The locks of a store whose vault has none.
struct VaultLocks: Sendable {
    private final class Held: Sendable { let names = Mutex<Set<String>>([]) }

    private let directory: String?
    private let held = Held()

    /// Makes the locks.
    ///
    /// - Parameter directory: the folder of lock files that all processes share which use the vault; `nil` when this
    ///   is the only process, whose copies of the store share the locks.
    init(directory: String?) {
        self.directory = directory
    }

    /// Takes a lock.
    @concurrent
    func lock(
        _ name: String, until deadline: ContinuousClock.Instant, clock: any MonotonicClock
    ) async throws(CredentialStoreError) -> Credential.Lock {
        if let directory {
            let folder = try StoreDirectory.make(directory)
            return try await Credential.Lock.poll(until: deadline, clock: clock) { () throws(CredentialStoreError) in
                try folder.lock(name)
            }
        }
        return try await Credential.Lock.poll(until: deadline, clock: clock) { () throws(CredentialStoreError) in
            guard held.names.withLock({ $0.insert(name).inserted }) else { return nil }
            return Credential.Lock { _ = held.names.withLock { $0.remove(name) } }
        }
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
    static func error(_ status: Int32, isWriting: Bool) -> CredentialStoreError {
        switch status {
        // Interaction not allowed, authentication failed, not available, cancelled by the user.
        case -25_308, -25_293, -25_291, -128:
            CredentialStoreError(
                .temporarilyUnavailable, "the key chain is locked (\(status)); try again when the device is unlocked")
        // A missing entitlement.
        case -34_018:
            CredentialStoreError(
                .notWritable,
                "this program may not use the data protection key chain (-34018); sign it with a key chain access group, "
                    + "or choose the login key chain")
        default:
            CredentialStoreError(
                isWriting ? .notWritable : .temporarilyUnavailable, "the key chain failed with status \(status)")
        }
    }
}

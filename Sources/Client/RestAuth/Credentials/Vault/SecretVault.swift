// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

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

// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

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

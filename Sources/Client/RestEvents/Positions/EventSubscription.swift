// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// A subscription with a name, which continues after the last handled event, also in another process.
///
/// With an ``EventPositionStore``, the position is stored after the handler of an event has returned: for a loop, when
/// it requests the next event. A process that is killed between the two gets the event again (at least once).
///
/// With an ``EventTransactionStore``, the app stores the position in its own transaction, together with the effects of
/// the event (exactly once).
///
/// With ``init(managed:)``, the server stores the position (at least once).
///
/// Only one subscription at a time can have the name. Another one fails with ``EventError/Code/held``. The lock of a
/// killed process ends with the process.
public struct EventSubscription: Sendable {
    private enum Positions: Sendable {
        case store(any EventPositionStore)
        case loaded([EventPosition], EventLock)
        case managed
    }

    /// The name: 1 to 100 letters, digits, dots, hyphens and underscores, not beginning with a dot.
    public let name: String
    private let positions: Positions

    /// Makes a subscription whose positions are in a store.
    public init(name: String, store: any EventPositionStore) {
        (self.name, positions) = (name, .store(store))
    }

    /// Locks the name and reads the positions in a transaction of the app.
    ///
    /// Nothing stores the positions but ``EventTransactionStore/advance(to:of:in:)``, which the app calls in the
    /// transaction that handles an event. Make a new value to subscribe again.
    ///
    /// - Parameters:
    ///   - name: the name of the subscription.
    ///   - store: the store of the positions.
    ///   - transaction: the transaction, which is only read.
    /// - Throws: ``EventError/Code/held`` if the name is in use, ``EventError/Code/store`` if the store fails.
    public init<Store: EventTransactionStore>(
        name: String, store: Store, in transaction: Store.Transaction
    ) async throws(EventError) {
        try Self.check(name)
        do {
            let lock = try await store.lock(name)
            self.name = name
            positions = .loaded(try await store.positions(of: name, in: transaction), lock)
        } catch {
            throw .store(error)
        }
    }

    /// Makes a managed subscription of the Pub/Sub API, for one channel.
    ///
    /// The org has its name, its channel and its position, which is committed after the handler of an event has
    /// returned. Commits follow each other without delaying events, so a process that is killed gets the events of the
    /// last moments again. If another client has the subscription, ``EventError/Code/held`` is thrown after some
    /// attempts.
    ///
    /// - Parameter name: the developer name of the ManagedEventSubscription.
    public init(managed name: String) { (self.name, positions) = (name, .managed) }

    /// The name of a managed subscription, or `nil` if the position is in a store.
    var managed: String? { if case .managed = positions { name } else { nil } }

    private static func check(_ name: String) throws(EventError) {
        let isValid =
            !name.isEmpty && name.utf8.count <= 100 && !name.hasBytes(prefix: ".")
            && name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "._-".utf8.contains($0) }
        guard isValid else {
            throw EventError(
                .argument, "name: must be 1 to 100 letters, digits, dots, hyphens and underscores, not a dot first")
        }
    }

    func begin() async throws(EventError) -> (EventLock?, [EventPosition]) {
        switch positions {
        case .loaded(let positions, let lock): return (lock, positions)
        case .managed:
            try Self.check(name)
            return (nil, [])
        case .store(let store):
            try Self.check(name)
            do {
                let lock = try await store.lock(name)
                return (lock, try await store.positions(of: name))
            } catch {
                throw .store(error)
            }
        }
    }

    func save(_ position: EventPosition) async throws(EventError) {
        guard case .store(let store) = positions else { return }
        do { try await store.save(position, of: name) } catch { throw .store(error) }
    }
}

/// Stores the positions of named subscriptions.
///
/// ``FileEventPositions`` and ``SQLiteEventPositions`` are such stores.
public protocol EventPositionStore: Sendable {
    /// Locks a name until the lock is released.
    ///
    /// - Throws: ``EventError/Code/held`` if the name is locked. Any other error is reported as
    ///   ``EventError/Code/store``.
    func lock(_ name: String) async throws -> EventLock

    /// Returns the stored position of each channel.
    ///
    /// - Throws: an error if the positions cannot be read. An unreadable store is not an empty store.
    func positions(of name: String) async throws -> [EventPosition]

    /// Replaces the position of a channel.
    func save(_ position: EventPosition, of name: String) async throws
}

/// Stores the positions of named subscriptions in the app's own database, in transactions of the app.
///
/// Effects and position are committed together, so each event takes effect once, whenever the process is killed.
public protocol EventTransactionStore<Transaction>: Sendable {
    /// The app's type for a transaction.
    associatedtype Transaction

    /// Locks a name until the lock is released, for example with ``EventLock/init(file:in:)``.
    ///
    /// - Throws: ``EventError/Code/held`` if the name is locked.
    func lock(_ name: String) async throws -> EventLock

    /// Returns the stored position of each channel, as the transaction sees it.
    func positions(of name: String, in transaction: Transaction) async throws -> [EventPosition]

    /// Replaces the position of a channel when the transaction is committed.
    func advance(to position: EventPosition, of name: String, in transaction: Transaction) async throws
}

/// The lock of a named subscription, which ends with its last copy and with the process.
public struct EventLock: Sendable {
    private let held: any Sendable

    /// Makes a lock that lasts as long as an object, for example a lock of a database server.
    public init(_ held: some Sendable) { self.held = held }

    /// Locks a file, which is created if it is missing and is never removed.
    ///
    /// On a network file system, such locks work only as far as the file system supports `flock`.
    ///
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - directory: the directory, which is created if it is missing.
    /// - Throws: ``EventError/Code/held`` with the holder's process id if it is known. ``EventError/Code/store`` if the
    ///   file cannot be locked.
    public init(file name: String, in directory: String) throws(EventError) {
        unsafe mkdir(directory, 0o700)
        let opened = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else {
            throw EventError(.store, "\(directory) cannot be opened (\(unsafe String(cString: strerror(errno))))")
        }
        defer { close(opened) }
        let lock: FileLock?
        do throws(FileLock.Failure) { lock = try FileLock(name, in: opened) } catch {
            throw EventError(.store, "\(directory)/\(name) cannot be locked (\(error))", underlying: error)
        }
        guard let lock else {
            let holder = FileLock.holder(name, in: opened).map { " by \($0)" } ?? ""
            throw EventError(.held, "\(directory)/\(name) is locked\(holder); stop the other subscriber")
        }
        lock.describe("process \(getpid())")
        held = lock
    }
}

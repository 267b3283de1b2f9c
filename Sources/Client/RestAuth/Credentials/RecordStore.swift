// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport
import Synchronization

/// Stores items of bytes by name: a directory, a Keychain, a secret service.
///
/// Reading returns an item, `nil`, or throws an error. A vault that is locked or does not respond is an error.
protocol SecretVault: Sendable {
    /// The item's bytes, or `nil` only if the vault reports that the item does not exist.
    func read(_ name: String) async throws(Credential.StoreError) -> [UInt8]?

    /// The item's bytes before the last change, if the vault retains them.
    func readEarlier(_ name: String) async throws(Credential.StoreError) -> [UInt8]?

    /// Adds the item or replaces its bytes.
    ///
    /// - Returns: the reason why a power failure may undo the change, or `nil` if it cannot. The bytes are replaced.
    /// - Throws: ``Credential/StoreError``. The old bytes are unchanged.
    func replace(
        _ name: String, with bytes: [UInt8], over old: ReplacedItem
    ) async throws(Credential.StoreError) -> Credential.StoreError?

    /// Removes the item, if it exists.
    ///
    /// - Returns: the reason why a power failure may undo the change, or `nil` if it cannot. The item is removed.
    func remove(_ name: String) async throws(Credential.StoreError) -> Credential.StoreError?

    /// The names of all items, including items of which only the earlier bytes are left.
    func names() async throws(Credential.StoreError) -> [String]
}

extension SecretVault {
    func readEarlier(_: String) -> [UInt8]? { nil }
}

/// The item that a change replaces, which determines what the vault does with the old bytes.
enum ReplacedItem {
    /// No item, or one that is not retained.
    case nothing
    /// A valid record, which becomes the earlier record.
    case good
    /// A damaged record, which is moved aside.
    case damaged
}

/// The records of a store in a vault: versions, repair and notes, each changed under a lock.
struct RecordStore: Sendable {
    private enum Finding {
        case none
        /// A valid record, recovered if necessary.
        case record(Credential.Stored)
        /// Neither the record nor the earlier record can be read.
        case damaged(isThere: Bool)
    }

    let vault: any SecretVault
    let locks: StoreLocks
    var onEvent: @Sendable (FileCredentialStore.Event) -> Void = { _ in }

    func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? {
        let name = AccountFiles(account: account).stem
        let bytes = try await vault.read(name)
        if let bytes, let stored = try CredentialRecord.find(in: bytes, account: account) { return stored }
        if bytes == nil, try await vault.readEarlier(name) == nil { return nil }
        // Either the record is damaged or a writer is active. With the lock held, it is damaged.
        return try await changing(account) { () throws(Credential.StoreError) in
            switch try await examine(account) {
            case .none: nil
            case .record(let stored): stored
            case .damaged:
                throw Credential.StoreError(
                    .corrupt, "the record of \(account) is damaged and no earlier version exists; log in again")
            }
        }
    }

    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64 {
        try await changing(account) { () throws(Credential.StoreError) in
            var earlier: UInt64?
            switch try await examine(account) {
            case .none: break
            case .record(let stored): earlier = stored.version
            case .damaged(let isThere):
                // Nothing valid is stored, so there is no conflict.
                let record = CredentialRecord(credential, of: account, after: nil, renewal: renewal)
                try await write(record, account, over: isThere ? .damaged : .nothing)
                let aside = AccountFiles(account: account).damaged
                if isThere { onEvent(.replacedDamaged(account: account, movedTo: aside)) }
                return record.generation
            }
            guard earlier == version else {
                throw Credential.StoreError(.conflict, "another writer changed \(account) first; load it again")
            }
            let record = CredentialRecord(credential, of: account, after: earlier, renewal: renewal)
            try await write(record, account, over: earlier == nil ? .nothing : .good)
            return record.generation
        }
    }

    func remove(_ account: String) async throws(Credential.StoreError) {
        try await changing(account) { () throws(Credential.StoreError) in
            let name = AccountFiles(account: account).stem
            // Throws if only a newer version of this library may change the record.
            if let bytes = try await vault.read(name) { _ = try CredentialRecord.find(in: bytes, account: account) }
            report(try await vault.remove(name), account)
        }
    }

    /// Reads the record, and restores the earlier record if it is damaged or missing.
    private func examine(_ account: String) async throws(Credential.StoreError) -> Finding {
        let name = AccountFiles(account: account).stem
        let bytes = try await vault.read(name)
        if let bytes, let stored = try CredentialRecord.find(in: bytes, account: account) { return .record(stored) }
        let old = try await vault.readEarlier(name)
        guard let old, let earlier = try CredentialRecord.find(in: old, account: account) else {
            return bytes == nil && old == nil ? .none : .damaged(isThere: bytes != nil)
        }
        return .record(try await recover(earlier, account, isThere: bytes != nil))
    }

    /// Replaces the damaged record with the earlier one, under the earlier version.
    ///
    /// So a writer that read this version can still save its successor. The refresh token may have been spent since, so
    /// the recovered record has the state `.started`.
    private func recover(
        _ earlier: Credential.Stored, _ account: String, isThere: Bool
    ) async throws(Credential.StoreError) -> Credential.Stored {
        let credential = earlier.credential
        let renewal: Credential.RenewalState = credential.refreshToken == nil ? .settled : .started
        let record = CredentialRecord(credential, of: account, after: earlier.version, renewal: renewal)
        try await write(record, account, over: isThere ? .damaged : .nothing)
        onEvent(.recovered(account: account, movedTo: isThere ? AccountFiles(account: account).damaged : nil))
        return Credential.Stored(credential: credential, version: record.generation, renewal: renewal)
    }

    private func write(
        _ record: CredentialRecord, _ account: String, over old: ReplacedItem
    ) async throws(Credential.StoreError) {
        let name = AccountFiles(account: account).stem
        report(try await vault.replace(name, with: try record.sealed(), over: old), account)
    }

    private func report(_ error: Credential.StoreError?, _ account: String?) {
        if let error { onEvent(.notDurable(account: account, error)) }
    }

    private func changing<Value>(
        _ account: String, _ body: () async throws(Credential.StoreError) -> Value
    ) async throws(Credential.StoreError) -> Value {
        try await locks.holding(AccountFiles(account: account).writeLock, body)
    }
}

extension RecordStore {
    /// The keys of all accounts that have a record, including damaged and earlier records.
    func accounts() async throws(Credential.StoreError) -> [String] {
        var accounts: Set<String> = []
        for name in try await vault.names() {
            if let account = AccountName.account(of: name) {
                accounts.insert(account)
            } else if AccountFiles(stem: name).isDigested, let account = await account(inItem: name) {
                accounts.insert(account)
            }
        }
        return accounts.sorted()
    }

    /// The account of a record whose name does not contain the key.
    private func account(inItem name: String) async -> String? {
        do throws(Credential.StoreError) {
            if let account = try await vault.read(name).flatMap({ CredentialRecord.account(in: $0) }) { return account }
            return try await vault.readEarlier(name).flatMap { CredentialRecord.account(in: $0) }
        } catch {
            onEvent(.unreadable(file: AccountFiles(stem: name).record, error))
            return nil
        }
    }

    func note(_ name: String) async throws(Credential.StoreError) -> String? { try await notes()[name] }

    func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError) {
        try await locks.holding(AccountFiles.notes.writeLock) { () throws(Credential.StoreError) in
            var notes = try await notes()
            notes[name] = value
            guard let bytes = (try? notes.json()).flatMap({ RecordEnvelope.seal($0) }),
                bytes.count <= RecordEnvelope.maximumSize
            else {
                throw Credential.StoreError(
                    .notWritable, "the store's notes are too large, or their checksum cannot be computed")
            }
            report(try await vault.replace(AccountFiles.notes.stem, with: bytes, over: .nothing), nil)
        }
    }

    /// The notes by name, empty if they are damaged.
    private func notes() async throws(Credential.StoreError) -> [String: String] {
        let text = try await vault.read(AccountFiles.notes.stem).flatMap { RecordEnvelope.open($0) }
        return text.flatMap { try? [String: String](json: $0) } ?? [:]
    }
}

/// The locks of a store: files in a directory, or names in this process.
struct StoreLocks: Sendable {
    private final class Held: Sendable { let names = Mutex<Set<String>>([]) }

    /// The maximum wait for a write lock, which writers hold only briefly.
    private static let patience = Duration.seconds(10)

    private let directory: String?
    private let clock: any MonotonicClock
    private let held = Held()

    /// Creates locks as files in a directory that all processes share, or within this process if it is `nil`.
    init(directory: String?, clock: any MonotonicClock) {
        (self.directory, self.clock) = (directory, clock)
    }

    @concurrent
    func lock(
        _ name: String, until deadline: ContinuousClock.Instant
    ) async throws(Credential.StoreError) -> Credential.Lock {
        let folder = try directory.map { path throws(Credential.StoreError) in try StoreDirectory.make(path) }
        return try await Credential.Lock.poll(until: deadline, clock: clock) { () throws(Credential.StoreError) in
            if let folder { return try folder.lock(name) }
            guard held.names.withLock({ $0.insert(name).inserted }) else { return nil }
            return Credential.Lock { _ = held.names.withLock { $0.remove(name) } }
        }
    }

    /// Runs `body` while it holds a lock.
    func holding<Value>(
        _ name: String, _ body: () async throws(Credential.StoreError) -> Value
    ) async throws(Credential.StoreError) -> Value {
        let lock = try await lock(name, until: clock.now + Self.patience)
        defer { lock.release() }
        return try await body()
    }
}

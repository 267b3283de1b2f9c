// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestTransport

/// Keeps credentials in files that only their user can read, one per account, and shares them safely between processes.
///
/// The directory has mode 700 and the files have mode 600, whatever the process's umask is. The store rejects symbolic
/// links, other owners and wider permissions. Files in the directory that are not the store's are ignored.
///
/// A save replaces the record as a whole, so that a reader or a process killed at any time sees the old record or the
/// new one. The save returns after the system has put the record on the disk. If the record is in place and the system
/// cannot confirm that the change survives a power failure, the save succeeds and the store reports
/// ``FileCredentialStore/Event/notDurable(account:_:)``.
///
/// The store also keeps the record before the last change. If a record is damaged, the store moves it aside and puts
/// the earlier record in its place. Tokens are not encrypted: any program that can read the user's files can read them.
///
/// Locks are the kernel's (`flock`) and end with their process. On a network file system they hold only as far as its
/// server knows them.
public struct FileCredentialStore: CredentialStore {
    /// The store's folder.
    public let directory: String
    private let clock: any MonotonicClock
    private let onEvent: @Sendable (FileCredentialStore.Event) -> Void
    private let fault: DiskFault

    /// Makes a store in a folder, which is made when something is saved.
    ///
    /// - Parameters:
    ///   - directory: the directory's path; it should hold nothing else.
    ///   - clock: measures how long to wait for locks.
    ///   - onEvent: is told what the store repaired; called from any thread, must return soon.
    public init(
        directory: String, clock: any MonotonicClock = ContinuousClock(),
        onEvent: @escaping @Sendable (FileCredentialStore.Event) -> Void = { _ in }
    ) {
        self.init(directory: directory, clock: clock, onEvent: onEvent, fault: { _ in nil })
    }

    init(
        directory: String, clock: any MonotonicClock = ContinuousClock(),
        onEvent: @escaping @Sendable (FileCredentialStore.Event) -> Void = { _ in }, fault: @escaping DiskFault
    ) {
        self.directory = directory
        self.clock = clock
        self.onEvent = onEvent
        self.fault = fault
    }

    /// The account's credential, or `nil`; a damaged record is recovered from the one before.
    ///
    /// - Throws: ``CredentialStoreError``; `.corrupt` when nothing is left to recover from.
    @concurrent
    public func load(_ account: String) async throws(CredentialStoreError) -> Credential.Stored? {
        let files = AccountFiles(account: account)
        guard let folder = try StoreDirectory.open(directory) else { return nil }
        if let content = try folder.read(files.record), content.links == 1,
            let record = try? CredentialRecord(reading: content.bytes, account: account)
        {
            return record.stored
        }
        guard folder.contains(files.record) || folder.contains(files.previous) else { return nil }
        // Something is odd: a writer is at work, or there is damage. With the lock held it is one or the other.
        return try await changing(account, in: folder) { changes throws(CredentialStoreError) in
            switch try changes.examine() {
            case .none: nil
            case .record(let record): record.stored
            case .damaged:
                throw CredentialStoreError(
                    .corrupt, "the record of \(account) is damaged and no earlier one is left; log in again")
            }
        }
    }

    /// Saves durably if the version is still the given one, else throws `.conflict`.
    ///
    /// - Throws: ``CredentialStoreError``. The record that was stored before is still in place.
    @concurrent
    public func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(CredentialStoreError) -> UInt64 {
        let folder = try StoreDirectory.make(directory)
        return try await changing(account, in: folder) { changes throws(CredentialStoreError) in
            let earlier: CredentialRecord?
            switch try changes.examine() {
            case .none: earlier = nil
            case .record(let record): earlier = record
            // There is nothing to be in conflict with, and what the writer has is good.
            case .damaged: return try changes.write(credential, renewal: renewal, overDamaged: true)
            }
            guard earlier?.stored.version == version else {
                throw CredentialStoreError(.conflict, "another writer changed \(account) first; load it again")
            }
            return try changes.write(credential, renewal: renewal, over: earlier)
        }
    }

    /// Removes every file with a token of the account.
    ///
    /// - Throws: ``CredentialStoreError``. The record is still in place.
    @concurrent
    public func remove(_ account: String) async throws(CredentialStoreError) {
        guard let folder = try StoreDirectory.open(directory) else { return }
        try await changing(account, in: folder) { changes throws(CredentialStoreError) in try changes.removeAll() }
    }

    /// Takes the account's renewal lock among all processes that share the folder.
    @concurrent
    public func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(CredentialStoreError) -> Credential.Lock {
        let folder = try StoreDirectory.make(directory)
        let name = AccountFiles(account: account).renewalLock
        return try await Credential.Lock.poll(until: deadline, clock: clock) { () throws(CredentialStoreError) in
            try folder.lock(name)
        }
    }

    /// Writers hold the write lock for moments only, so one that cannot be had in this time is an error.
    private static let writeLockPatience = Duration.seconds(10)

    private func changing<T>(
        _ account: String, in folder: StoreDirectory,
        _ body: (AccountChanges) throws(CredentialStoreError) -> T
    ) async throws(CredentialStoreError) -> T {
        let files = AccountFiles(account: account)
        return try await holding(files, in: folder) { () throws(CredentialStoreError) in
            try body(AccountChanges(account: account, files: files, folder: folder, fault: fault, onEvent: onEvent))
        }
    }

    private func holding<T>(
        _ files: AccountFiles, in folder: StoreDirectory, _ body: () throws(CredentialStoreError) -> T
    ) async throws(CredentialStoreError) -> T {
        let deadline = clock.now + Self.writeLockPatience
        let lock = try await Credential.Lock.poll(until: deadline, clock: clock) { () throws(CredentialStoreError) in
            try folder.lock(files.writeLock)
        }
        defer { lock.release() }
        folder.sweep(files)
        return try body()
    }
}

extension FileCredentialStore {
    /// The keys of all accounts that have a record, a damaged one or only the one before among them.
    @concurrent
    public func accounts() async throws(CredentialStoreError) -> [String] {
        guard let folder = try StoreDirectory.open(directory) else { return [] }
        var accounts: Set<String> = []
        for name in try folder.names() {
            guard let stem = name.removing(suffix: ".json") ?? name.removing(suffix: ".prev") else { continue }
            if let account = AccountName.account(of: stem) {
                accounts.insert(account)
            } else if AccountFiles.isDigested(stem), let account = account(in: name, folder) {
                accounts.insert(account)
            }
        }
        return accounts.sorted()
    }

    /// The account of a record whose file name does not contain it.
    private func account(in name: String, _ folder: StoreDirectory) -> String? {
        do throws(CredentialStoreError) {
            return try folder.read(name).flatMap { CredentialRecord.account(in: $0.bytes) }
        } catch {
            onEvent(.unreadable(file: name, error))
            return nil
        }
    }

    /// The note of this name, or `nil`; damaged notes are none.
    @concurrent
    public func note(_ name: String) async throws(CredentialStoreError) -> String? {
        try StoreDirectory.open(directory)?.notes()[name]?.string
    }

    /// Keeps a note durably, or forgets it.
    @concurrent
    public func setNote(_ name: String, _ value: String?) async throws(CredentialStoreError) {
        let folder = try StoreDirectory.make(directory)
        try await holding(.notes, in: folder) { () throws(CredentialStoreError) in
            var notes = try folder.notes()
            notes[name] = value.map { JSONValue($0) }
            guard let bytes = RecordEnvelope.seal(JSONValue(notes).bytes()), bytes.count <= RecordEnvelope.maximumSize
            else {
                throw CredentialStoreError(
                    .notWritable, "the store's notes are too large, or their checksum cannot be made")
            }
            let error = try folder.replace(.notes, with: bytes, keepsPrevious: false, fault: fault)
            if let error { onEvent(.notDurable(account: nil, error)) }
        }
    }
}

extension StoreDirectory {
    /// The store's notes by name.
    fileprivate func notes() throws(CredentialStoreError) -> JSONObject {
        let text = try read(AccountFiles.notes.record).flatMap { RecordEnvelope.open($0.bytes) }
        return text.flatMap { try? JSONValue(parsing: $0) }?.object ?? JSONObject()
    }
}

extension FileCredentialStore {
    /// What a store repaired, or could not do, on its own.
    public enum Event: Sendable, Hashable {
        /// The account's record was damaged or gone and the one before it was put in its place.
        ///
        /// `movedTo` names the file that keeps the damaged bytes; `nil` when there were none.
        case recovered(account: String, movedTo: String?)
        /// A damaged record made way for a new login; `movedTo` names the file that keeps its bytes.
        case replacedDamaged(account: String, movedTo: String)
        /// A change took effect, and the system did not confirm that it survives a power failure.
        ///
        /// `account` is `nil` for a change of the notes.
        case notDurable(account: String?, CredentialStoreError)
        /// The accounts were listed without the record in this file: it cannot be read, and its name, made of a long
        /// key, does not name the account.
        case unreadable(file: String, CredentialStoreError)
    }
}

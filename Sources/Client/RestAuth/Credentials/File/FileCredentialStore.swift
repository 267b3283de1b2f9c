// SPDX-License-Identifier: Apache-2.0

import RestBase
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
    private let records: RecordStore

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
        self.init(directory: directory, clock: clock, onEvent: onEvent, sync: { FileBytes.sync($0) })
    }

    /// Makes a store whose files are put on the disk by `sync`.
    init(
        directory: String, clock: any MonotonicClock = ContinuousClock(),
        onEvent: @escaping @Sendable (FileCredentialStore.Event) -> Void = { _ in },
        sync: @escaping @Sendable (Int32) -> Int32
    ) {
        self.directory = directory
        records = RecordStore(
            vault: FolderVault(path: directory, sync: sync), locks: StoreLocks(directory: directory, clock: clock),
            onEvent: onEvent)
    }

    /// The account's credential, or `nil`; a damaged record is recovered from the one before.
    ///
    /// - Throws: ``Credential/StoreError``; `.corrupt` when nothing is left to recover from.
    @concurrent
    public func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? {
        try await records.load(account)
    }

    /// Saves durably if the version is still the given one, else throws `.conflict`.
    ///
    /// - Throws: ``Credential/StoreError``. The record that was stored before is still in place.
    @concurrent
    public func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64 {
        try await records.save(credential, for: account, replacing: version, renewal: renewal)
    }

    /// Removes every file with a token of the account.
    ///
    /// - Throws: ``Credential/StoreError``. The record is still in place.
    @concurrent
    public func remove(_ account: String) async throws(Credential.StoreError) {
        // A directory that is missing holds nothing, and is not made for a lock.
        guard try StoreDirectory.open(directory) != nil else { return }
        try await records.remove(account)
    }

    /// Takes the account's renewal lock among all processes that share the folder.
    @concurrent
    public func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(Credential.StoreError) -> Credential.Lock {
        try await records.locks.lock(AccountFiles(account: account).renewalLock, until: deadline)
    }

    /// The keys of all accounts that have a record, a damaged one or only the one before among them.
    @concurrent
    public func accounts() async throws(Credential.StoreError) -> [String] { try await records.accounts() }

    /// The note of this name, or `nil`; damaged notes are none.
    @concurrent
    public func note(_ name: String) async throws(Credential.StoreError) -> String? { try await records.note(name) }

    /// Keeps a note durably, or forgets it.
    @concurrent
    public func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError) {
        try await records.setNote(name, value)
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
        case notDurable(account: String?, Credential.StoreError)
        /// The accounts were listed without the record in this file: it cannot be read, and its name, made of a long
        /// key, does not name the account.
        case unreadable(file: String, Credential.StoreError)
    }
}

/// A directory as a vault: a file for each item, and beside it the bytes before the last change.
private struct FolderVault: SecretVault {
    let path: String
    let sync: @Sendable (Int32) -> Int32

    func read(_ name: String) throws(Credential.StoreError) -> [UInt8]? {
        let files = AccountFiles(stem: name)
        return try StoreDirectory.open(path)?.read(files.record, orAs: [files.previous, files.damaged])
    }

    func readEarlier(_ name: String) throws(Credential.StoreError) -> [UInt8]? {
        let files = AccountFiles(stem: name)
        return try StoreDirectory.open(path)?.read(files.previous, orAs: [files.record])
    }

    func replace(
        _ name: String, with bytes: [UInt8], over old: ReplacedItem
    ) throws(Credential.StoreError) -> Credential.StoreError? {
        let files = AccountFiles(stem: name)
        let kept: String? =
            switch old {
            case .nothing: nil
            case .good: files.previous
            case .damaged: files.damaged
            }
        return try StoreDirectory.make(path).replace(files, with: bytes, keepingAs: kept, sync)
    }

    /// Removes every file of the item, the record last: what is interrupted before is not removed yet.
    func remove(_ name: String) throws(Credential.StoreError) -> Credential.StoreError? {
        let files = AccountFiles(stem: name)
        return try StoreDirectory.open(path)?.remove(
            [files.temporary, files.previous, files.damaged, files.record], sync)
    }

    func names() throws(Credential.StoreError) -> [String] {
        let names = try StoreDirectory.open(path)?.names() ?? []
        let stems = names.compactMap { $0.removing(suffix: ".json") ?? $0.removing(suffix: ".prev") }
        return Set(stems).map { String($0) }
    }
}

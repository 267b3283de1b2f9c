// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// Stores credentials in files that only their user can read, one per account, for any number of processes.
///
/// The directory has mode 700 and the files have mode 600, regardless of the process's umask. The store rejects
/// symbolic links, other owners and wider permissions. It ignores unrelated files in the directory.
///
/// A save replaces the whole record, so that a reader, or a process that is killed, leaves either the old record or the
/// new one. The save returns after the system has written the record to disk. If the record is replaced but the system
/// cannot confirm that the change survives a power failure, the save succeeds and the store reports
/// ``FileCredentialStore/Event/notDurable(account:_:)``.
///
/// The store retains the record before the last change. If a record is damaged, the store moves it aside and restores
/// the earlier record. Tokens are not encrypted: any program that can read the user's files can read them.
///
/// Locks are kernel locks (`flock`), which end with their process. On a network file system they work only as far as
/// its server supports them.
public struct FileCredentialStore: CredentialStore {
    /// The store's directory.
    public let directory: String
    private let records: RecordStore

    /// Creates a store in a directory, which is created by the first save.
    ///
    /// - Parameters:
    ///   - directory: the directory's path. It should contain nothing else.
    ///   - clock: the clock that measures the wait for locks.
    ///   - onEvent: receives the store's repairs. It is called on any thread and must return soon.
    public init(
        directory: String, clock: any MonotonicClock = ContinuousClock(),
        onEvent: @escaping @Sendable (FileCredentialStore.Event) -> Void = { _ in }
    ) {
        self.init(directory: directory, clock: clock, onEvent: onEvent, sync: { FileBytes.sync($0) })
    }

    init(
        directory: String, clock: any MonotonicClock = ContinuousClock(),
        onEvent: @escaping @Sendable (FileCredentialStore.Event) -> Void = { _ in },
        sync: @escaping @Sendable (Int32) -> Int32
    ) {
        self.directory = directory
        records = RecordStore(
            vault: DirectoryVault(path: directory, sync: sync), locks: StoreLocks(directory: directory, clock: clock),
            onEvent: onEvent)
    }

    /// Loads the account's credential, or returns `nil`, and recovers a damaged record from the earlier one.
    ///
    /// - Throws: ``Credential/StoreError``: `.corrupt` if the earlier record cannot be read either.
    @concurrent
    public func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? {
        try await records.load(account)
    }

    /// Saves durably if the stored version is still `version`, and otherwise throws `.conflict`.
    ///
    /// - Throws: ``Credential/StoreError``. The earlier record is unchanged.
    @concurrent
    public func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64 {
        try await records.save(credential, for: account, replacing: version, renewal: renewal)
    }

    /// Removes all files with a token of the account.
    ///
    /// - Throws: ``Credential/StoreError``. The record is still stored.
    @concurrent
    public func remove(_ account: String) async throws(Credential.StoreError) {
        // If the directory is missing, nothing is stored, so it is not created for a lock.
        guard try StoreDirectory.open(directory) != nil else { return }
        try await records.remove(account)
    }

    /// Takes the account's renewal lock among all processes that share the directory.
    @concurrent
    public func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(Credential.StoreError) -> Credential.Lock {
        try await records.locks.lock(AccountFiles(account: account).renewalLock, until: deadline)
    }

    /// The keys of all accounts that have a record, including damaged and earlier records.
    @concurrent
    public func accounts() async throws(Credential.StoreError) -> [String] { try await records.accounts() }

    /// Returns the note with this name, or `nil` if it is missing or the notes are damaged.
    @concurrent
    public func note(_ name: String) async throws(Credential.StoreError) -> String? { try await records.note(name) }

    /// Stores a note durably, or removes it if `value` is `nil`.
    @concurrent
    public func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError) {
        try await records.setNote(name, value)
    }
}

extension FileCredentialStore {
    /// A repair by the store, or a problem that it could not solve.
    public enum Event: Sendable, Hashable {
        /// The account's record was damaged or missing, and the earlier record was restored.
        ///
        /// `movedTo` is the file with the damaged bytes, or `nil` if there were none.
        case recovered(account: String, movedTo: String?)
        /// A new login replaced a damaged record, whose bytes are in the file `movedTo`.
        case replacedDamaged(account: String, movedTo: String)
        /// A change took effect, but the system did not confirm that it survives a power failure.
        ///
        /// `account` is `nil` for a change of the notes.
        case notDurable(account: String?, Credential.StoreError)
        /// The list of accounts lacks the record in this file, which cannot be read and whose name does not contain the
        /// key.
        case unreadable(file: String, Credential.StoreError)
    }
}

/// A directory as a vault, with a file for each item and a file for its bytes before the last change.
private struct DirectoryVault: SecretVault {
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

    /// Removes all files of the item, the record last, so that an interrupted removal has not taken effect.
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

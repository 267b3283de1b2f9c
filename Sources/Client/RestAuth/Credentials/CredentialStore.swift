// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Keeps one credential per account between runs, or between clients of one process, with room for small notes beside
/// them.
///
/// A store answers with a value, with none, or with an error that says it cannot be read now: none and unreadable are
/// never mixed up, because a login must not be lost to a locked key chain. Saving is compare-and-swap, so that of two
/// writers one learns that the other was first.
///
/// A change that took effect is a success, even if the store cannot confirm that it is durable. A change that throws
/// has not taken effect. A store that cannot know, because it asks another program, throws, and clients find out by
/// reading the record again.
public protocol CredentialStore: Sendable {
    /// The credential of the account, or `nil` when there is none.
    ///
    /// - Throws: ``Credential/StoreError`` when the store cannot be read now.
    func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored?

    /// Saves durably, if the stored version is still the given one (`nil`: nothing is stored yet).
    ///
    /// - Parameters:
    ///   - credential: what to keep.
    ///   - account: the account's key.
    ///   - version: the version that is replaced.
    ///   - renewal: what is noted about its refresh token; `.started` before the token is spent.
    /// - Returns: the new version.
    /// - Throws: ``Credential/StoreError``, with `.conflict` if another writer was first. The record that was stored
    ///   before is still in place.
    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64

    /// Removes the account's credential; without effect when there is none.
    ///
    /// - Throws: ``Credential/StoreError``. The credential is still stored.
    func remove(_ account: String) async throws(Credential.StoreError)

    /// Takes the account's renewal lock, which one client of all that share the store can hold at a time.
    ///
    /// Whoever spends a refresh token holds it from reading the token to saving its successor, because two clients that
    /// spend the same token look like a thief to the server (RFC 9700 4.14.2). The lock ends with
    /// ``Credential/Lock/release()`` or with its holder's process. It guards renewing only: loading, saving and
    /// removing never wait for it.
    ///
    /// - Throws: ``Credential/StoreError``; `.temporarilyUnavailable` when the lock is still taken at the deadline,
    ///   `.notWritable` when the store cannot keep a lock.
    func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(Credential.StoreError) -> Credential.Lock

    /// The keys of all accounts that are stored, sorted; those whose record is damaged among them.
    ///
    /// - Throws: ``Credential/StoreError`` when the store cannot be read now.
    func accounts() async throws(Credential.StoreError) -> [String]

    /// The note of this name, such as which account is the current one, or `nil`.
    ///
    /// - Throws: ``Credential/StoreError`` when the store cannot be read now.
    func note(_ name: String) async throws(Credential.StoreError) -> String?

    /// Keeps a note durably, or forgets it (`nil`).
    ///
    /// Notes are no place for secrets.
    ///
    /// - Throws: ``Credential/StoreError``. The note is as it was.
    func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError)
}

extension CredentialStore {
    /// Saves durably, if the stored version is still the given one (`nil`: nothing is stored yet).
    ///
    /// - Returns: the new version.
    /// - Throws: ``Credential/StoreError``, with `.conflict` if another writer was first.
    public func save(
        _ credential: Credential, for account: String, replacing version: UInt64?
    ) async throws(Credential.StoreError) -> UInt64 {
        try await save(credential, for: account, replacing: version, renewal: .settled)
    }
}

extension Credential {
    /// Why a store could not answer.
    public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kind of failure, an open set whose label is safe as a metric name.
        public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
            /// The fixed label of the kind.
            public let rawValue: String

            /// Wraps a label.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The label.
            public var description: String { rawValue }

            /// Another writer saved first; load again.
            public static let conflict = Code(rawValue: "conflict")
            /// The store exists but cannot be used now, but may have a credential; try again later.
            public static let temporarilyUnavailable = Code(rawValue: "temporarilyUnavailable")
            /// The disk is full, read-only or broken, or the permissions of the store forbid writing.
            ///
            /// What was stored before is still in place.
            public static let notWritable = Code(rawValue: "notWritable")
            /// Others could read or replace the store's files; nothing is read from it and nothing is written to it.
            public static let insecurePermissions = Code(rawValue: "insecurePermissions")
            /// The record was written by a newer version of this library, which alone may change it.
            public static let newerVersion = Code(rawValue: "newerVersion")
            /// The record is damaged, and no earlier one is left to recover from; a new login may replace it.
            public static let corrupt = Code(rawValue: "corrupt")
        }

        /// The kind of failure.
        public let code: Code
        /// What happened and what to do, free of secrets.
        public let message: String

        /// Makes an error.
        public init(_ code: Code, _ message: String) {
            self.code = code
            self.message = message
        }

        /// The value as text, for people and logs.
        public var description: String { "\(code.rawValue): \(message)" }
    }
}

/// Keeps credentials for the life of the process.
public final class InMemoryCredentialStore: CredentialStore {
    private struct State {
        var records: [String: Credential.Stored] = [:]
        var locked: Set<String> = []
        var notes: [String: String] = [:]
        /// Never used twice, so that a login that was removed and made again is not mistaken for the old one.
        var lastVersion: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Makes an empty store.
    public init() {}

    /// The account's credential, or `nil`.
    public func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? {
        state.withLock { $0.records[account] }
    }

    /// Saves if the version is still the given one, else throws `.conflict`.
    public func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64 {
        let saved: UInt64? = state.withLock { state in
            guard state.records[account]?.version == version else { return nil }
            state.lastVersion += 1
            state.records[account] = Credential.Stored(
                credential: credential, version: state.lastVersion, renewal: renewal)
            return state.lastVersion
        }
        guard let saved else {
            throw Credential.StoreError(.conflict, "another writer changed \(account) first; load it again")
        }
        return saved
    }

    /// Forgets the account.
    public func remove(_ account: String) async throws(Credential.StoreError) {
        state.withLock { $0.records[account] = nil }
    }

    /// Takes the account's renewal lock among the clients of this process.
    public func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(Credential.StoreError) -> Credential.Lock {
        try await Credential.Lock.poll(until: deadline, clock: ContinuousClock()) { () throws(Credential.StoreError) in
            guard state.withLock({ $0.locked.insert(account).inserted }) else { return nil }
            return Credential.Lock { _ = self.state.withLock { $0.locked.remove(account) } }
        }
    }

    /// The keys of all accounts, sorted.
    public func accounts() async throws(Credential.StoreError) -> [String] {
        state.withLock { $0.records.keys.sorted() }
    }

    /// The note of this name, or `nil`.
    public func note(_ name: String) async throws(Credential.StoreError) -> String? {
        state.withLock { $0.notes[name] }
    }

    /// Keeps a note, or forgets it.
    public func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError) {
        state.withLock { $0.notes[name] = value }
    }
}

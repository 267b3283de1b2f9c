// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Stores one credential per account between runs, or between clients of one process, and small notes.
///
/// Loading returns a credential, `nil`, or throws an error if the store cannot be read now. "Missing" and "unreadable"
/// are never confused, because a login must not be lost to a locked Keychain. Saving is compare-and-swap, so one of two
/// writers learns that the other was first.
///
/// A change that took effect is a success, even if the store cannot confirm that it is durable. A change that throws
/// has not taken effect. A store that cannot know this, because it runs another program, throws, and clients find out
/// by loading the record again.
public protocol CredentialStore: Sendable {
    /// Loads the account's credential, or returns `nil` if none is stored.
    ///
    /// - Throws: ``Credential/StoreError`` if the store cannot be read now.
    func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored?

    /// Saves durably, if the stored version is still `version`.
    ///
    /// - Parameters:
    ///   - credential: the credential to store.
    ///   - account: the account's key.
    ///   - version: the version to replace, or `nil` if nothing is stored yet.
    ///   - renewal: the state of the refresh token, which is `.started` before the token is spent.
    /// - Returns: the new version.
    /// - Throws: ``Credential/StoreError``, with `.conflict` if another writer was first. The earlier record is
    ///   unchanged.
    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64

    /// Removes the account's credential, if there is one.
    ///
    /// - Throws: ``Credential/StoreError``. The credential is still stored.
    func remove(_ account: String) async throws(Credential.StoreError)

    /// Takes the account's renewal lock, which only one client of all that share the store can hold at a time.
    ///
    /// A client that spends a refresh token holds the lock from reading the token to saving its successor, because two
    /// clients that spend the same token look like theft to the server (RFC 9700 §4.14.2). The lock ends with
    /// ``Credential/Lock/release()`` or with the holder's process. Only renewals wait for it: loading, saving and
    /// removing do not.
    ///
    /// - Throws: ``Credential/StoreError``: `.temporarilyUnavailable` if the lock is still held at the deadline,
    ///   `.notWritable` if the store cannot create a lock.
    func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(Credential.StoreError) -> Credential.Lock

    /// The keys of all stored accounts, sorted, including accounts whose record is damaged.
    ///
    /// - Throws: ``Credential/StoreError`` if the store cannot be read now.
    func accounts() async throws(Credential.StoreError) -> [String]

    /// Returns the note with this name, such as the key of the current account, or `nil`.
    ///
    /// - Throws: ``Credential/StoreError`` if the store cannot be read now.
    func note(_ name: String) async throws(Credential.StoreError) -> String?

    /// Stores a note durably, or removes it if `value` is `nil`.
    ///
    /// Notes must not contain secrets.
    ///
    /// - Throws: ``Credential/StoreError``. The note is unchanged.
    func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError)
}

extension CredentialStore {
    /// Saves durably with the renewal state `.settled`, if the stored version is still `version` (`nil`: nothing
    /// stored).
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
    /// The error of a credential store.
    public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kind of error, an open set whose label is safe as a metric name.
        public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
            /// The fixed label of the kind.
            public let rawValue: String

            /// Creates a code.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The label.
            public var description: String { rawValue }

            /// Another writer saved first; load again.
            public static let conflict = Code(rawValue: "conflict")
            /// The store exists and may have a credential, but cannot be used now; try again later.
            public static let temporarilyUnavailable = Code(rawValue: "temporarilyUnavailable")
            /// The disk is full, read-only or broken, or the permissions of the store forbid writing.
            ///
            /// The earlier record is unchanged.
            public static let notWritable = Code(rawValue: "notWritable")
            /// Other users could read or replace the store's files, so the store neither reads nor writes.
            public static let insecurePermissions = Code(rawValue: "insecurePermissions")
            /// A newer version of this library wrote the record, so only a newer version can change it.
            public static let newerVersion = Code(rawValue: "newerVersion")
            /// The record is damaged and no earlier record is left, so a new login may replace it.
            public static let corrupt = Code(rawValue: "corrupt")
        }

        /// The kind of error.
        public let code: Code
        /// The problem and what to do, without secrets.
        public let message: String

        /// Creates an error.
        public init(_ code: Code, _ message: String) {
            self.code = code
            self.message = message
        }

        /// The code and the message.
        public var description: String { "\(code.rawValue): \(message)" }
    }
}

/// Stores credentials for the lifetime of the process.
public final class InMemoryCredentialStore: CredentialStore {
    private struct State {
        var records: [String: Credential.Stored] = [:]
        var locked: Set<String> = []
        var notes: [String: String] = [:]
        /// Never reused, so that a recreated login is not mistaken for the removed one.
        var lastVersion: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Creates an empty store.
    public init() {}

    /// Returns the account's credential, or `nil`.
    public func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? {
        state.withLock { $0.records[account] }
    }

    /// Saves if the stored version is still `version`, and otherwise throws `.conflict`.
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

    /// Removes the account.
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

    /// Returns the note with this name, or `nil`.
    public func note(_ name: String) async throws(Credential.StoreError) -> String? {
        state.withLock { $0.notes[name] }
    }

    /// Stores a note, or removes it if `value` is `nil`.
    public func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError) {
        state.withLock { $0.notes[name] = value }
    }
}

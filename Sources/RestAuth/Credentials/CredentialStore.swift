// SPDX-License-Identifier: Apache-2.0

/// Keeps one credential per account between runs, or between clients of one process.
///
/// A store answers with a value, with none, or with an error that says it cannot be read now: none and unreadable are never mixed
/// up, because a login must not be lost to a locked key chain. Saving is compare-and-swap, so that of two writers one learns that
/// the other was first.
public protocol CredentialStore: Sendable {
    /// The credential of the account, or `nil` when there is none.
    ///
    /// - Throws: ``CredentialStoreError`` when the store cannot be read now.
    func load(_ account: String) async throws(CredentialStoreError) -> StoredCredential?

    /// Saves durably, if the stored version is still the given one (`nil`: nothing is stored yet).
    ///
    /// - Parameters:
    ///   - credential: what to keep.
    ///   - account: the account's key.
    ///   - version: the version that is replaced.
    ///   - isRenewing: notes that the credential's refresh token is about to be spent; see ``StoredCredential/isRenewing``.
    /// - Returns: the new version.
    /// - Throws: ``CredentialStoreError`` with `.conflict` when another writer was first.
    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, isRenewing: Bool
    ) async throws(CredentialStoreError) -> UInt64

    /// Removes the account's credential; without effect when there is none.
    func remove(_ account: String) async throws(CredentialStoreError)

    /// Takes the account's renewal lock, which one client of all that share the store can hold at a time.
    ///
    /// Whoever spends a refresh token holds it from reading the token to saving its successor, because two clients that spend
    /// the same token look like a thief to the server (RFC 9700 §4.14.2). The lock ends with ``CredentialLock/release()`` or with
    /// its holder's process. It guards renewing only: loading, saving and removing never wait for it.
    ///
    /// - Throws: ``CredentialStoreError``; `.temporarilyUnavailable` when the lock is still taken at the deadline,
    ///   `.notWritable` when the store cannot keep a lock.
    func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(CredentialStoreError) -> CredentialLock
}

extension CredentialStore {
    /// Saves durably, if the stored version is still the given one (`nil`: nothing is stored yet).
    ///
    /// - Returns: the new version.
    /// - Throws: ``CredentialStoreError`` with `.conflict` when another writer was first.
    public func save(
        _ credential: Credential, for account: String, replacing version: UInt64?
    ) async throws(CredentialStoreError) -> UInt64 {
        try await save(credential, for: account, replacing: version, isRenewing: false)
    }
}

/// A credential with the version it was stored under.
public struct StoredCredential: Sendable, Hashable {
    /// What was stored.
    public let credential: Credential
    /// Another one after every save of the account.
    public let version: UInt64
    /// Whether a client was about to spend the refresh token and has not said how it ended.
    ///
    /// When that client is gone, the token may or may not be spent: it can be tried, and a refusal proves nothing.
    public let isRenewing: Bool

    /// Pairs a credential with its version.
    public init(credential: Credential, version: UInt64, isRenewing: Bool = false) {
        self.credential = credential
        self.version = version
        self.isRenewing = isRenewing
    }
}

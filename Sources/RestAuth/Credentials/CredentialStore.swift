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
    /// - Returns: the new version.
    /// - Throws: ``CredentialStoreError`` with `.conflict` when another writer was first.
    func save(_ credential: Credential, for account: String, replacing version: UInt64?)
        async throws(CredentialStoreError) -> UInt64

    /// Removes the account's credential; without effect when there is none.
    func remove(_ account: String) async throws(CredentialStoreError)
}

/// A credential with the version it was stored under.
public struct StoredCredential: Sendable, Hashable {
    /// What was stored.
    public let credential: Credential
    /// Grows with every save of the account.
    public let version: UInt64

    /// Pairs a credential with its version.
    public init(credential: Credential, version: UInt64) {
        self.credential = credential
        self.version = version
    }
}

/// Why a store could not answer.
public struct CredentialStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Sendable, Hashable {
        /// Another writer saved first; load again.
        case conflict
        /// The store exists but cannot be used now; try again later. It does not mean that there is no credential.
        case temporarilyUnavailable
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The value as text, for people and logs.
    public var description: String { "\(code.rawValue): \(message)" }
}

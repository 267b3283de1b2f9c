// SPDX-License-Identifier: Apache-2.0

/// A credential store that can say whose credentials it keeps, with room for small notes beside them.
public protocol AccountStore: CredentialStore {
    /// The keys of all accounts that are stored, sorted; those whose record is damaged among them.
    ///
    /// - Throws: ``CredentialStoreError`` when the store cannot be read now.
    func accounts() async throws(CredentialStoreError) -> [String]

    /// The note of this name, such as which account is the current one, or `nil`.
    ///
    /// - Throws: ``CredentialStoreError`` when the store cannot be read now.
    func note(_ name: String) async throws(CredentialStoreError) -> String?

    /// Keeps a note durably, or forgets it (`nil`).
    ///
    /// Notes are no place for secrets.
    ///
    /// - Throws: ``CredentialStoreError``.
    func setNote(_ name: String, _ value: String?) async throws(CredentialStoreError)
}

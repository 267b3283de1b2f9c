// SPDX-License-Identifier: Apache-2.0

/// Somebody else's safe that keeps items under names: a key chain, a secret service.
///
/// It answers like a store: an item, none, or an error. "Locked" and "does not answer" are errors.
protocol SecretVault: Sendable {
    /// The item's bytes; `nil` only when the vault says that there is no such item.
    func read(_ name: String) async throws(CredentialStoreError) -> [UInt8]?

    /// Adds the item or replaces its bytes.
    func write(_ bytes: [UInt8], _ name: String) async throws(CredentialStoreError)

    /// Removes the item; without effect when there is none.
    func delete(_ name: String) async throws(CredentialStoreError)

    /// The names of all items.
    func names() async throws(CredentialStoreError) -> [String]
}

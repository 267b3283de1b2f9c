// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension AccountManager {
    /// Moves the records that an earlier version kept under a key without the server to the key of today.
    ///
    /// A record is gone from its old place only after it is whole in the new one, so a process that dies in between
    /// loses nothing, and the next one goes on. What cannot be moved now is used where it is.
    ///
    /// - Parameters:
    ///   - found: what the store holds; it says afterwards where the records are.
    ///   - used: the keys whose clients are at work in this process, which stay as they are.
    func moveFormer(_ found: inout Found, except used: some Collection<String>) async {
        for (id, stored) in found.credentials.sorted(by: { $0.key < $1.key }) where !used.contains(id) {
            let names = LinkedAccount.Names(of: stored.credential)
            guard names.formerKeys.contains(id), LinkedAccount.Names.areLasting(stored.credential),
                let key = names.keys.first, !used.contains(key), found.unreadable[key] == nil
            else { continue }
            if let known = found.credentials[key], !known.credential.hasTokens(of: stored.credential) { continue }
            guard let moved = try? await move(id, to: key) else { continue }
            found.credentials[id] = nil
            found.credentials[key] = moved
            if found.current == id { found.current = key }
        }
    }

    /// Moves a record while nobody renews it or changes the accounts.
    ///
    /// - Returns: the record in its new place; `nil` when it has another login meanwhile, or is gone.
    private func move(_ id: String, to key: String) async throws(CredentialStoreError) -> Credential.Stored? {
        let deadline = clock.now + .seconds(1)
        let gate = try await store.lock(Self.gate, until: deadline)
        defer { gate.release() }
        let lock = try await store.lock(id, until: deadline)
        defer { lock.release() }
        guard let stored = try await store.load(id) else { return nil }
        if let known = try await store.load(key) {
            guard known.credential.hasTokens(of: stored.credential) else { return nil }
        } else {
            _ = try await store.save(stored.credential, for: key, replacing: nil, renewal: stored.renewal)
        }
        if try await store.note(Self.currentNote) == id { try await store.setNote(Self.currentNote, key) }
        try await store.remove(id)
        return try await store.load(key)
    }
}

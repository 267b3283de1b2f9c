// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

extension AccountManager {
    /// Which account is the current one.
    static let currentNote = "current"
    /// The key under whose lock changes are made one after another; no account has it.
    private static let gate = ""
    private static let patience = Duration.seconds(10)

    /// Reads the store anew, to see what other processes did.
    ///
    /// - Throws: ``AccountError`` when the store cannot be read now; nothing is changed then.
    public func reload() async throws(AccountError) {
        do throws(CredentialStoreError) {
            while true {
                let changes = state.withLock { $0.changes }
                let found = try await readStore()
                if take(found, ifStill: changes) { return }
            }
        } catch {
            throw AccountError(error)
        }
    }

    private func readStore() async throws(CredentialStoreError) -> Found {
        var found = Found(current: try await store.note(Self.currentNote))
        for id in try await store.accounts() where id != Self.gate {
            do throws(CredentialStoreError) {
                found.credentials[id] = try await store.load(id)?.credential
            } catch {
                found.unreadable[id] = error
            }
        }
        return found
    }

    /// What the store holds.
    private struct Found {
        let current: String?
        var credentials: [String: Credential] = [:]
        var unreadable: [String: CredentialStoreError] = [:]
    }

    /// Runs a change alone among all who share the store.
    func serially<Value>(
        _ body: () async throws(CredentialStoreError) -> Value
    ) async throws(AccountError) -> Value {
        do throws(CredentialStoreError) {
            let lock = try await store.lock(Self.gate, until: clock.now + Self.patience)
            defer { lock.release() }
            return try await body()
        } catch {
            throw AccountError(error)
        }
    }

    /// Makes the state what the store says; tells, and ends what is gone, after the lock.
    ///
    /// - Returns: whether it was done; not when this process changed something since the store was read.
    private func take(_ found: Found, ifStill changes: UInt64) -> Bool {
        let outcome: (events: [AccountEvent], gone: [TokenManager])? = state.withLock { state in
            guard state.changes == changes else { return nil }
            let gone = state.entries.filter { found.credentials[$0.key] == nil && found.unreadable[$0.key] == nil }
            for id in gone.keys { state.entries[id] = nil }
            var events = gone.keys.sorted().map { AccountEvent.unlinked($0) }
            for (id, credential) in found.credentials.sorted(by: { $0.key < $1.key }) {
                let account = Account(id: id, of: credential)
                if let event = state.link(account, or: { makeEntry(account, credential) }) { events.append(event) }
            }
            state.unreadable = found.unreadable
            if let event = state.choose(found.current) { events.append(event) }
            return (events, gone.values.map(\.tokens))
        }
        guard let outcome else { return false }
        for tokens in outcome.gone { tokens.close() }
        for event in outcome.events { hub.tell(event) }
        return true
    }
}

extension AccountManager.State {
    /// Notes an account.
    ///
    /// - Returns: the event to tell, `nil` when nothing is new.
    mutating func link(_ account: Account, or make: () -> AccountManager.Entry) -> AccountEvent? {
        guard let known = entries[account.id] else {
            entries[account.id] = make()
            return .added(account)
        }
        entries[account.id]?.account = account
        return known.account == account ? nil : .updated(account)
    }

    /// Makes an account the current one, or none when it is not linked.
    ///
    /// - Returns: the event to tell, `nil` when nothing changes.
    mutating func choose(_ id: String?) -> AccountEvent? {
        let next = id.flatMap { entries[$0] == nil ? nil : $0 }
        guard next != current else { return nil }
        defer { current = next }
        return .switched(from: current, to: next)
    }
}

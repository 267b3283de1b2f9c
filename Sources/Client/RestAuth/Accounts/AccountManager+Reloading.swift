// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

extension AccountManager {
    /// Which account is the current one.
    static let currentNote = "current"
    /// The key under whose lock changes are made one after another; no account has it.
    static let gate = ""
    static let patience = Duration.seconds(10)

    /// Reads the store anew, to see what other processes did.
    ///
    /// Clients of an account go on with what is stored of their user, also when their session had ended. Clients whose
    /// account is gone, or whose key is another user's now, end with `noAccount`.
    ///
    /// - Throws: ``AccountManager/Error`` when the store cannot be read now; nothing is changed then.
    public func reload() async throws(AccountManager.Error) {
        do throws(CredentialStoreError) {
            while true {
                let (changes, entries) = state.withLock { ($0.changes, $0.entries) }
                let before = Before(changes: changes, entries: entries)
                if take(try await readStore(), over: before) { return }
            }
        } catch {
            throw AccountManager.Error(error)
        }
    }

    /// What this process knew before the store was read.
    private struct Before {
        let changes: UInt64
        let entries: [String: Entry]
        let generations: [String: UInt64]

        init(changes: UInt64, entries: [String: Entry]) {
            self.changes = changes
            self.entries = entries
            generations = entries.mapValues { $0.tokens.generation }
        }
    }

    private func readStore() async throws(CredentialStoreError) -> Found {
        var found = Found(current: try await store.note(Self.currentNote))
        for id in try await store.accounts() where id != Self.gate {
            do throws(CredentialStoreError) {
                found.credentials[id] = try await store.load(id)
            } catch {
                found.unreadable[id] = error
            }
        }
        return found
    }

    /// What the store holds.
    struct Found {
        var current: String?
        var credentials: [String: Credential.Stored] = [:]
        var unreadable: [String: CredentialStoreError] = [:]
    }

    /// Runs a change alone among all who share the store.
    func serially<Value>(
        _ body: () async throws(CredentialStoreError) -> Value
    ) async throws(AccountManager.Error) -> Value {
        do throws(CredentialStoreError) {
            let lock = try await store.lock(Self.gate, until: clock.now + Self.patience)
            defer { lock.release() }
            return try await body()
        } catch {
            throw AccountManager.Error(error)
        }
    }

    /// Makes the state what the store says; tells, and ends what is gone, after the lock.
    ///
    /// - Returns: whether it was done; not when this process changed something since the store was read.
    private func take(_ found: Found, over before: Before) -> Bool {
        // The app is asked for its grants here, and never under the lock.
        let entries = found.credentials.map { id, stored in
            let account = LinkedAccount(id: id, of: stored.credential)
            let known = before.entries[id].flatMap { $0.goesOn(with: stored.credential) ? $0 : nil }
            return (account, known ?? makeEntry(account, stored))
        }
        let outcome: (events: [AccountManager.Event], gone: [TokenManager])? = state.withLock { state in
            guard state.changes == before.changes else { return nil }
            return state.take(entries, unreadable: found.unreadable, current: found.current)
        }
        guard let outcome else { return false }
        for tokens in outcome.gone { tokens.close() }
        for event in outcome.events { hub.tell(event) }
        for (account, entry) in entries { renew(entry, as: account, found.credentials[account.id], over: before) }
        return true
    }

    /// Lets the clients of an account go on with what is stored of their user.
    private func renew(_ entry: Entry, as account: LinkedAccount, _ stored: Credential.Stored?, over before: Before) {
        guard let known = before.entries[account.id], known.tokens === entry.tokens, let stored,
            let generation = before.generations[account.id]
        else { return }
        if known.account.login != account.login { entry.tokens.renew(by: means(of: account)) }
        entry.tokens.learn(stored, since: generation)
    }
}

extension AccountManager.State {
    /// Makes the accounts what was found in the store.
    ///
    /// - Returns: what to tell, and the tokens whose use is over.
    fileprivate mutating func take(
        _ found: [(account: LinkedAccount, entry: AccountManager.Entry)], unreadable: [String: CredentialStoreError],
        current: String?
    ) -> (events: [AccountManager.Event], gone: [TokenManager]) {
        let kept = Set(found.map(\.account.id)).union(unreadable.keys)
        let removed = entries.filter { !kept.contains($0.key) }
        var gone = removed.values.map(\.tokens)
        var events = removed.keys.sorted().map { AccountManager.Event.unlinked($0) }
        for id in removed.keys { entries[id] = nil }
        for (account, entry) in found.sorted(by: { $0.account.id < $1.account.id }) {
            let (replaced, told) = link(entry, as: account)
            events += told
            if let replaced { gone.append(replaced) }
        }
        self.unreadable = unreadable
        if let event = choose(current) { events.append(event) }
        if !events.isEmpty { changes += 1 }
        return (events, gone)
    }

    /// Notes an account.
    ///
    /// - Returns: the tokens that it replaced, and the events to tell, none when nothing is new.
    mutating func link(
        _ entry: AccountManager.Entry, as account: LinkedAccount
    ) -> (replaced: TokenManager?, events: [AccountManager.Event]) {
        let known = entries.updateValue(
            AccountManager.Entry(account: account, tokens: entry.tokens), forKey: account.id)
        guard let known else { return (nil, [.added(account)]) }
        guard known.tokens === entry.tokens else {
            return (known.tokens, [.unlinked(account.id), .added(account)])
        }
        return (nil, known.account == account ? [] : [.updated(account)])
    }

    /// Makes an account the current one, or none when it is not linked.
    ///
    /// - Returns: the event to tell, `nil` when nothing changes.
    mutating func choose(_ id: String?) -> AccountManager.Event? {
        let next = id.flatMap { entries[$0] == nil ? nil : $0 }
        guard next != current else { return nil }
        defer { current = next }
        return .switched(from: current, to: next)
    }
}

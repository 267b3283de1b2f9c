// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension AccountManager {
    /// Links the account of a new login, durably; a first account becomes the current one.
    ///
    /// When the user is linked already, the account's clients go on with the new login.
    ///
    /// - Parameters:
    ///   - credential: what the login gave; ``Credential/login`` says how to renew and revoke it.
    ///   - id: the account's key; by default the ids of org and user.
    ///   - makesCurrent: whether it becomes the current account in any case.
    /// - Returns: the account.
    /// - Throws: ``AccountError``: `.otherUser` when another user is linked under this key, `.store` when the login
    ///   cannot be saved. Nothing is changed then.
    @discardableResult
    public func add(
        _ credential: Credential, id: String? = nil, makesCurrent: Bool = false
    ) async throws(AccountError) -> Account {
        let account = Account(id: id, of: credential)
        guard !account.id.isEmpty else { throw AccountError(.noAccount, "an account's id cannot be empty") }
        let isRefused = try await serially { () throws(CredentialStoreError) in
            let known = entry(account.id)
            if let known, known.account.identityURL != account.identityURL { return true }
            let entry = known ?? makeEntry(account, nil)
            let isCurrent = makesCurrent || current == nil
            try await save(credential, of: entry, isCurrent: isCurrent)
            link(entry, as: account, isCurrent: isCurrent)
            return false
        }
        guard !isRefused else {
            throw AccountError(
                .otherUser, "'\(account.id)' is another user's login; unlink it first, or choose another name")
        }
        return account
    }

    /// Makes a linked account the current one, durably; clients that exist are not touched.
    ///
    /// - Throws: ``AccountError``: `.noAccount` when it is not linked, `.store` when the choice cannot be saved.
    public func `switch`(to id: String) async throws(AccountError) {
        guard entry(id) != nil else { throw .noAccount(id) }
        try await serially { () throws(CredentialStoreError) in
            try await store.setNote(Self.currentNote, id)
            let event = state.withLock { state in
                state.changes += 1
                return state.choose(id)
            }
            if let event { hub.tell(event) }
        }
    }

    /// The choice goes first, because one of an account that is not there counts for nothing.
    private func save(
        _ credential: Credential, of entry: Entry, isCurrent: Bool
    ) async throws(CredentialStoreError) {
        let before = current?.id
        if isCurrent { try await store.setNote(Self.currentNote, entry.account.id) }
        do {
            try await entry.tokens.save(credential)
        } catch {
            if isCurrent { try? await store.setNote(Self.currentNote, before) }
            throw error
        }
        entry.tokens.use(credential)
    }

    private func link(_ entry: Entry, as account: Account, isCurrent: Bool) {
        let events = state.withLock { state in
            state.changes += 1
            let linked = state.link(account, or: { entry }) ?? .updated(account)
            state.unreadable[account.id] = nil
            return [linked, isCurrent ? state.choose(account.id) : nil]
        }
        for event in events.compactMap(\.self) { hub.tell(event) }
    }
}

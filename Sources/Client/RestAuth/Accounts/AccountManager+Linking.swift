// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension AccountManager {
    /// Links the account of a new login, durably; a first account becomes the current one.
    ///
    /// An account is a user at an authorization server (``LinkedAccount/server``, ``LinkedAccount/userID``), whatever
    /// the server's answers call the user. When the user is linked already, the account's clients go on with the new
    /// login. A server that named nobody is asked, at its introspection or user info endpoint; where that gives no
    /// answer either, server and user name in ``Credential/login`` decide. Where none of it is known, the login is an
    /// account of its own; under a key that you name it takes the place of another such login, whose clients end with
    /// `noAccount`.
    ///
    /// - Parameters:
    ///   - credential: what the login gave; ``Credential/login`` says how to renew and revoke it.
    ///   - id: the account's key; by default made of the user's id and the server.
    ///   - makesCurrent: whether it becomes the current account in any case.
    /// - Returns: the account.
    /// - Throws: ``AccountManager/Error``: `.otherUser` when another user is linked under this key, by this process or
    ///   by another one; `.store` when the login cannot be saved. Nothing is changed then.
    @discardableResult
    public func add(
        _ credential: Credential, id: String? = nil, makesCurrent: Bool = false
    ) async throws(AccountManager.Error) -> LinkedAccount {
        var credential = credential
        if id == nil { credential = await named(credential) }
        let login = credential.marked()
        let account = LinkedAccount(id: id ?? madeKey(of: login), of: login)
        guard !account.id.isEmpty else { throw AccountManager.Error(.noAccount, "an account's id cannot be empty") }
        let isLinked = try await serially { () throws(CredentialStoreError) in
            let linked = state.withLock { $0.entries[account.id] }
            let known = linked.flatMap { $0.goesOn(with: login) ? $0 : nil }
            let entry = known ?? makeEntry(account, nil)
            let isCurrent = makesCurrent || current == nil
            guard try await save(login, of: entry, isCurrent: isCurrent) else { return false }
            if known != nil { entry.tokens.renew(by: means(of: account)) }
            link(entry, as: account, isCurrent: isCurrent)
            return true
        }
        guard isLinked else {
            throw AccountManager.Error(
                .otherUser, "'\(account.id)' is another user's login; unlink it first, or choose another name")
        }
        return account
    }

    /// The login with the user's id, if the server says it when it is asked.
    private func named(_ credential: Credential) async -> Credential {
        guard !credential.isNamed, let login = credential.login, login.username == nil else { return credential }
        let client = client(of: login, LinkedAccount(of: credential))
        guard let user = await client.user(behind: credential, deadline: clock.now + Self.patience) else {
            return credential
        }
        var named = credential
        (named.userID, named.userClaim) = (user.id, user.claim)
        return named
    }

    /// The key of the account that a login belongs to, which was made when its user was first seen.
    private func madeKey(of login: Credential) -> String? {
        let entries = state.withLock { $0.entries.values.filter(\.account.hasMadeKey) }
        return entries.filter { $0.goesOn(with: login) }.map(\.account.id).min()
    }

    /// Makes a linked account the current one, durably; clients that exist are not touched.
    ///
    /// - Throws: ``AccountManager/Error``: `.noAccount` when it is not linked, `.store` when the choice cannot be
    ///   saved.
    public func `switch`(to id: String) async throws(AccountManager.Error) {
        guard let id = entry(id)?.account.id else { throw .noAccount(id) }
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
    ///
    /// - Returns: `false` when the store has another user's login under the key; nothing is changed then.
    private func save(
        _ credential: Credential, of entry: Entry, isCurrent: Bool
    ) async throws(CredentialStoreError) -> Bool {
        let before = isCurrent ? try await store.note(Self.currentNote) : nil
        if isCurrent { try await store.setNote(Self.currentNote, entry.account.id) }
        do {
            guard try await entry.tokens.save(credential) else {
                if isCurrent { try await store.setNote(Self.currentNote, before) }
                return false
            }
        } catch {
            if isCurrent { try? await store.setNote(Self.currentNote, before) }
            throw error
        }
        entry.tokens.use(credential)
        return true
    }

    private func link(_ entry: Entry, as account: LinkedAccount, isCurrent: Bool) {
        let (replaced, events) = state.withLock { state -> (TokenManager?, [AccountManager.Event]) in
            state.changes += 1
            let (replaced, events) = state.link(entry, as: account)
            state.unreadable[account.id] = nil
            let told = events.isEmpty ? [.updated(account)] : events
            return (replaced, told + [isCurrent ? state.choose(account.id) : nil].compactMap(\.self))
        }
        replaced?.close()
        for event in events { hub.tell(event) }
    }
}

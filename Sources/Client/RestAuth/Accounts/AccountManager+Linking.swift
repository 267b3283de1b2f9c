// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

extension AccountManager {
    /// Links the account of a new login, durably.
    ///
    /// The first account becomes the current one.
    ///
    /// An account is a user (``AccountManager/Account/userID``) at an authorization server
    /// (``AccountManager/Account/server``). If the user is already linked, the account's clients continue with the new
    /// login. If the login does not name its user, the server's introspection or user info endpoint is asked.
    /// Otherwise, the server and user name in ``Credential/login`` identify the account. If nothing identifies the
    /// user, the login becomes a new account. Under a key that you pass, it replaces another login without a user, and
    /// clients of that login fail with `noAccount`.
    ///
    /// - Parameters:
    ///   - credential: the credential of the login. ``Credential/login`` is required for renewing and revoking it.
    ///   - id: the account's key. By default, it is made from the user's id and the server.
    ///   - makesCurrent: whether the account becomes the current one even if it is not the first.
    /// - Returns: the account.
    /// - Throws: ``AccountManager/Error``: `.otherUser` if another user is linked under this key, by this or another
    ///   process; `.store` if the login cannot be saved. Nothing was changed.
    @discardableResult
    public func add(
        _ credential: Credential, id: String? = nil, makesCurrent: Bool = false
    ) async throws(AccountManager.Error) -> AccountManager.Account {
        var credential = credential
        if id == nil { credential = await named(credential) }
        let login = credential.marked()
        let account = AccountManager.Account(id: id ?? madeKey(of: login), of: login)
        guard !account.id.isEmpty else { throw AccountManager.Error(.noAccount, "an account's id must not be empty") }
        let isLinked = try await serially { () throws(Credential.StoreError) in
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

    /// The login with the user's id, if one of the server's endpoints names the user.
    private func named(_ credential: Credential) async -> Credential {
        guard !credential.isNamed, let login = credential.login, login.username == nil else { return credential }
        let client = client(of: login, AccountManager.Account(of: credential))
        guard let user = await client.user(behind: credential, deadline: clock.now + Self.patience) else {
            return credential
        }
        var named = credential
        (named.userID, named.userClaim) = (user.id, user.claim)
        return named
    }

    /// The key of the user's linked account, if the key was generated.
    private func madeKey(of login: Credential) -> String? {
        let entries = state.withLock { $0.entries.values.filter(\.account.hasMadeKey) }
        return entries.filter { $0.goesOn(with: login) }.map(\.account.id).min()
    }

    /// Makes a linked account the current one, durably, without effect on existing clients.
    ///
    /// - Throws: ``AccountManager/Error``: `.noAccount` if it is not linked, `.store` if the choice cannot be saved.
    public func `switch`(to id: String) async throws(AccountManager.Error) {
        guard let id = entry(id)?.account.id else { throw .noAccount(id) }
        try await serially { () throws(Credential.StoreError) in
            try await store.setNote(Self.currentNote, id)
            let event = state.withLock { state in
                state.changes += 1
                return state.choose(id)
            }
            if let event { feed.report(event) }
        }
    }

    /// Saves the login after the choice of the current account, because the choice of a missing account has no effect.
    ///
    /// - Returns: `false` if the store has another user's login under the key, and nothing was changed.
    private func save(
        _ credential: Credential, of entry: Entry, isCurrent: Bool
    ) async throws(Credential.StoreError) -> Bool {
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

    private func link(_ entry: Entry, as account: AccountManager.Account, isCurrent: Bool) {
        let (replaced, events) = state.withLock { state -> (TokenManager?, [AccountManager.Event]) in
            state.changes += 1
            let (replaced, events) = state.link(entry, as: account)
            state.unreadable[account.id] = nil
            let told = events.isEmpty ? [.updated(account)] : events
            return (replaced, told + [isCurrent ? state.choose(account.id) : nil].compactMap(\.self))
        }
        replaced?.close()
        for event in events { feed.report(event) }
    }

    /// The note with the key of the current account.
    static let currentNote = "current"
    /// The key of the lock for all changes, which is invalid as the key of an account.
    static let gate = ""
    static let patience = Duration.seconds(10)

    /// Reads the store again to find changes by other processes.
    ///
    /// Clients of an account continue with the stored login of their user, even if their session had ended. Clients of
    /// an account that is missing, or whose key belongs to another user now, fail with `noAccount`.
    ///
    /// - Throws: ``AccountManager/Error`` if the store cannot be read now. Nothing was changed.
    public func reload() async throws(AccountManager.Error) {
        do throws(Credential.StoreError) {
            while true {
                let (changes, entries) = state.withLock { ($0.changes, $0.entries) }
                let before = Before(changes: changes, entries: entries)
                if take(try await readStore(), over: before) { return }
            }
        } catch {
            throw AccountManager.Error(error)
        }
    }

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

    private func readStore() async throws(Credential.StoreError) -> Found {
        var found = Found(current: try await store.note(Self.currentNote))
        for id in try await store.accounts() where id != Self.gate {
            do throws(Credential.StoreError) {
                found.credentials[id] = try await store.load(id)
            } catch {
                found.unreadable[id] = error
            }
        }
        return found
    }

    struct Found {
        var current: String?
        var credentials: [String: Credential.Stored] = [:]
        var unreadable: [String: Credential.StoreError] = [:]
    }

    /// Runs a change exclusively among all processes and clients with this store.
    func serially<Value>(
        _ body: () async throws(Credential.StoreError) -> Value
    ) async throws(AccountManager.Error) -> Value {
        do throws(Credential.StoreError) {
            let lock = try await store.lock(Self.gate, until: clock.now + Self.patience)
            defer { lock.release() }
            return try await body()
        } catch {
            throw AccountManager.Error(error)
        }
    }

    /// Replaces the state with the store's content, then reports events and closes missing accounts outside the lock.
    ///
    /// - Returns: `false` if this process changed something since the store was read, and nothing was replaced.
    private func take(_ found: Found, over before: Before) -> Bool {
        // The app's grants are requested here, not under the lock.
        let entries = found.credentials.map { id, stored in
            let account = AccountManager.Account(id: id, of: stored.credential)
            let known = before.entries[id].flatMap { $0.goesOn(with: stored.credential) ? $0 : nil }
            return (account, known ?? makeEntry(account, stored))
        }
        let outcome: (events: [AccountManager.Event], gone: [TokenManager])? = state.withLock { state in
            guard state.changes == before.changes else { return nil }
            return state.take(entries, unreadable: found.unreadable, current: found.current)
        }
        guard let outcome else { return false }
        for tokens in outcome.gone { tokens.close() }
        for event in outcome.events { feed.report(event) }
        for (account, entry) in entries { renew(entry, as: account, found.credentials[account.id], over: before) }
        return true
    }

    private func renew(
        _ entry: Entry, as account: AccountManager.Account, _ stored: Credential.Stored?, over before: Before
    ) {
        guard let known = before.entries[account.id], known.tokens === entry.tokens, let stored,
            let generation = before.generations[account.id]
        else { return }
        if known.account.login != account.login { entry.tokens.renew(by: means(of: account)) }
        entry.tokens.learn(stored, since: generation)
    }
}

extension AccountManager.State {
    /// Replaces the accounts with those in the store, and returns the events to report and the tokens to close.
    fileprivate mutating func take(
        _ found: [(account: AccountManager.Account, entry: AccountManager.Entry)],
        unreadable: [String: Credential.StoreError],
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

    /// Records an account, and returns the tokens that it replaced and the events to report.
    mutating func link(
        _ entry: AccountManager.Entry, as account: AccountManager.Account
    ) -> (replaced: TokenManager?, events: [AccountManager.Event]) {
        let known = entries.updateValue(
            AccountManager.Entry(account: account, tokens: entry.tokens), forKey: account.id)
        guard let known else { return (nil, [.added(account)]) }
        guard known.tokens === entry.tokens else {
            return (known.tokens, [.unlinked(account.id), .added(account)])
        }
        return (nil, known.account == account ? [] : [.updated(account)])
    }

    /// Makes a linked account, or none, the current one, and returns the event to report if that is a change.
    mutating func choose(_ id: String?) -> AccountManager.Event? {
        let next = id.flatMap { entries[$0] == nil ? nil : $0 }
        guard next != current else { return nil }
        defer { current = next }
        return .switched(from: current, to: next)
    }
}

extension AccountManager {
    /// A logged-in user of one server, without tokens.
    public struct Account: Sendable, Hashable, Identifiable {
        /// The account's key in the store.
        public let id: String
        /// The user's authorization server.
        public let server: Origin
        /// The user's id at ``server``, if any response named it.
        public let userID: String?
        /// The org's id, if the server named an identity URL.
        public let organizationID: String?
        /// The org's own origin.
        public let instance: Origin
        /// The identity URL (`…/id/ORG/USER`), if the server named one.
        public let identityURL: String?
        /// The server and client of the login, if they were stored.
        public let login: Credential.Login?
        /// Whether the tokens are bound to a key with DPoP.
        public let isBound: Bool
        /// Whether the key was generated by ``Names``, so that a new login of the user finds the account automatically.
        let hasMadeKey: Bool

        /// Creates the account of a credential, by default with a key made from the user's id and the server.
        init(id: String? = nil, of credential: Credential) {
            let names = Names(of: credential)
            self.id = id ?? names.keys.first ?? credential.instance.description
            server = names.server
            userID = names.identifiers?.user ?? credential.userID
            organizationID = names.identifiers?.organization
            instance = credential.instance
            identityURL = credential.identityURL
            login = credential.login
            isBound = credential.dpopKey != nil
            hasMadeKey = id.map(names.mayHaveMade) ?? true
        }

        /// The user's login name, if known.
        public var username: String? { login?.username }
    }
}

extension AccountManager.Account {
    struct Names {
        let server: Origin
        let identifiers: LoginIdentity.Identifiers?
        /// The keys, the best first: from ids of org and user, an id, a user name, or the login's mark.
        let keys: [String]

        /// The maximum length of a key, because a file name has at most 255 bytes and includes a suffix.
        private static let greatestLength = 180

        init(of credential: Credential) {
            let identifiers = credential.identityURL.flatMap { LoginIdentity.Identifiers(in: $0) }
            let issuer = identifiers == nil ? nil : credential.identityURL.flatMap { try? HTTPURL(parsing: $0).origin }
            let server = credential.login?.server ?? issuer ?? credential.instance
            let ids = identifiers.map { "\($0.organization)-\($0.user)" }
            let mark = credential.mark ?? credential.marked().mark
            keys = [ids, credential.userID, credential.login?.username, mark.map { String($0.prefix(12)) }]
                .compactMap(\.self).filter { !$0.isEmpty }.map { Self.key($0, at: server) }
            (self.server, self.identifiers) = (server, identifiers)
        }

        /// Whether the key may have been generated for the user, even before the server named the user.
        func mayHaveMade(_ key: String) -> Bool {
            keys.contains(key) || key.hasBytes(suffix: Self.place(of: server))
        }

        /// `USER@HOST`, with the scheme unless it is https, or a digest if that is too long for a file name.
        private static func key(_ user: String, at server: Origin) -> String {
            let key = user + place(of: server)
            guard AccountName.escaped(key).utf8.count > greatestLength else { return key }
            let digest = MessageDigest.hexSHA256(Array(key.utf8)) ?? Array(key.utf8.prefix(32))
            return "user-" + String(decoding: digest.prefix(40), as: UTF8.self)
        }

        private static func place(of server: Origin) -> String {
            let origin = server.description
            return "@" + (server.scheme == .https ? String(origin.dropFirst("https://".count)) : origin)
        }
    }
}

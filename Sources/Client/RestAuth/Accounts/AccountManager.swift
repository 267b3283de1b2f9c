// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

/// The accounts that are logged in: one of them is the current one, and each has its own tokens.
///
/// Reading is from memory and never waits. Changing is serial among all processes that share the store, and durable
/// before it is told. Nobody is logged in or out by the manager itself.
public final class AccountManager: Sendable {
    /// Gives the unattended grant that logs an account in again, or `nil` when only its refresh token can.
    public typealias GrantSource = @Sendable (AccountManager.Account) -> (any Credential.Grant)?

    /// Gives the client's secret of an account that does not store it (``Credential/Login/clientSecret`` is `nil`),
    /// whenever a request needs it; `nil` for a client that has none.
    ///
    /// An error of it ends the request, and no login.
    public typealias SecretSource = @Sendable (AccountManager.Account) async throws -> Secret?

    /// An account, and the tokens that all of its clients share.
    struct Entry {
        var account: AccountManager.Account
        let tokens: TokenManager

        /// Whether the clients of the account can go on with a credential: it is of the same user, for all we know.
        func goesOn(with credential: Credential) -> Bool { !tokens.isClosed && tokens.owns(credential) == .same }
    }

    struct State {
        var entries: [String: Entry] = [:]
        var current: String?
        var unreadable: [String: Credential.StoreError] = [:]
        /// How often this process changed the accounts: what was read before a change is old news.
        var changes: UInt64 = 0
    }

    let store: any CredentialStore
    let clock: any MonotonicClock
    private let transport: any HTTPTransport
    private let instancePolicy: OAuthClient.InstancePolicy
    private let secrets: SecretSource
    private let grants: GrantSource
    /// The number of events that a listener may be behind before it loses the oldest ones.
    static let eventCapacity = 64
    let feed = LatestValueFeed<AccountManager.Event>(capacity: eventCapacity, keepsLatest: false)
    let state = Mutex(State())

    /// Makes a manager that knows nothing yet; ``reload()`` reads the store.
    init(
        store: any CredentialStore, transport: any HTTPTransport, instancePolicy: OAuthClient.InstancePolicy,
        clock: any MonotonicClock, secrets: @escaping SecretSource, grants: @escaping GrantSource
    ) {
        self.store = store
        self.transport = transport
        self.instancePolicy = instancePolicy
        self.clock = clock
        self.secrets = secrets
        self.grants = grants
    }

    /// Opens the accounts of a store.
    ///
    /// - Parameters:
    ///   - store: where the logins are kept.
    ///   - transport: asks the authorization servers.
    ///   - instancePolicy: which instances are believed when a token is renewed.
    ///   - clock: measures deadlines.
    ///   - secrets: gives the client's secret of an account that does not store it.
    ///   - grants: gives the unattended grant of an account that has one.
    /// - Returns: the accounts as they are stored now.
    /// - Throws: ``AccountManager/Error`` when the store cannot be read now, which does not mean that nobody is logged
    ///   in.
    public static func open(
        store: any CredentialStore, transport: any HTTPTransport,
        instancePolicy: OAuthClient.InstancePolicy = .platform,
        clock: any MonotonicClock = ContinuousClock(), secrets: @escaping SecretSource = { _ in nil },
        grants: @escaping GrantSource = { _ in nil }
    ) async throws(AccountManager.Error) -> AccountManager {
        let manager = AccountManager(
            store: store, transport: transport, instancePolicy: instancePolicy, clock: clock, secrets: secrets,
            grants: grants)
        try await manager.reload()
        return manager
    }

    /// The linked accounts, sorted by id.
    public var accounts: [AccountManager.Account] {
        state.withLock { $0.entries.values.map(\.account) }.sorted { $0.id < $1.id }
    }

    /// The current account, or `nil` when none is chosen.
    public var current: AccountManager.Account? {
        state.withLock { state in state.current.flatMap { state.entries[$0]?.account } }
    }

    /// The accounts that are stored but could not be read, and why; the others are not affected.
    public var unreadable: [String: Credential.StoreError] { state.withLock { $0.unreadable } }

    /// Everything that happens from now on.
    ///
    /// Each call begins a sequence of its own. A listener that is more than 64 events behind loses the oldest ones:
    /// take an event as the news that something changed, and ``accounts`` and ``current`` for the truth.
    public var events: AsyncStream<AccountManager.Event> { feed.stream }

    /// The tokens of a linked account; the same object at every call, until the account is unlinked or another user has
    /// its key.
    ///
    /// - Throws: ``AccountManager/Error`` with `.noAccount`.
    public func tokens(of id: String) throws(AccountManager.Error) -> TokenManager {
        try session(of: id).tokens
    }

    /// A linked account and its tokens, which belong together also while another process changes the key's user.
    ///
    /// - Throws: ``AccountManager/Error`` with `.noAccount`.
    package func session(of id: String) throws(AccountManager.Error) -> (
        account: AccountManager.Account, tokens: TokenManager
    ) {
        guard let entry = entry(id) else { throw .noAccount(id) }
        return (entry.account, entry.tokens)
    }

    /// The account with this key.
    func entry(_ id: String) -> Entry? { state.withLock { $0.entries[id] } }

    func client(of login: Credential.Login, _ account: AccountManager.Account) -> OAuthClient {
        OAuthClient(
            server: login.endpoints ?? AuthorizationServer(login: login.server), clientID: login.clientID,
            clientSecret: login.clientSecret, secretSource: { [secrets] in try await secrets(account) },
            instancePolicy: instancePolicy, transport: transport)
    }

    /// How the login of an account is renewed; asks the app, so never under a lock of ours.
    func means(of account: AccountManager.Account) -> TokenMeans? {
        account.login.map { TokenMeans(client: client(of: $0, account), grant: grants(account)) }
    }

    /// The tokens of an account that is being linked.
    func makeEntry(_ account: AccountManager.Account, _ stored: Credential.Stored?) -> Entry {
        let renewal = TokenManager.Renewal(means: means(of: account), store: store, account: account.id)
        let onEvent: @Sendable (TokenManager.Event) -> Void = { [weak self, feed] event in
            feed.report(.token(account.id, event))
            if case .renewed = event { self?.learnAccount(account.id) }
        }
        let tokens =
            stored.map { TokenManager(stored: $0, renewal: renewal, clock: clock, onEvent: onEvent) }
            ?? TokenManager(credential: nil, renewal: renewal, clock: clock, onEvent: onEvent)
        return Entry(account: account, tokens: tokens)
    }

    /// Takes over what a renewal said of the account, such as the user's id.
    private func learnAccount(_ id: String) {
        guard let entry = state.withLock({ $0.entries[id] }),
            let credential = entry.tokens.credentialAtHand()?.credential
        else { return }
        let account = AccountManager.Account(id: id, of: credential)
        let isNews = state.withLock { state in
            guard let known = state.entries[id], known.tokens === entry.tokens, known.account != account else {
                return false
            }
            state.entries[id] = Entry(account: account, tokens: entry.tokens)
            return true
        }
        if isNews { feed.report(.updated(account)) }
    }
}

extension AccountManager {
    /// Why an account cannot be added, chosen or ended.
    public struct Error: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// The kind of failure, an open set whose label is safe as a metric name.
        public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
            /// The fixed label of the kind.
            public let rawValue: String

            /// Wraps a label.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The label.
            public var description: String { rawValue }

            /// There is no such account, or no current one.
            public static let noAccount = Code(rawValue: "noAccount")
            /// Another user is linked under this key; unlink that account first, as its clients belong to it for life.
            public static let otherUser = Code(rawValue: "otherUser")
            /// The store failed and nothing was changed; ``AccountManager/Error/store`` says why.
            public static let store = Code(rawValue: "store")
        }

        /// The kind of failure.
        public let code: Code
        /// What happened and what to do, free of secrets.
        public let message: String
        /// The store's failure behind `.store`.
        public let store: Credential.StoreError?

        /// Makes an error.
        public init(_ code: Code, _ message: String, store: Credential.StoreError? = nil) {
            self.code = code
            self.message = message
            self.store = store
        }

        init(_ error: Credential.StoreError) {
            self.init(.store, "the credential store failed: \(error)", store: error)
        }

        static func noAccount(_ id: String) -> AccountManager.Error {
            AccountManager.Error(.noAccount, "no account '\(id)' is linked; log in first")
        }

        /// The value as text, for people and logs.
        public var description: String { "\(code.rawValue): \(message)" }
    }
}

extension AccountManager {
    /// What happened to the accounts of a manager.
    public enum Event: Sendable, Hashable {
        /// An account was linked, by this process or (after a reload) by another one.
        case added(AccountManager.Account)
        /// A linked account logged in again, or its details changed.
        case updated(AccountManager.Account)
        /// Another account is the current one now, or none is.
        case switched(from: String?, to: String?)
        /// The account with this id was unlinked; its clients fail from now on.
        case unlinked(String)
        /// The account with this id was unlinked here, but the server could not be told: its token lives on until the
        /// revocation is tried again.
        case revocationPending(String, OAuthError)
        /// Something happened to the login of the account with this id.
        case token(String, TokenManager.Event)
    }
}

extension AccountManager {
    /// Renews the logins that nobody has renewed for a while, so that their refresh tokens do not end of disuse.
    ///
    /// An admin can let refresh tokens end that were not used for some days. A program that runs more rarely than that
    /// calls this from something that runs daily. A login that another process has renewed meanwhile is left alone.
    ///
    /// - Parameters:
    ///   - age: how old an access token must be to be renewed; one whose age nobody knows is renewed too.
    ///   - timeout: how long one login may take.
    /// - Returns: what became of the logins that were due, by the accounts' ids, without those that need no renewal or
    ///   have no refresh token. A failure ends no login unless the server refused it, which its error says.
    @discardableResult
    public func renewIdle(
        olderThan age: Duration, timeout: Duration = .seconds(30)
    ) async -> [String: Result<Credential, OAuthError>] {
        await renewIdle(olderThan: age, timeout: timeout, by: .system)
    }

    /// The same by a clock that tests set.
    func renewIdle(
        olderThan age: Duration, timeout: Duration, by wall: WallClock
    ) async -> [String: Result<Credential, OAuthError>] {
        var results: [String: Result<Credential, OAuthError>] = [:]
        for account in accounts {
            guard let tokens = try? tokens(of: account.id), let credential = tokens.currentCredential,
                credential.refreshToken != nil, isIdle(credential, age, by: wall)
            else { continue }
            do throws(OAuthError) {
                results[account.id] = .success(try await tokens.refreshNow(deadline: clock.now + timeout).credential)
            } catch {
                results[account.id] = .failure(error)
            }
        }
        return results
    }

    private func isIdle(_ credential: Credential, _ age: Duration, by wall: WallClock) -> Bool {
        guard let issued = credential.issuedAtMilliseconds else { return true }
        return Duration.milliseconds(wall.milliseconds - issued) >= age
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport
import Synchronization

/// The logged-in accounts, one of which is the current one, each with its own tokens.
///
/// Reads are from memory and never wait. Changes are serialized among all processes that share the store, and durable
/// before they are reported. The manager itself never logs a user in or out.
public final class AccountManager: Sendable {
    /// Returns the unattended grant that logs an account in again, or `nil` if only its refresh token can renew it.
    public typealias GrantSource = @Sendable (AccountManager.Account) -> (any Credential.Grant)?

    /// Returns the client's secret of an account that does not store it (``Credential/Login/clientSecret`` is `nil`).
    ///
    /// It is called whenever a request needs the secret. It returns `nil` for a client without one. If it throws, the
    /// request fails and no login ends.
    public typealias SecretSource = @Sendable (AccountManager.Account) async throws -> Secret?

    /// An account, and the tokens that all of its clients share.
    struct Entry {
        var account: AccountManager.Account
        let tokens: TokenManager

        /// Whether the account's clients can continue with a credential, which must be the same user's.
        func goesOn(with credential: Credential) -> Bool { !tokens.isClosed && tokens.owns(credential) == .same }
    }

    struct State {
        var entries: [String: Entry] = [:]
        var current: String?
        var unreadable: [String: Credential.StoreError] = [:]
        /// The number of changes by this process, because data that was read before a change is outdated.
        var changes: UInt64 = 0
    }

    let store: any CredentialStore
    let clock: any MonotonicClock
    private let transport: any HTTPTransport
    private let instancePolicy: OAuthClient.InstancePolicy
    private let secrets: SecretSource
    private let grants: GrantSource
    /// The number of events that are buffered for a listener, before it loses the oldest ones.
    static let eventCapacity = 64
    let feed = LatestValueFeed<AccountManager.Event>(capacity: eventCapacity, keepsLatest: false)
    let state = Mutex(State())

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
    ///   - store: the store of the logins.
    ///   - transport: the transport for requests to authorization servers.
    ///   - instancePolicy: the instance URLs that may receive renewed tokens.
    ///   - clock: the clock for deadlines.
    ///   - secrets: returns the client's secret of an account that does not store it.
    ///   - grants: returns the unattended grant of an account, if it has one.
    /// - Returns: the accounts that are stored now.
    /// - Throws: ``AccountManager/Error`` if the store cannot be read now, which does not mean that no user is logged
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

    /// The current account, or `nil` if none is chosen.
    public var current: AccountManager.Account? {
        state.withLock { state in state.current.flatMap { state.entries[$0]?.account } }
    }

    /// The stored accounts that could not be read, with the errors; other accounts are not affected.
    public var unreadable: [String: Credential.StoreError] { state.withLock { $0.unreadable } }

    /// A new sequence of all events from now on.
    ///
    /// A listener that is more than 64 events behind loses the oldest events. Treat an event as a notification, and
    /// ``accounts`` and ``current`` as the state.
    public var events: AsyncStream<AccountManager.Event> { feed.stream }

    /// Returns the tokens of a linked account.
    ///
    /// It is the same object for every call, until the account is unlinked or its key belongs to another user.
    ///
    /// - Throws: ``AccountManager/Error`` with `.noAccount`.
    public func tokens(of id: String) throws(AccountManager.Error) -> TokenManager {
        try session(of: id).tokens
    }

    /// Returns a linked account with its tokens, consistently even while another process changes the key's user.
    package func session(of id: String) throws(AccountManager.Error) -> (
        account: AccountManager.Account, tokens: TokenManager
    ) {
        guard let entry = entry(id) else { throw .noAccount(id) }
        return (entry.account, entry.tokens)
    }

    func entry(_ id: String) -> Entry? { state.withLock { $0.entries[id] } }

    func client(of login: Credential.Login, _ account: AccountManager.Account) -> OAuthClient {
        OAuthClient(
            server: login.endpoints ?? AuthorizationServer(login: login.server), clientID: login.clientID,
            clientSecret: login.clientSecret, secretSource: { [secrets] in try await secrets(account) },
            instancePolicy: instancePolicy, transport: transport)
    }

    /// The client and the grant of an account, from the app, so it must not be called under a lock.
    func means(of account: AccountManager.Account) -> TokenMeans? {
        account.login.map { TokenMeans(client: client(of: $0, account), grant: grants(account)) }
    }

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

    /// Updates the account after a renewal, because its response may have named the user.
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
    /// The error of an operation on accounts.
    public struct Error: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// The kind of error, an open set whose label is safe as a metric name.
        public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
            /// The fixed label of the kind.
            public let rawValue: String

            /// Creates a code.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The label.
            public var description: String { rawValue }

            /// There is no such account, or no current one.
            public static let noAccount = Code(rawValue: "noAccount")
            /// Another user is linked under this key, and must be unlinked first, because clients belong to one user
            /// for life.
            public static let otherUser = Code(rawValue: "otherUser")
            /// The store failed and nothing was changed, for the reason in ``AccountManager/Error/store``.
            public static let store = Code(rawValue: "store")
        }

        /// The kind of error.
        public let code: Code
        /// The problem and what to do, without secrets.
        public let message: String
        /// The store's error, for `.store`.
        public let store: Credential.StoreError?

        /// Creates an error.
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

        /// The code and the message.
        public var description: String { "\(code.rawValue): \(message)" }
    }
}

extension AccountManager {
    /// An event of an account manager.
    public enum Event: Sendable, Hashable {
        /// An account was linked, by this process or (after a reload) by another process.
        case added(AccountManager.Account)
        /// A linked account logged in again, or its details changed.
        case updated(AccountManager.Account)
        /// Another account, or none, became the current one.
        case switched(from: String?, to: String?)
        /// The account with this id was unlinked, so its clients fail from now on.
        case unlinked(String)
        /// The account with this id was unlinked, but revoking its token failed and must be tried again.
        case revocationPending(String, OAuthError)
        /// An event of the login of the account with this id.
        case token(String, TokenManager.Event)
    }
}

extension AccountManager {
    /// Renews the logins that were idle for a while, so that their refresh tokens do not expire.
    ///
    /// Admins can let refresh tokens expire after some days without use. A program that runs more rarely should call
    /// this from a daily task. A login that another process has renewed meanwhile is not renewed.
    ///
    /// - Parameters:
    ///   - age: the minimum age of an access token for a renewal. Tokens of unknown age are renewed.
    ///   - timeout: the maximum time for one login.
    /// - Returns: the results by the accounts' ids, without logins that need no renewal or have no refresh token. An
    ///   error ends a login only if the server rejected it, which the error says.
    @discardableResult
    public func renewIdle(
        olderThan age: Duration, timeout: Duration = .seconds(30)
    ) async -> [String: Result<Credential, OAuthError>] {
        await renewIdle(olderThan: age, timeout: timeout, by: .system)
    }

    /// Renews idle logins by a clock that tests set.
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

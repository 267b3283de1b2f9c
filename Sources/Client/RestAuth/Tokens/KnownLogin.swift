// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// What this process knows of the login under a key, and what it makes of the store's record: a value without I/O.
///
/// A login is its key and the user behind it. So each record is compared with the login before anything of it is used,
/// and a flight that a new login has overtaken leaves no trace.
struct KnownLogin {
    /// What a record means to a client that wants to go on with the login.
    enum Finding: Equatable {
        /// The newest credential of the login; `nil` when nobody has logged in yet.
        case newest(Credential?)
        /// The record was there and is gone: another client ended the login.
        case removed
        /// The record is of another user, or of another login that nothing connects with this one.
        case foreign
    }

    /// What the store had when it was asked last.
    private struct Sight { let version: UInt64? }

    /// The authorization server, for credentials that do not name theirs.
    private let server: Origin?
    /// The last credential of the login, which may be newer than the stored one.
    private(set) var last: Credential? {
        didSet { if let oldValue, last?.hasTokens(of: oldValue) != true { spent = oldValue } }
    }
    /// The credential that the last one replaced.
    ///
    /// A record with its tokens is never news, whatever its version is: saving the last one failed, and the server may
    /// end the login if the spent refresh token comes again.
    private var spent: Credential?
    private var sight: Sight?
    /// Counts the logins; whatever a flight of an earlier one brings is void.
    private(set) var login: UInt64 = 0
    /// Whether the account was unlinked, or the key is another user's now.
    private(set) var isClosed = false

    init(server: Origin?) {
        self.server = server
    }

    /// Ends the use of the key.
    mutating func close() { isClosed = true }

    /// Begins with a credential that is stored nowhere yet.
    mutating func begin(with credential: Credential) {
        if last == nil { last = credential }
    }

    /// Begins with what the store holds, or goes on with it.
    mutating func take(_ stored: Credential.Stored) {
        last = stored.credential
        sight = Sight(version: stored.version)
    }

    /// Notes a new login, which voids all flights.
    mutating func install(_ credential: Credential, version: UInt64?) {
        login += 1
        last = credential
        sight = Sight(version: version)
    }

    /// Notes what a flight brought.
    ///
    /// - Parameters:
    ///   - credential: the newest credential.
    ///   - version: the version in the store, or the one that could not be replaced.
    ///   - login: the login when the flight began.
    /// - Returns: `false` when a new login has come first and nothing was noted.
    mutating func note(_ credential: Credential, version: UInt64?, of login: UInt64) -> Bool {
        guard login == self.login else { return false }
        last = credential
        sight = Sight(version: version)
        return true
    }

    /// How a credential stands to the login; anything fits where there is none yet.
    func relation(to credential: Credential) -> LoginIdentity.Relation {
        guard let last else { return .same }
        return LoginIdentity(of: last, server: server).relation(to: LoginIdentity(of: credential, server: server))
    }

    /// Looks for the newest credential there is.
    ///
    /// As long as the store's version is the known one, no other client has saved, and what is known is at least as new
    /// as what is stored: saving it failed, or damage took it. A record that was there and is gone was removed by a
    /// logout, which no late renewal undoes.
    ///
    /// - Parameters:
    ///   - stored: the record.
    ///   - login: the login when the record was read.
    ///   - previous: the credential in use, for a login that this value has not seen yet.
    /// - Returns: what the record means.
    mutating func find(_ stored: Credential.Stored?, of login: UInt64, previous: Credential?) -> Finding {
        guard login == self.login else { return .newest(last) }
        if last == nil { last = previous }
        if let stored, relation(to: stored.credential) != .same { return .foreign }
        if let sight, sight.version == stored?.version { return .newest(last) }
        guard let stored else { return sight == nil ? .newest(last) : .removed }
        if isSpent(stored) {
            sight = Sight(version: stored.version)
        } else {
            take(stored)
        }
        return .newest(last)
    }

    private func isSpent(_ stored: Credential.Stored) -> Bool { spent.map(stored.credential.hasTokens) ?? false }

    /// What a record has to say to a login that ended or was not asked for long: `.newest(nil)` when it is no news.
    mutating func findSuccessor(in stored: Credential.Stored, of login: UInt64) -> Finding {
        guard login == self.login else { return .newest(nil) }
        guard relation(to: stored.credential) == .same else { return .foreign }
        if let sight, sight.version == stored.version { return .newest(nil) }
        if let last, stored.credential.hasTokens(of: last) { return .newest(nil) }
        if isSpent(stored) { return .newest(nil) }
        take(stored)
        return .newest(stored.credential)
    }
}

/// With what a login is renewed, beside reading what others saved.
struct TokenMeans: Sendable {
    let client: OAuthClient
    let grant: (any Credential.Grant)?
}

extension TokenManager.Renewal {
    /// What the copies of a renewal share.
    final class Knowledge: Sendable {
        private let login: Mutex<KnownLogin>
        private let tools: Mutex<TokenMeans?>

        init(_ means: TokenMeans?) {
            login = Mutex(KnownLogin(server: means?.client.login))
            tools = Mutex(means)
        }

        /// Client and grant; a new login of the user may have been made with others.
        var means: TokenMeans? {
            get { tools.withLock { $0 } }
            set { tools.withLock { $0 = newValue } }
        }

        /// Looks at what is known of the login, or changes it.
        func state<Value: Sendable>(_ body: (inout KnownLogin) -> Value) -> Value {
            login.withLock { body(&$0) }
        }
    }

    static let expired = OAuthError(
        .sessionExpired, "the access token is no longer valid and nothing can renew it; log in again")
    static let removed = OAuthError(
        .sessionExpired, "another client ended the login and removed its record; log in again")
    static let foreignRecord = OAuthError(
        .noAccount, "another login is stored under the account's key now; make a new client to go on as its user")
    static let foreignAnswer = OAuthError(
        .noAccount, "the token endpoint gave a token of another user; it was not used: log in again")
    static let outcomeUnknown = OAuthError(
        .rotationOutcomeUnknown,
        "an earlier renewal was cut off before its answer was saved, and the server refuses to go on; log in again")
    static let closed = Credential.StoreError(.conflict, "the account was unlinked; log in again")
    static let otherUser = Credential.StoreError(
        .conflict, "the credential is another user's than the account's; nothing was changed")
}

/// New logins, and the end of an account's use.
extension TokenManager.Renewal {
    /// Saves the credential of a new login over what is stored of the same user, also when a renewal saves at the same
    /// time.
    ///
    /// - Returns: `false` when another user is logged in under the key, here or in the store; nothing is changed then.
    func adopt(_ credential: Credential) async throws(Credential.StoreError) -> Bool {
        var attempts = 5
        while true {
            attempts -= 1
            let (isClosed, relation) = knowledge.state { ($0.isClosed, $0.relation(to: credential)) }
            guard !isClosed else { throw Self.closed }
            let stored = try await storedCredential()
            guard relation != .other, !isOther(credential, than: stored) else { return false }
            do throws(Credential.StoreError) {
                let saved = try await store.save(credential, for: account, replacing: stored?.version)
                knowledge.state { $0.install(credential, version: saved) }
                return true
            } catch  where error.code == .conflict && attempts > 0 {
                continue
            }
        }
    }

    /// Remembers the credential of a new login that could not be saved.
    func keep(_ credential: Credential) async {
        let version = try? await storedCredential()?.version
        knowledge.state { $0.install(credential, version: version) }
    }

    private func isOther(_ credential: Credential, than stored: Credential.Stored?) -> Bool {
        guard let stored else { return false }
        let server = knowledge.means?.client.login
        let identity = LoginIdentity(of: stored.credential, server: server)
        return identity.relation(to: LoginIdentity(of: credential, server: server)) == .other
    }

    /// What is stored; what is damaged counts as nothing, because saving replaces it.
    private func storedCredential() async throws(Credential.StoreError) -> Credential.Stored? {
        do {
            return try await store.load(account)
        } catch  where error.code == .corrupt {
            return nil
        }
    }

    /// Looks whether another client has logged in since the login ended here.
    ///
    /// - Parameter error: why it ended, which is the answer when nothing has changed.
    /// - Returns: the credential of the new login, or why there is none.
    func successor(after error: OAuthError) async -> Result<Credential, OAuthError> {
        let login = knowledge.state { $0.login }
        guard let stored = try? await store.load(account) else { return .failure(error) }
        switch knowledge.state({ $0.findSuccessor(in: stored, of: login) }) {
        case .newest(let credential?): return .success(credential)
        case .newest(nil), .removed: return .failure(error)
        case .foreign: return .failure(close(because: Self.foreignRecord))
        }
    }

    /// Whether a login that was refused is tried again with the grant.
    var canLogInAgain: Bool { knowledge.means?.grant?.isAskedAgain ?? false }

    /// Logs in with the grant after the login ended here, unless another client has logged in or out since.
    func login(
        at now: ContinuousClock.Instant, onEvent: @escaping @Sendable (TokenManager.Event) -> Void
    ) async -> Result<Credential, OAuthError> {
        await credential(replacing: knowledge.state { $0.last }, byGrant: true, at: now, onEvent: onEvent)
    }

    /// From now on nothing is renewed and nothing is saved.
    func close() { knowledge.state { $0.close() } }

    func close(because error: OAuthError) -> OAuthError {
        close()
        return error
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// The login of a key as this process knows it, and the interpretation of the store's record: a value without I/O.
///
/// A login is a key and its user. So each record is compared with the login before it is used, and a renewal has no
/// effect after a new login.
struct KnownLogin {
    /// The meaning of a record for a client that wants to continue the login.
    enum Finding: Equatable {
        /// The newest credential of the login, or `nil` if no user has logged in yet.
        case newest(Credential?)
        /// The record has disappeared, because another client ended the login.
        case removed
        /// The record belongs to another user, or to a login that may be another user's.
        case foreign
    }

    /// The version in the store at the last access.
    private struct Sight { let version: UInt64? }

    /// The authorization server of credentials that do not name one.
    private let server: Origin?
    /// The last credential of the login, which can be newer than the stored one.
    private(set) var last: Credential? {
        didSet { if let oldValue, last?.hasTokens(of: oldValue) != true { spent = oldValue } }
    }
    /// The credential that the last one replaced.
    ///
    /// A record with its tokens is never news, regardless of its version: the last credential could not be saved, and
    /// the server may end the login if the spent refresh token is sent again.
    private var spent: Credential?
    private var sight: Sight?
    /// The number of logins so far; a renewal that began with an earlier login has no effect.
    private(set) var login: UInt64 = 0
    /// Whether the account was unlinked, or the key now belongs to another user.
    private(set) var isClosed = false

    init(server: Origin?) { self.server = server }

    mutating func close() { isClosed = true }

    /// Starts with a credential that is not stored yet.
    mutating func begin(with credential: Credential) {
        if last == nil { last = credential }
    }

    mutating func take(_ stored: Credential.Stored) {
        last = stored.credential
        sight = Sight(version: stored.version)
    }

    /// Records a new login, which voids all renewals in flight.
    mutating func install(_ credential: Credential, version: UInt64?) {
        login += 1
        last = credential
        sight = Sight(version: version)
    }

    /// Records the result of a renewal that began with `login`, or returns `false` if a new login was first.
    ///
    /// `version` is that of the record in the store, even if it could not be replaced.
    mutating func note(_ credential: Credential, version: UInt64?, of login: UInt64) -> Bool {
        guard login == self.login else { return false }
        last = credential
        sight = Sight(version: version)
        return true
    }

    /// The relation of a credential to the login, or `.same` before the first login.
    func relation(to credential: Credential) -> LoginIdentity.Relation {
        guard let last else { return .same }
        return LoginIdentity(of: last, server: server).relation(to: LoginIdentity(of: credential, server: server))
    }

    /// Returns the newest credential, from the record that was read at `login` or from memory.
    ///
    /// If the store's version is the known one, no other client has saved, so the known credential is at least as new
    /// as the record: it could not be saved, or the record was damaged. If a record has disappeared, a logout removed
    /// it, and no late renewal restores it. `previous` is the credential in use, for the first access.
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

    /// The meaning of a record for a login that has ended or was idle, or `.newest(nil)` if there is no news.
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

/// The client and the grant that renew a login.
struct TokenMeans: Sendable {
    let client: OAuthClient
    let grant: (any Credential.Grant)?
}

extension TokenManager.Renewal {
    /// The state that the copies of a renewal share.
    final class Knowledge: Sendable {
        private let login: Mutex<KnownLogin>
        private let tools: Mutex<TokenMeans?>

        init(_ means: TokenMeans?) {
            login = Mutex(KnownLogin(server: means?.client.login))
            tools = Mutex(means)
        }

        /// Client and grant, which are replaced by a new login of the user.
        var means: TokenMeans? {
            get { tools.withLock { $0 } }
            set { tools.withLock { $0 = newValue } }
        }

        func state<Value: Sendable>(_ body: (inout KnownLogin) -> Value) -> Value {
            login.withLock { body(&$0) }
        }
    }

    static let expired = OAuthError(
        .sessionExpired, "the access token is no longer valid and cannot be renewed; log in again")
    static let removed = OAuthError(
        .sessionExpired, "another client ended the login and removed its record; log in again")
    static let foreignRecord = OAuthError(
        .noAccount, "another login is now stored under the account's key; create a new client to continue as its user")
    static let foreignResponse = OAuthError(
        .noAccount, "the token endpoint returned a token of another user, which was not used; log in again")
    static let outcomeUnknown = OAuthError(
        .rotationOutcomeUnknown,
        "an earlier renewal was interrupted, and the server rejects the old token; log in again")
    static let closed = Credential.StoreError(.conflict, "the account was unlinked; log in again")
    static let otherUser = Credential.StoreError(
        .conflict, "the credential belongs to another user than the account; nothing was changed")
}

extension TokenManager.Renewal {
    /// Saves the credential of a new login over that of the same user, even while a renewal saves.
    ///
    /// - Returns: `false` if another user is logged in under the key, here or in the store, and nothing was changed.
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

    /// Retains the credential of a new login that could not be saved.
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

    /// The stored credential, or `nil` if it is missing or damaged, because saving replaces a damaged one.
    private func storedCredential() async throws(Credential.StoreError) -> Credential.Stored? {
        do {
            return try await store.load(account)
        } catch  where error.code == .corrupt {
            return nil
        }
    }

    /// The credential of a login by another client since the login ended here with `error`, or the error.
    func successor(after error: OAuthError) async -> Result<Credential, OAuthError> {
        let login = knowledge.state { $0.login }
        guard let stored = try? await store.load(account) else { return .failure(error) }
        switch knowledge.state({ $0.findSuccessor(in: stored, of: login) }) {
        case .newest(let credential?): return .success(credential)
        case .newest(nil), .removed: return .failure(error)
        case .foreign: return .failure(close(because: Self.foreignRecord))
        }
    }

    /// Whether the grant is tried again after an error response to it.
    var canLogInAgain: Bool { knowledge.means?.grant?.isAskedAgain ?? false }

    /// Logs in with the grant after the login ended, unless another client has logged in or out since.
    func login(
        at now: ContinuousClock.Instant, onEvent: @escaping @Sendable (TokenManager.Event) -> Void
    ) async -> Result<Credential, OAuthError> {
        await credential(replacing: knowledge.state { $0.last }, byGrant: true, at: now, onEvent: onEvent)
    }

    /// Stops all renewals and saves.
    func close() { knowledge.state { $0.close() } }

    func close(because error: OAuthError) -> OAuthError {
        close()
        return error
    }
}

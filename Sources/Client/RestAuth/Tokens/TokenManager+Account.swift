// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

extension TokenManager {
    func owns(_ credential: Credential) -> LoginIdentity.Relation {
        renewal.knowledge.state { $0.relation(to: credential) }
    }

    /// Whether the account can no longer be used.
    var isClosed: Bool { renewal.knowledge.state { $0.isClosed } }

    func renew(by means: TokenMeans?) { renewal.knowledge.means = means }

    /// The newest credential of the login: the stored one, or one that could not be saved.
    func lastCredential(stored: Credential.Stored?) -> Credential? {
        renewal.knowledge.state { known in
            let finding = known.find(stored, of: known.login, previous: nil)
            if case .newest(let credential) = finding { return credential }
            return known.last
        }
    }
}

extension TokenManager {
    /// Renews the credential of an account: from the store if another client has renewed it, otherwise from the server.
    ///
    /// Copies share the state of the login. Create one renewal for each account.
    public struct Renewal: Sendable {
        let store: any CredentialStore
        let account: String
        private let timeout: Duration
        let knowledge: Knowledge

        /// Creates a renewal with an authorization server.
        ///
        /// - Parameters:
        ///   - client: the registered client.
        ///   - grant: the unattended grant that logs in, or `nil` if only a refresh token can renew.
        ///   - store: the store in which a new credential is saved before it is used.
        ///   - account: the account's key in the store.
        ///   - timeout: the maximum time for waiting for the store's lock and one token request together.
        public init(
            client: OAuthClient, grant: (any Credential.Grant)? = nil,
            store: any CredentialStore = InMemoryCredentialStore(),
            account: String = "default", timeout: Duration = .seconds(30)
        ) {
            self.init(means: TokenMeans(client: client, grant: grant), store: store, account: account, timeout: timeout)
        }

        /// Creates a renewal that, without `means`, only reads new credentials from the store.
        init(means: TokenMeans?, store: any CredentialStore, account: String, timeout: Duration = .seconds(30)) {
            self.store = store
            self.account = account
            self.timeout = timeout
            knowledge = Knowledge(means)
        }

        /// Returns the renewal for an access token from elsewhere, which cannot be renewed.
        ///
        /// If the server rejects the token, the call fails and the token stays in use. When its known lifetime ends,
        /// the session ends. Each use of this property creates a new renewal.
        public static var none: TokenManager.Renewal {
            TokenManager.Renewal(means: nil, store: InMemoryCredentialStore(), account: "")
        }

        /// Whether neither a server nor a store can renew the credential.
        var isNone: Bool { account.isEmpty && knowledge.means == nil }

        func canRenew(_ credential: Credential) -> Bool {
            knowledge.means.map { $0.grant != nil || credential.refreshToken != nil } ?? false
        }

        /// Returns the credential that replaces `previous`, after saving it.
        ///
        /// The store's lock is held from reading the refresh token to saving its successor, so that only one of all
        /// processes with this store sends a token request, and the others find its result.
        ///
        /// If `byGrant` is true, the refresh token is not used.
        func credential(
            replacing previous: Credential?, byGrant: Bool = false, at now: ContinuousClock.Instant,
            onEvent: @escaping @Sendable (TokenManager.Event) -> Void
        ) async -> Result<Credential, OAuthError> {
            let deadline = now + timeout
            do throws(OAuthError) {
                let lock = try await lock(until: deadline)
                defer { lock?.release() }
                let (login, isClosed) = knowledge.state { ($0.login, $0.isClosed) }
                guard !isClosed else { throw .noAccount }
                let stored = try await load()
                let latest = try newest(stored, of: login, previous)
                if let latest, latest.accessToken != previous?.accessToken { return .success(latest) }
                guard let means = knowledge.means else { throw Self.expired }
                let exchange = Exchange(
                    means: means, login: login, stored: stored, deadline: deadline, onEvent: onEvent)
                if !byGrant, let latest, let token = latest.refreshToken {
                    return .success(try await spend(token, of: latest, by: exchange))
                }
                return .success(try await logIn(over: latest, by: exchange))
            } catch {
                return .failure(error)
            }
        }

        /// The newest credential of this login, or an error if the record belongs to another login.
        private func newest(
            _ stored: Credential.Stored?, of login: UInt64, _ previous: Credential?
        ) throws(OAuthError) -> Credential? {
            switch knowledge.state({ $0.find(stored, of: login, previous: previous) }) {
            case .newest(let credential): return credential
            case .removed: throw Self.removed
            case .foreign: throw close(because: Self.foreignRecord)
            }
        }

        private struct Exchange {
            let means: TokenMeans
            /// The number of the login when the renewal began (``KnownLogin/login``).
            let login: UInt64
            let stored: Credential.Stored?
            let deadline: ContinuousClock.Instant
            let onEvent: @Sendable (TokenManager.Event) -> Void
        }

        /// The store's lock, or `nil` if the store cannot create one.
        ///
        /// Such a store cannot save the new token either, which is reported after the token request.
        private func lock(until deadline: ContinuousClock.Instant) async throws(OAuthError) -> Credential.Lock? {
            do throws(Credential.StoreError) {
                return try await store.lock(account, until: deadline)
            } catch  where error.code == .notWritable {
                return nil
            } catch {
                throw OAuthError(.storeUnavailable, "the credential store cannot be locked: \(error.message)")
            }
        }

        private func load() async throws(OAuthError) -> Credential.Stored? {
            do {
                return try await store.load(account)
            } catch {
                throw OAuthError(.storeUnavailable, "the credential store cannot be read: \(error.message)")
            }
        }

        private func logIn(
            over latest: Credential?, by exchange: Exchange
        ) async throws(OAuthError) -> Credential {
            guard let grant = exchange.means.grant else { throw Self.expired }
            var renewed = try await ask(grant, renewing: latest, exchange)
            // The rejected refresh token is not part of the new login.
            if renewed.refreshToken == latest?.refreshToken { renewed.refreshToken = nil }
            await save(renewed, over: latest, replacing: exchange.stored?.version, exchange)
            return renewed
        }

        /// Requests a token, and throws if it belongs to another login.
        private func ask(
            _ grant: some Credential.Grant, renewing latest: Credential?, _ exchange: Exchange
        ) async throws(OAuthError) -> Credential {
            let client = exchange.means.client
            var renewed = try await client.token(for: grant, renewing: latest, deadline: exchange.deadline)
            renewed.login = latest?.login
            // Keep the mark even if the renewal names the user: other processes know this login only by its mark.
            renewed.mark = latest?.marked().mark
            if latest == nil { renewed = renewed.marked() }
            let (isOwn, isClosed) = knowledge.state { ($0.relation(to: renewed) == .same, $0.isClosed) }
            guard isOwn || isClosed else { throw close(because: Self.foreignResponse) }
            guard isClosed else { return renewed }
            // The account was unlinked during the request, so the new token must not outlive it.
            try? await client.revoke(renewed, deadline: exchange.deadline)
            throw .noAccount
        }
    }
}

extension TokenManager.Renewal {
    /// Exchanges the refresh token, and marks it as `.started` in the store until the result is known.
    ///
    /// A token that is already marked was sent by a client that died or got no response, so the server may have spent
    /// it. It is tried once more, because a server with a grace period returns the same successor. An error response
    /// then does not mean that the login was revoked.
    private func spend(
        _ refreshToken: Secret, of latest: Credential, by exchange: Exchange
    ) async throws(OAuthError) -> Credential {
        let stored = exchange.stored
        let state = stored?.credential.refreshToken == refreshToken ? stored?.renewal ?? .settled : .settled
        let version = state == .started ? stored?.version : try await note(latest, stored?.version, exchange)
        do throws(OAuthError) {
            let renewed = try await ask(RefreshTokenGrant(refreshToken: refreshToken), renewing: latest, exchange)
            let next = state == .started ? Credential.RenewalState.repeated : .settled
            await save(renewed, over: latest, replacing: version, renewal: next, exchange)
            return renewed
        } catch  where state != .settled && error.code == .invalidGrant && error.isFinal {
            throw Self.outcomeUnknown
        } catch {
            if state != .started, error.provesTokenUnspent { await takeBack(latest, version, to: state, exchange) }
            throw error
        }
    }

    /// Saves the state `.started` before the token is spent.
    ///
    /// - Returns: the version that the successor replaces. If the store cannot be written, it is the current version:
    ///   the request is sent nevertheless, and an event reports if the successor cannot be saved either.
    private func note(
        _ latest: Credential, _ version: UInt64?, _ exchange: Exchange
    ) async throws(OAuthError) -> UInt64? {
        do throws(Credential.StoreError) {
            let noted = try await store.save(latest, for: account, replacing: version, renewal: .started)
            _ = knowledge.state { $0.note(latest, version: noted, of: exchange.login) }
            return noted
        } catch  where error.code == .conflict {
            throw OAuthError(.storeUnavailable, "another process changed the stored credential; try again")
        } catch {
            let current = await storedVersion(of: latest) ?? version
            _ = knowledge.state { $0.note(latest, version: current, of: exchange.login) }
            return current
        }
    }

    /// The version of the record with these tokens, or `nil` if there is no such record or it cannot be read.
    ///
    /// A store that runs another program may have saved a record although it reported an error.
    private func storedVersion(of credential: Credential?) async -> UInt64? {
        guard let credential, let stored = try? await store.load(account), stored.credential.hasTokens(of: credential)
        else { return nil }
        return stored.version
    }

    /// Restores the earlier state, without which a later error is only reported as more uncertain than it is.
    private func takeBack(
        _ latest: Credential, _ version: UInt64?, to state: Credential.RenewalState, _ exchange: Exchange
    ) async {
        guard let old = try? await store.save(latest, for: account, replacing: version, renewal: state) else { return }
        _ = knowledge.state { $0.note(latest, version: old, of: exchange.login) }
    }

    /// Saves the new credential over the one that it replaces, or keeps it in memory and reports an event.
    private func save(
        _ credential: Credential, over latest: Credential?, replacing version: UInt64?,
        renewal: Credential.RenewalState = .settled, _ exchange: Exchange
    ) async {
        // A login that was ended or replaced meanwhile must not come back.
        guard knowledge.state({ !$0.isClosed && $0.login == exchange.login }) else { return }
        var version = version
        for isLast in [false, true] {
            do throws(Credential.StoreError) {
                let saved = try await store.save(credential, for: account, replacing: version, renewal: renewal)
                return _ = knowledge.state { $0.note(credential, version: saved, of: exchange.login) }
            } catch {
                if !isLast, error.code == .conflict, let own = await storedVersion(of: latest) {
                    // This renewal saved the record although the store reported an error.
                    version = own
                    continue
                }
                let saved = await storedVersion(of: credential)
                let isNoted = knowledge.state { $0.note(credential, version: saved ?? version, of: exchange.login) }
                // If a new login was first, nothing is lost.
                if saved == nil, isNoted { exchange.onEvent(.notSaved(error)) }
                return
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// What the manager of accounts asks and tells.
extension TokenManager {
    /// How a credential stands to the login of the account.
    func owns(_ credential: Credential) -> LoginIdentity.Relation {
        renewal.knowledge.state { $0.relation(to: credential) }
    }

    /// Whether the use of the account ended for good.
    var isClosed: Bool { renewal.knowledge.state { $0.isClosed } }

    /// Client and grant for the renewals from now on.
    func renew(by means: TokenMeans?) { renewal.knowledge.means = means }

    /// The newest credential of the login there is, the stored one or one that could not be saved.
    func lastCredential(stored: Credential.Stored?) -> Credential? {
        renewal.knowledge.state { known in
            let finding = known.find(stored, of: known.login, previous: nil)
            if case .newest(let credential) = finding { return credential }
            return known.last
        }
    }
}

extension TokenManager {
    /// How an account gets its next credential: from the store when another client renewed it already, else from the
    /// server.
    ///
    /// Copies share what they know of the login; make one for each account.
    public struct Renewal: Sendable {
        let store: any CredentialStore
        let account: String
        private let timeout: Duration
        let knowledge: Knowledge

        /// Makes a renewal over the authorization server.
        ///
        /// - Parameters:
        ///   - client: the registered client.
        ///   - grant: the unattended grant that logs in; `nil` when only a refresh token can renew.
        ///   - store: where a new credential is saved before it is used.
        ///   - account: the account's key in the store.
        ///   - timeout: how long waiting for the store's lock and one exchange may take together.
        public init(
            client: OAuthClient, grant: (any Credential.Grant)? = nil,
            store: any CredentialStore = InMemoryCredentialStore(),
            account: String = "default", timeout: Duration = .seconds(30)
        ) {
            self.init(means: TokenMeans(client: client, grant: grant), store: store, account: account, timeout: timeout)
        }

        /// Makes a renewal.
        ///
        /// Without `means`, only the store can renew the login.
        init(means: TokenMeans?, store: any CredentialStore, account: String, timeout: Duration = .seconds(30)) {
            self.store = store
            self.account = account
            self.timeout = timeout
            knowledge = Knowledge(means)
        }

        /// Returns the renewal for an access token from elsewhere, which nothing can renew.
        ///
        /// If the server rejects the token, the call fails and the token stays in use. Its known end, if there is one,
        /// ends the session. Each use of this property is a renewal of its own.
        public static var none: TokenManager.Renewal {
            TokenManager.Renewal(means: nil, store: InMemoryCredentialStore(), account: "")
        }

        /// Whether neither a server nor a store can ever renew the credential.
        var isNone: Bool { account.isEmpty && knowledge.means == nil }

        /// Whether there is something to renew the credential with.
        func canRenew(_ credential: Credential) -> Bool {
            knowledge.means.map { $0.grant != nil || credential.refreshToken != nil } ?? false
        }

        /// Gets the credential that replaces `previous`, durable before it is returned.
        ///
        /// The store's lock is held from reading the refresh token to saving its successor, so that of all processes
        /// that share the store one asks the server and the others find what it saved.
        ///
        /// `byGrant` says that the refresh token is not tried.
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

        /// The newest credential there is; none is taken out of another login's record.
        private func newest(
            _ stored: Credential.Stored?, of login: UInt64, _ previous: Credential?
        ) throws(OAuthError) -> Credential? {
            switch knowledge.state({ $0.find(stored, of: login, previous: previous) }) {
            case .newest(let credential): return credential
            case .removed: throw Self.removed
            case .foreign: throw close(because: Self.foreignRecord)
            }
        }

        /// What one exchange with the server needs beside the token.
        private struct Exchange {
            let means: TokenMeans
            /// Which login the flight began with; see ``KnownLogin/login``.
            let login: UInt64
            let stored: Credential.Stored?
            let deadline: ContinuousClock.Instant
            let onEvent: @Sendable (TokenManager.Event) -> Void
        }

        /// Without a lock where the store cannot keep one: it cannot keep the new token either, and that is told after
        /// the exchange.
        private func lock(until deadline: ContinuousClock.Instant) async throws(OAuthError) -> Credential.Lock? {
            do throws(Credential.StoreError) {
                return try await store.lock(account, until: deadline)
            } catch  where error.code == .notWritable {
                return nil
            } catch {
                throw OAuthError(.storeUnavailable, "the credential store cannot be locked now: \(error.message)")
            }
        }

        private func load() async throws(OAuthError) -> Credential.Stored? {
            do {
                return try await store.load(account)
            } catch {
                throw OAuthError(.storeUnavailable, "the credential store cannot be read now: \(error.message)")
            }
        }

        private func logIn(
            over latest: Credential?, by exchange: Exchange
        ) async throws(OAuthError) -> Credential {
            guard let grant = exchange.means.grant else { throw Self.expired }
            var renewed = try await ask(grant, renewing: latest, exchange)
            // The one that the server refused is no part of the new login.
            if renewed.refreshToken == latest?.refreshToken { renewed.refreshToken = nil }
            await save(renewed, over: latest, replacing: exchange.stored?.version, exchange)
            return renewed
        }

        /// Asks the server, and lets nothing pass that is not of the login that asked.
        private func ask(
            _ grant: some Credential.Grant, renewing latest: Credential?, _ exchange: Exchange
        ) async throws(OAuthError) -> Credential {
            let client = exchange.means.client
            var renewed = try await client.token(for: grant, renewing: latest, deadline: exchange.deadline)
            renewed.login = latest?.login
            // A login that named nobody keeps its mark when its renewal names the user: others have seen only the mark.
            renewed.mark = latest?.marked().mark
            if latest == nil { renewed = renewed.marked() }
            let (isOwn, isClosed) = knowledge.state { ($0.relation(to: renewed) == .same, $0.isClosed) }
            guard isOwn || isClosed else { throw close(because: Self.foreignAnswer) }
            guard isClosed else { return renewed }
            // The account was unlinked during the exchange: what came out of it must not outlive the account.
            try? await client.revoke(renewed, deadline: exchange.deadline)
            throw .noAccount
        }
    }
}

extension TokenManager.Renewal {
    /// Exchanges the refresh token, with a note in the store while its fate is open.
    ///
    /// When a note is found open, the client that made it died or got no answer: the server may have spent the token.
    /// It is tried once more, because a server with a grace period gives the same successor; a refusal then is not the
    /// user's doing.
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

    /// Notes durably that the token is about to be spent.
    ///
    /// - Returns: the version to replace with the successor. If the store cannot be written, it is the one that the
    ///   store has now: the request goes on, and the loss is reported if the successor cannot be saved either.
    private func note(
        _ latest: Credential, _ version: UInt64?, _ exchange: Exchange
    ) async throws(OAuthError) -> UInt64? {
        do throws(Credential.StoreError) {
            let noted = try await store.save(latest, for: account, replacing: version, renewal: .started)
            _ = knowledge.state { $0.note(latest, version: noted, of: exchange.login) }
            return noted
        } catch  where error.code == .conflict {
            throw OAuthError(.storeUnavailable, "the stored credential was changed meanwhile; try again")
        } catch {
            let current = await storedVersion(of: latest) ?? version
            _ = knowledge.state { $0.note(latest, version: current, of: exchange.login) }
            return current
        }
    }

    /// The version of the record with these tokens; `nil` if there is no such record, or none can be read.
    ///
    /// A store that asks another program may have saved a record although it reported an error.
    private func storedVersion(of credential: Credential?) async -> UInt64? {
        guard let credential, let stored = try? await store.load(account), stored.credential.hasTokens(of: credential)
        else { return nil }
        return stored.version
    }

    /// Takes the note back; if that fails, a later refusal is reported as more uncertain than it is, and nothing is
    /// lost.
    private func takeBack(
        _ latest: Credential, _ version: UInt64?, to state: Credential.RenewalState, _ exchange: Exchange
    ) async {
        guard let old = try? await store.save(latest, for: account, replacing: version, renewal: state) else { return }
        _ = knowledge.state { $0.note(latest, version: old, of: exchange.login) }
    }

    /// Saves the new credential over the one that it replaces.
    ///
    /// If that fails, the credential stays in memory, and an event says so.
    private func save(
        _ credential: Credential, over latest: Credential?, replacing version: UInt64?,
        renewal: Credential.RenewalState = .settled, _ exchange: Exchange
    ) async {
        // A login that was ended meanwhile must not come back, nor one that a new login has overtaken.
        guard knowledge.state({ !$0.isClosed && $0.login == exchange.login }) else { return }
        var version = version
        for isLast in [false, true] {
            do throws(Credential.StoreError) {
                let saved = try await store.save(credential, for: account, replacing: version, renewal: renewal)
                return _ = knowledge.state { $0.note(credential, version: saved, of: exchange.login) }
            } catch {
                if !isLast, error.code == .conflict, let own = await storedVersion(of: latest) {
                    // The record is this flight's own, saved although the store reported an error.
                    version = own
                    continue
                }
                let saved = await storedVersion(of: credential)
                let isNoted = knowledge.state { $0.note(credential, version: saved ?? version, of: exchange.login) }
                // What a new login has overtaken is no loss.
                if saved == nil, isNoted { exchange.onEvent(.notSaved(error)) }
                return
            }
        }
    }
}

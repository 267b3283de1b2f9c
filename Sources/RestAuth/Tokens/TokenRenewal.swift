// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// How an account gets its next credential: from the store when another client renewed it already, else from the
/// server.
///
/// Copies share what they know of the store; make one for each account.
public struct TokenRenewal: Sendable {
    private let client: OAuthClient?
    private let grant: (any OAuthGrant)?
    private let store: any CredentialStore
    private let account: String
    private let timeout: Duration
    private let knowledge = Knowledge()

    /// Makes a renewal over the authorization server.
    ///
    /// - Parameters:
    ///   - client: the registered client.
    ///   - grant: the unattended grant that logs in; `nil` when only a refresh token can renew.
    ///   - store: where a new credential is saved before it is used.
    ///   - account: the account's key in the store.
    ///   - timeout: how long waiting for the store's lock and one exchange may take together.
    public init(
        client: OAuthClient, grant: (any OAuthGrant)? = nil, store: any CredentialStore = InMemoryCredentialStore(),
        account: String = "default", timeout: Duration = .seconds(30)
    ) {
        self.client = client
        self.grant = grant
        self.store = store
        self.account = account
        self.timeout = timeout
    }

    private init() {
        client = nil
        grant = nil
        store = InMemoryCredentialStore()
        account = ""
        timeout = .seconds(30)
    }

    /// For an access token that came from elsewhere: when it ends, the session ends.
    public static let none = TokenRenewal()

    /// Whether there is something to renew the credential with.
    func canRenew(_ credential: Credential) -> Bool {
        client != nil && (grant != nil || credential.refreshToken != nil)
    }

    /// Gets the credential that replaces `previous`, durable before it is returned.
    ///
    /// The store's lock is held from reading the refresh token to saving its successor, so that of all processes that
    /// share the store one asks the server and the others find what it saved.
    func credential(
        replacing previous: Credential?, at now: ContinuousClock.Instant,
        onEvent: @escaping @Sendable (TokenEvent) -> Void
    ) async -> Result<Credential, OAuthError> {
        let deadline = now + timeout
        do throws(OAuthError) {
            let lock = try await lock(until: deadline)
            defer { lock?.release() }
            guard !knowledge.isClosed else { throw .noAccount }
            let stored = try await load()
            let latest = knowledge.latest(stored: stored, previous: previous)
            if let latest, latest.accessToken != previous?.accessToken { return .success(latest) }
            guard let client else { throw Self.expired }
            let exchange = Exchange(client: client, stored: stored, deadline: deadline, onEvent: onEvent)
            let renewed = try await renew(latest, by: exchange)
            guard knowledge.isClosed else { return .success(renewed) }
            // The account was unlinked during the exchange: what came out of it must not outlive the account.
            try? await client.revoke(renewed.refreshToken ?? renewed.accessToken, deadline: deadline)
            throw .noAccount
        } catch {
            return .failure(error)
        }
    }

    /// Saves the credential of a new login over whatever is stored, also when a renewal saves at the same time.
    func adopt(_ credential: Credential) async throws(CredentialStoreError) {
        for attempt in 1...5 {
            guard !knowledge.isClosed else { throw Self.closed }
            do throws(CredentialStoreError) {
                let saved = try await store.save(credential, for: account, replacing: try await storedVersion())
                return knowledge.set(credential, version: saved)
            } catch  where error.code == .conflict && attempt < 5 {
                continue
            }
        }
    }

    /// Remembers the credential of a new login that could not be saved.
    func keep(_ credential: Credential) async {
        knowledge.set(credential, version: try? await storedVersion())
    }

    /// The newest credential there is.
    func latest(stored: StoredCredential?, previous: Credential?) -> Credential? {
        knowledge.latest(stored: stored, previous: previous)
    }

    /// From now on nothing is renewed and nothing is saved.
    func close() {
        knowledge.close()
    }

    private static let closed = CredentialStoreError(.conflict, "the account was unlinked; log in again")

    /// The version to replace; what is damaged counts as none, because saving replaces it.
    private func storedVersion() async throws(CredentialStoreError) -> UInt64? {
        do {
            return try await store.load(account)?.version
        } catch  where error.code == .corrupt {
            return nil
        }
    }

    /// What one exchange with the server needs beside the token.
    private struct Exchange {
        let client: OAuthClient
        let stored: StoredCredential?
        let deadline: ContinuousClock.Instant
        let onEvent: @Sendable (TokenEvent) -> Void
    }

    /// Without a lock where the store cannot keep one: it cannot keep the new token either, and that is told after the
    /// exchange.
    private func lock(until deadline: ContinuousClock.Instant) async throws(OAuthError) -> CredentialLock? {
        do throws(CredentialStoreError) {
            return try await store.lock(account, until: deadline)
        } catch  where error.code == .notWritable {
            return nil
        } catch {
            throw OAuthError(.storeUnavailable, "the credential store cannot be locked now: \(error.message)")
        }
    }

    private func load() async throws(OAuthError) -> StoredCredential? {
        do {
            return try await store.load(account)
        } catch {
            throw OAuthError(.storeUnavailable, "the credential store cannot be read now: \(error.message)")
        }
    }

    private func renew(_ latest: Credential?, by exchange: Exchange) async throws(OAuthError) -> Credential {
        if let latest, latest.refreshToken != nil { return try await spend(latest, by: exchange) }
        guard let grant else { throw Self.expired }
        var renewed = try await exchange.client.token(for: grant, deadline: exchange.deadline)
        renewed.login = (latest ?? exchange.stored?.credential)?.login
        await save(renewed, replacing: exchange.stored?.version, onEvent: exchange.onEvent)
        return renewed
    }

    static let expired = OAuthError(
        .sessionExpired, "the access token is no longer valid and nothing can renew it; log in again")
}

extension TokenRenewal {
    /// Exchanges the refresh token, with a note in the store while its fate is open.
    ///
    /// When a note is found open, the client that made it died or got no answer: the server may have spent the token.
    /// It is tried once more, because a server with a grace period gives the same successor; a refusal then is not the
    /// user's doing.
    private func spend(_ latest: Credential, by exchange: Exchange) async throws(OAuthError) -> Credential {
        guard let refreshToken = latest.refreshToken else { throw Self.expired }
        let stored = exchange.stored
        let state = stored?.credential.refreshToken == refreshToken ? stored?.renewal ?? .settled : .settled
        let version = state == .started ? stored?.version : try await note(latest, stored?.version)
        do throws(OAuthError) {
            var renewed = try await exchange.client.token(
                for: RefreshTokenGrant(refreshToken: refreshToken), renewing: latest, deadline: exchange.deadline)
            renewed.login = latest.login
            let next = state == .started ? RenewalState.repeated : .settled
            await save(renewed, replacing: version, renewal: next, onEvent: exchange.onEvent)
            return renewed
        } catch  where state != .settled && error.code == .invalidGrant && error.isFinal {
            throw Self.outcomeUnknown
        } catch {
            if state != .started, error.provesTokenUnspent { await takeBack(latest, version, to: state) }
            throw error
        }
    }

    private static let outcomeUnknown = OAuthError(
        .rotationOutcomeUnknown,
        "an earlier renewal was cut off before its answer was saved, and the server refuses to go on; log in again")

    /// Notes durably that the token is about to be spent.
    ///
    /// - Returns: the version to replace with the successor; the old one when the store cannot be written, so that the
    /// request
    ///   goes on and the loss is told when the successor cannot be saved.
    private func note(_ latest: Credential, _ version: UInt64?) async throws(OAuthError) -> UInt64? {
        do throws(CredentialStoreError) {
            let noted = try await store.save(latest, for: account, replacing: version, renewal: .started)
            knowledge.set(latest, version: noted)
            return noted
        } catch  where error.code == .conflict {
            throw OAuthError(.storeUnavailable, "the stored credential was changed meanwhile; try again")
        } catch {
            knowledge.set(latest, version: version)
            return version
        }
    }

    /// Takes the note back; if that fails, a later refusal is reported as more uncertain than it is, and nothing is
    /// lost.
    private func takeBack(_ latest: Credential, _ version: UInt64?, to state: RenewalState) async {
        guard let old = try? await store.save(latest, for: account, replacing: version, renewal: state) else { return }
        knowledge.set(latest, version: old)
    }

    /// Saves the new credential; when that fails it stays in memory, which the event says.
    private func save(
        _ credential: Credential, replacing version: UInt64?, renewal: RenewalState = .settled,
        onEvent: (TokenEvent) -> Void
    ) async {
        // A login that was ended meanwhile must not come back.
        guard !knowledge.isClosed else { return }
        do throws(CredentialStoreError) {
            let saved = try await store.save(credential, for: account, replacing: version, renewal: renewal)
            knowledge.set(credential, version: saved)
        } catch {
            knowledge.set(credential, version: version)
            onEvent(.notSaved(error))
        }
    }
}

/// What this process knows that the store may not: the last credential, and the store's version when it was got.
private final class Knowledge: Sendable {
    private struct Known {
        let credential: Credential
        let version: UInt64?
    }

    private let known = Mutex<Known?>(nil)
    private let closed = Atomic<Bool>(false)

    /// Whether the account was unlinked.
    var isClosed: Bool { closed.load(ordering: .acquiring) }

    func close() { closed.store(true, ordering: .releasing) }

    func set(_ credential: Credential, version: UInt64?) {
        known.withLock { $0 = Known(credential: credential, version: version) }
    }

    /// The newest credential there is.
    ///
    /// As long as the store's version is the known one, nobody else has saved, and what is known is at least as new as
    /// what is stored: saving it failed, or damage took it. A record that was there and is gone was removed by a
    /// logout, which no late renewal undoes.
    func latest(stored: StoredCredential?, previous: Credential?) -> Credential? {
        known.withLock { known in
            if let known, known.version == stored?.version { return known.credential }
            if let stored {
                known = Known(credential: stored.credential, version: stored.version)
                return stored.credential
            }
            return known == nil ? previous : nil
        }
    }
}

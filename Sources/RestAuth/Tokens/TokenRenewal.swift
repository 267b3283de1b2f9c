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
    private let attempts: Int
    private let knowledge = Knowledge()

    /// Makes a renewal over the authorization server.
    ///
    /// - Parameters:
    ///   - client: the registered client.
    ///   - grant: the unattended grant that logs in; `nil` when only a refresh token can renew.
    ///   - store: where a new credential is saved before it is used.
    ///   - account: the account's key in the store.
    ///   - timeout: how long waiting for the store's lock and all attempts of an exchange may take together.
    ///   - attempts: how often a server that fails for now is asked, always with the same token; 1 asks once.
    public init(
        client: OAuthClient, grant: (any OAuthGrant)? = nil, store: any CredentialStore = InMemoryCredentialStore(),
        account: String = "default", timeout: Duration = .seconds(30), attempts: Int = 3
    ) {
        self.client = client
        self.grant = grant
        self.store = store
        self.account = account
        self.timeout = timeout
        self.attempts = attempts
    }

    private init() {
        client = nil
        grant = nil
        store = InMemoryCredentialStore()
        account = ""
        timeout = .seconds(30)
        attempts = 1
    }

    /// For an access token that came from elsewhere: when it ends, the session ends.
    public static let none = TokenRenewal()

    /// Gets the credential that replaces `previous`, durable before it is returned.
    ///
    /// The store's lock is held from reading the refresh token to saving its successor, so that of all processes that
    /// share the store one asks the server and the others find what it saved.
    func credential(
        replacing previous: Credential?, clock: any MonotonicClock = ContinuousClock(),
        onEvent: @escaping @Sendable (TokenEvent) -> Void
    ) async -> Result<Credential, OAuthError> {
        let deadline = clock.now + timeout
        do throws(OAuthError) {
            let lock = try await lock(until: deadline)
            defer { lock?.release() }
            let stored = try await load()
            let latest = knowledge.latest(stored: stored, previous: previous)
            if let latest, latest.accessToken != previous?.accessToken { return .success(latest) }
            guard let client else { throw Self.expired }
            let exchange = Exchange(
                client: client, stored: stored, clock: clock, deadline: deadline, onEvent: onEvent)
            return .success(try await renew(latest, by: exchange))
        } catch {
            return .failure(error)
        }
    }

    /// Saves the credential of a new login over whatever is stored, also when a renewal saves at the same time.
    func adopt(_ credential: Credential, onEvent: (TokenEvent) -> Void) async {
        for attempt in 1...5 {
            var version: UInt64?
            do throws(CredentialStoreError) {
                // Saving replaces what is damaged.
                do { version = try await store.load(account)?.version } catch  where error.code == .corrupt {}
                let saved = try await store.save(credential, for: account, replacing: version)
                return knowledge.set(credential, version: saved)
            } catch  where error.code == .conflict && attempt < 5 {
                continue
            } catch {
                knowledge.set(credential, version: version)
                return onEvent(.notSaved(error))
            }
        }
    }

    /// What one exchange with the server needs beside the token.
    fileprivate struct Exchange {
        let client: OAuthClient
        let stored: StoredCredential?
        let clock: any MonotonicClock
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
        var effort = RenewalEffort(limit: attempts)
        let renewed = try await exchange.token(for: grant, renewing: nil, &effort)
        await save(renewed, replacing: exchange.stored?.version, onEvent: exchange.onEvent)
        return renewed
    }

    private static let expired = OAuthError(
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
        var effort = RenewalEffort(limit: attempts, mayBeSpent: state == .started)
        do throws(OAuthError) {
            let renewed = try await exchange.token(
                for: RefreshTokenGrant(refreshToken: refreshToken), renewing: latest, &effort)
            let next = effort.mayBeSpent ? RenewalState.repeated : .settled
            await save(renewed, replacing: version, renewal: next, onEvent: exchange.onEvent)
            return renewed
        } catch  where (state != .settled || effort.mayBeSpent) && error.code == .invalidGrant && error.isFinal {
            throw Self.outcomeUnknown
        } catch {
            if !effort.mayBeSpent { await takeBack(latest, version, to: state) }
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
        do throws(CredentialStoreError) {
            let saved = try await store.save(credential, for: account, replacing: version, renewal: renewal)
            knowledge.set(credential, version: saved)
        } catch {
            knowledge.set(credential, version: version)
            onEvent(.notSaved(error))
        }
    }
}

extension TokenRenewal.Exchange {
    /// Asks the server, again with the same grant while it fails for now and the effort allows it.
    fileprivate func token(
        for grant: some OAuthGrant, renewing previous: Credential?, _ effort: inout RenewalEffort
    ) async throws(OAuthError) -> Credential {
        while true {
            do throws(OAuthError) {
                let patience = min(clock.now + RenewalEffort.patience, deadline)
                return try await client.token(for: grant, renewing: previous, deadline: patience)
            } catch {
                let pause = effort.pause(after: error, draw: Double.random(in: 0..<1))
                guard let pause, clock.now + pause < deadline else { throw error }
                try? await clock.sleep(until: clock.now + pause, tolerance: nil)
            }
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

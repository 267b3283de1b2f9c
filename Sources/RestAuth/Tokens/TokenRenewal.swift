// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// How an account gets its next credential: from the store when another client renewed it already, else from the server.
public struct TokenRenewal: Sendable {
    private let client: OAuthClient?
    private let grant: (any OAuthGrant)?
    private let store: any CredentialStore
    private let account: String
    private let timeout: Duration

    /// Makes a renewal over the authorization server.
    ///
    /// - Parameters:
    ///   - client: the registered client.
    ///   - grant: the unattended grant that logs in; `nil` when only a refresh token can renew.
    ///   - store: where a new credential is saved before it is used.
    ///   - account: the account's key in the store.
    ///   - timeout: how long one exchange may take.
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
        timeout = .zero
    }

    /// For an access token that came from elsewhere: when it ends, the session ends.
    public static let none = TokenRenewal()

    /// Gets the credential that replaces `previous`, durable before it is returned.
    func credential(
        replacing previous: Credential?, at now: ContinuousClock.Instant, onEvent: (TokenEvent) -> Void
    ) async -> Result<Credential, OAuthError> {
        do throws(OAuthError) {
            let stored = try await load()
            if let stored, stored.credential.accessToken != previous?.accessToken { return .success(stored.credential) }
            let renewed = try await exchange(previous ?? stored?.credential, deadline: now + timeout)
            await save(renewed, replacing: stored?.version, onEvent: onEvent)
            return .success(renewed)
        } catch {
            return .failure(error)
        }
    }

    private func load() async throws(OAuthError) -> StoredCredential? {
        do {
            return try await store.load(account)
        } catch {
            throw OAuthError(.storeUnavailable, "the credential store cannot be read now: \(error.message)")
        }
    }

    private func exchange(
        _ previous: Credential?, deadline: ContinuousClock.Instant
    ) async throws(OAuthError) -> Credential {
        guard let client else { throw Self.expired }
        if let refreshToken = previous?.refreshToken {
            return try await client.token(
                for: RefreshTokenGrant(refreshToken: refreshToken), renewing: previous, deadline: deadline)
        }
        guard let grant else { throw Self.expired }
        return try await client.token(for: grant, deadline: deadline)
    }

    private static let expired = OAuthError(
        .sessionExpired, "the access token is no longer valid and nothing can renew it; log in again")

    /// Saves over whatever version is there: the server's latest token is the only one that still works.
    private func save(_ credential: Credential, replacing version: UInt64?, onEvent: (TokenEvent) -> Void) async {
        do throws(CredentialStoreError) {
            do throws(CredentialStoreError) {
                _ = try await store.save(credential, for: account, replacing: version)
            } catch  where error.code == .conflict {
                let current = try await store.load(account)?.version
                _ = try await store.save(credential, for: account, replacing: current)
            }
        } catch {
            onEvent(.notSaved(error))
        }
    }
}

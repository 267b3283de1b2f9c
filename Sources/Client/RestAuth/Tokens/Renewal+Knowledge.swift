// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

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
}

extension TokenManager.Renewal {
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
    static let closed = CredentialStoreError(.conflict, "the account was unlinked; log in again")
    static let otherUser = CredentialStoreError(
        .conflict, "the credential is another user's than the account's; nothing was changed")
}

/// New logins, and the end of an account's use.
extension TokenManager.Renewal {
    /// Saves the credential of a new login over what is stored of the same user, also when a renewal saves at the same
    /// time.
    ///
    /// - Returns: `false` when another user is logged in under the key, here or in the store; nothing is changed then.
    func adopt(_ credential: Credential) async throws(CredentialStoreError) -> Bool {
        var attempts = 5
        while true {
            attempts -= 1
            let (isClosed, relation) = knowledge.state { ($0.isClosed, $0.relation(to: credential)) }
            guard !isClosed else { throw Self.closed }
            let stored = try await storedCredential()
            guard relation != .other, !isOther(credential, than: stored) else { return false }
            do throws(CredentialStoreError) {
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
    private func storedCredential() async throws(CredentialStoreError) -> Credential.Stored? {
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

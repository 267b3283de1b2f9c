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

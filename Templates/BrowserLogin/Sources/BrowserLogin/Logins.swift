// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The user's logins on this computer, one of which is the current login.
struct Logins {
    let accounts: AccountManager
    let app: ClientApp

    /// Opens the logins in the store.
    static func open(_ store: any CredentialStore, app: ClientApp) async throws -> Logins {
        Logins(accounts: try await AccountManager.open(store: store), app: app)
    }

    /// Logs a user in and makes the login the current login.
    ///
    /// PKCE, state and issuer are checked during the login.
    ///
    /// - Parameter presenter: shows the login page.
    /// - Returns: the account, whose ID is the user's name.
    /// - Throws: `OAuthError` if the user denies access or does not finish within five minutes.
    func logIn(with presenter: some LoginPresenter) async throws -> AccountManager.Account {
        let client = OAuthClient(
            login: app.server, clientID: app.clientID, clientSecret: nil, transport: PlatformTransport.shared)
        let deadline = ContinuousClock.now + .seconds(300)
        var credential = try await client.login(with: presenter, scopes: app.scopes, deadline: deadline)
        let user = try await client.userInfo(of: credential, deadline: deadline)
        credential.login = Credential.Login(server: app.server, clientID: app.clientID)
        credential.login?.username = user.username
        return try await accounts.add(credential, id: user.username, makesCurrent: true)
    }

    /// Removes a login and revokes its tokens on the server.
    ///
    /// - Parameter name: the name of the login, or `nil` for the current login.
    /// - Returns: whether the server has revoked the tokens. If the server cannot be reached, the revocation is
    ///   pending.
    /// - Throws: `RestError` if no user is logged in, or `AccountManager.Error`.
    func logOut(_ name: String?) async throws -> Bool {
        guard let id = name ?? accounts.current?.id else { throw RestError(.noAccount, "no user is logged in") }
        if case .pending = try await accounts.unlink(id).revocation { return false }
        return true
    }

    /// Returns the user of the current login, as reported by the org.
    func whoAmI() async throws -> Record? {
        guard let account = accounts.current, let user = account.userID else { return nil }
        let client = try RestClient(account: account.id, of: accounts)
        return try await client.records("SELECT Id, Name FROM User WHERE Id = \(user)").collect(limit: 1).first
    }
}

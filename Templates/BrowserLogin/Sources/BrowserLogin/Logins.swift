// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The logins that this user has here, of which one is the current one.
struct Logins {
    let accounts: AccountManager
    let app: ClientApp

    /// Opens what the store has.
    static func open(_ store: any CredentialStore, app: ClientApp) async throws -> Logins {
        Logins(accounts: try await AccountManager.open(store: store), app: app)
    }

    /// Logs a user in and makes the login the current one; PKCE, state and issuer are checked on the way.
    ///
    /// - Parameter presenter: shows the login page.
    /// - Returns: the account, whose id is the user's name.
    /// - Throws: `OAuthError` when the user refuses or does nothing for five minutes.
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

    /// Ends a login here and at the server, the current one without a name.
    ///
    /// - Returns: whether the server knows; one that cannot be reached is to be told later.
    func logOut(_ name: String?) async throws -> Bool {
        guard let id = name ?? accounts.current?.id else { throw RestError(.noAccount, "nobody is logged in") }
        if case .pending = try await accounts.unlink(id).revocation { return false }
        return true
    }

    /// Who the current login belongs to, as the org says.
    func whoAmI() async throws -> Record? {
        guard let account = accounts.current, let user = account.userID else { return nil }
        let client = try RestClient(account: account.id, of: accounts)
        return try await client.records("SELECT Id, Name FROM User WHERE Id = \(user)").collect(limit: 1).first
    }
}

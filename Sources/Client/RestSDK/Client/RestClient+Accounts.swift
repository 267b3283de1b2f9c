// SPDX-License-Identifier: Apache-2.0

public import RestAuth
import RestTransport
import Synchronization

extension AccountManager {
    /// Opens the accounts of a store with the transport and clock of a client's configuration.
    ///
    /// - Parameters:
    ///   - store: where the logins are kept.
    ///   - configuration: gives the transport and the clock.
    ///   - instancePolicy: which instances are believed when a token is renewed.
    ///   - secrets: gives the client's secret of an account that does not store it.
    ///   - grants: gives the unattended grant of an account that has one.
    /// - Returns: the accounts.
    /// - Throws: `AccountManager.Error` when the store cannot be read now, which does not mean that nobody is logged
    ///   in.
    public static func open(
        store: any CredentialStore, configuration: RestClient.Configuration = RestClient.Configuration(),
        instancePolicy: OAuthClient.InstancePolicy = .platform,
        secrets: @escaping SecretSource = { _ in nil }, grants: @escaping GrantSource = { _ in nil }
    ) async throws(AccountManager.Error) -> AccountManager {
        try await open(
            store: store, transport: configuration.withTransport.transport, instancePolicy: instancePolicy,
            clock: configuration.clock, secrets: secrets, grants: grants)
    }
}

extension RestClient {
    /// Makes a client of a linked account, to which it belongs for life.
    ///
    /// It shares the account's tokens with every other client of it. When the account is unlinked, or another user's
    /// login is found under its key, its calls fail with ``RestError/Code/noAccount``; when another account becomes the
    /// current one, nothing changes for it.
    ///
    /// - Throws: ``RestError/Code/noAccount`` when the account is not linked.
    public convenience init(
        account id: String, of accounts: AccountManager,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        do throws(AccountManager.Error) {
            let session = try accounts.session(of: id)
            self.init(tokens: session.tokens, login: session.account.login?.server, configuration: configuration)
        } catch {
            throw RestError(.noAccount, error.message, underlying: error)
        }
    }

    /// The client of the current account: the same one until another account is chosen, or it is unlinked or shut down.
    ///
    /// Ask for it whenever a call is made; keep a client to stay with its account. Name the accounts once with
    /// ``share(_:configuration:)``.
    ///
    /// - Throws: ``RestError/Code/noAccount`` when there is no current account.
    public static var shared: RestClient {
        get throws(RestError) { try SharedClients.current() }
    }

    /// Names the accounts whose current one ``shared`` belongs to.
    ///
    /// - Parameters:
    ///   - accounts: the accounts; `nil` leaves ``shared`` without one.
    ///   - configuration: everything else about the clients.
    public static func share(
        _ accounts: AccountManager?, configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        SharedClients.use(accounts, configuration)
    }
}

/// The clients behind ``RestClient/shared``, one for each account that was the current one.
enum SharedClients {
    private struct State {
        var accounts: AccountManager?
        var configuration: RestClient.Configuration?
        /// With the tokens that each was made over: an account that was unlinked and linked again has others.
        var clients: [String: (tokens: TokenManager, client: RestClient)] = [:]
    }

    private static let state = Mutex(State())

    static func use(_ accounts: AccountManager?, _ configuration: RestClient.Configuration) {
        state.withLock { $0 = State(accounts: accounts, configuration: configuration) }
    }

    static func current() throws(RestError) -> RestClient {
        let client: RestClient? = try state.withLock { state throws(RestError) in
            guard let accounts = state.accounts, let configuration = state.configuration,
                let id = accounts.current?.id, let tokens = try? accounts.tokens(of: id)
            else { return nil }
            if let known = state.clients[id], known.tokens === tokens, !known.client.isShutDown { return known.client }
            let client = try RestClient(account: id, of: accounts, configuration: configuration)
            state.clients[id] = (tokens, client)
            return client
        }
        guard let client else {
            throw RestError(.noAccount, "there is no current account; log in or choose a linked account")
        }
        return client
    }
}

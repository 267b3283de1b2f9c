// SPDX-License-Identifier: Apache-2.0

import RestAuth
import Synchronization

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

// SPDX-License-Identifier: Apache-2.0

public import RestAuth
public import RestSDK
import RestTransport
public import StoneRuntime

/// What calls Dropbox with somebody's tokens: a client of a user or of a team.
public protocol DropboxAccountClient: DropboxCaller {
    /// Makes a client that calls its routes so.
    init(routes: StoneClient)
}

extension DropboxAccountClient {
    /// Makes a client over the tokens of one account.
    ///
    /// - Parameters:
    ///   - tokens: the tokens of the user or of the team.
    ///   - app: the app, and where Dropbox is.
    ///   - configuration: everything else.
    public init(
        tokens: TokenManager, app: DropboxApp = DropboxApp(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        self.init(routes: app.routes(tokens, configuration))
    }

    /// Makes a client for an access token that came from elsewhere; nobody renews it.
    ///
    /// - Parameters:
    ///   - accessToken: the token.
    ///   - app: the app, and where Dropbox is.
    ///   - configuration: everything else.
    public init(
        accessToken: Secret, app: DropboxApp = DropboxApp(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        self.init(tokens: app.tokens(accessToken, configuration), app: app, configuration: configuration)
    }

    /// Makes a client of one server that does all of Dropbox's work, such as a `LocalBox`.
    ///
    /// ```swift
    /// let client = try DropboxClient(accessToken: Secret(box.accessToken), origin: box.origin)
    /// ```
    ///
    /// - Parameters:
    ///   - accessToken: the token. The client does not renew it.
    ///   - origin: the server's URL without a path: https, or http to a loopback address.
    ///   - configuration: everything else.
    /// - Throws: `RestError.Code.invalidRequest` for another URL.
    public init(
        accessToken: Secret, origin: String, configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        let hosts = DropboxHosts(all: try Origin(orgURL: origin, argument: "origin"))
        self.init(accessToken: accessToken, app: DropboxApp(hosts: hosts), configuration: configuration)
    }

    /// Makes a client of a linked account, to which it belongs for life.
    ///
    /// - Parameters:
    ///   - id: the account's key.
    ///   - accounts: the accounts.
    ///   - app: the app, and where Dropbox is.
    ///   - configuration: everything else.
    /// - Throws: `RestError.Code.noAccount` when the account is not linked.
    public init(
        account id: String, of accounts: AccountManager, app: DropboxApp,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        self.init(routes: try app.routes(of: id, accounts, configuration))
    }

    /// Makes a client of the account that is the current one now, and to which it belongs for life.
    ///
    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - app: the app, and where Dropbox is.
    ///   - configuration: everything else.
    /// - Throws: `RestError.Code.noAccount` when there is none.
    public init(
        currentOf accounts: AccountManager, app: DropboxApp,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        guard let current = accounts.current else {
            throw RestError(.noAccount, "there is no current account; log in or choose a linked account")
        }
        try self.init(account: current.id, of: accounts, app: app, configuration: configuration)
    }
}

// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestAuth
public import RestSDK
public import StoneRuntime

/// Calls Dropbox for one user.
///
/// ```swift
/// let box = DropboxClient(accessToken: token)
/// let file = try await box.files.getMetadata(path: "/plan.txt").value
/// ```
///
/// It is a value: clients that are derived from one share its pipeline, its tokens and its settings.
public struct DropboxClient: DropboxCaller {
    /// Calls the routes.
    public let routes: StoneClient

    init(routes: StoneClient) {
        self.routes = routes
    }

    /// Makes a client over the tokens of one account.
    ///
    /// - Parameters:
    ///   - tokens: the account's tokens.
    ///   - app: the app, and where Dropbox is.
    ///   - configuration: everything else.
    public init(
        tokens: TokenManager, app: DropboxApp = DropboxApp(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        routes = app.routes(tokens, configuration)
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
        routes = try app.routes(of: id, accounts, configuration)
    }

    /// The same client for paths below another root.
    ///
    /// - Parameter root: the root; `nil` is the user's own.
    /// - Returns: a client that shares everything else with this one.
    public func withPathRoot(_ root: Common.PathRoot?) -> DropboxClient {
        // A root that could not be written must not become the user's own: the server refuses this one.
        DropboxClient(routes: routes.with("Dropbox-API-Path-Root", root.map { (try? $0.headerText()) ?? "{}" }))
    }
}

extension StoneClient {
    /// The same client with a header field of the calls that are made for somebody.
    func with(_ field: String, _ value: String?) -> StoneClient {
        var copy = self
        copy.settings.fields[field] = value
        return copy
    }
}

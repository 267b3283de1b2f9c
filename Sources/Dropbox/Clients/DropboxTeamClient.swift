// SPDX-License-Identifier: Apache-2.0

public import RestAuth
public import RestSDK
public import StoneRuntime

/// Calls Dropbox for a team, and for its members.
///
/// ```swift
/// let team = DropboxTeamClient(accessToken: token)
/// let page = try await team.asMember("dbmid:…").files.listFolder(path: "").value
/// ```
public struct DropboxTeamClient: DropboxCaller {
    /// Calls the routes.
    public let routes: StoneClient

    /// Makes a client over the tokens of a team.
    ///
    /// - Parameters:
    ///   - tokens: the team's tokens.
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

    /// Makes a client of a linked team, to which it belongs for life.
    ///
    /// - Parameters:
    ///   - id: the team's key among the accounts.
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

    /// A client that acts as a member of the team.
    ///
    /// - Parameter id: the member's id in the team, such as `dbmid:…`.
    /// - Returns: a client that shares everything else with this one.
    public func asMember(_ id: String) -> DropboxClient {
        DropboxClient(routes: routes.with("Dropbox-API-Select-User", id))
    }

    /// A client that acts as an admin of the team, who may see what belongs to the whole of it.
    ///
    /// - Parameter id: the admin's id in the team, such as `dbmid:…`.
    /// - Returns: a client that shares everything else with this one.
    public func asAdmin(_ id: String) -> DropboxClient {
        DropboxClient(routes: routes.with("Dropbox-API-Select-Admin", id))
    }
}

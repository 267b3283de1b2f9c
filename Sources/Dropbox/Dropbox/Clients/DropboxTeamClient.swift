// SPDX-License-Identifier: Apache-2.0

import RestSDK
public import StoneRuntime

/// Calls Dropbox for a team, and for its members.
///
/// ```swift
/// let team = DropboxTeamClient(accessToken: token)
/// let page = try await team.asMember("dbmid:…").files.listFolder(path: "").value
/// ```
public struct DropboxTeamClient: DropboxAccountClient {
    /// Calls the routes.
    public let routes: StoneClient

    /// Makes a client that calls its routes so.
    public init(routes: StoneClient) {
        self.routes = routes
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

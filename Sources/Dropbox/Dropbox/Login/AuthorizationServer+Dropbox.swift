// SPDX-License-Identifier: Apache-2.0

public import RestAuth
import RestTransport

extension AuthorizationServer {
    /// Dropbox's own server: its page, its token endpoint, and the end of a login at `auth/token/revoke`.
    ///
    /// - Parameters:
    ///   - hosts: where Dropbox is.
    ///   - locale: the language of its texts; `nil` leaves it to Dropbox.
    /// - Returns: the server.
    public static func dropbox(
        _ hosts: DropboxHosts = DropboxHosts(), locale: String? = nil
    ) -> AuthorizationServer {
        var server = AuthorizationServer(
            issuer: hosts.web.description, origin: hosts.api,
            authorizationEndpoint: HTTPURL(origin: hosts.web, path: "/oauth2/authorize"),
            tokenEndpoint: HTTPURL(origin: hosts.api, path: "/oauth2/token"))
        server.revocationEndpoint = HTTPURL(origin: hosts.api, path: "/2/auth/token/revoke")
        server.revocationStyle = .bearer
        server.namesTeams = true
        if let locale { server.tokenParameters["locale"] = locale }
        return server
    }
}

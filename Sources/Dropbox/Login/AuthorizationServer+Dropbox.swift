// SPDX-License-Identifier: Apache-2.0

public import RestAuth
import RestTransport

extension AuthorizationServer {
    /// Dropbox's own server: its page, its token endpoint, and the end of a login at `auth/token/revoke`.
    ///
    /// - Parameter hosts: where Dropbox is.
    /// - Returns: the server.
    public static func dropbox(_ hosts: DropboxHosts = DropboxHosts()) -> AuthorizationServer {
        var server = AuthorizationServer(
            issuer: hosts.web.description, origin: hosts.api,
            authorizationEndpoint: HTTPURL(origin: hosts.web, path: "/oauth2/authorize"),
            tokenEndpoint: HTTPURL(origin: hosts.api, path: "/oauth2/token"))
        server.revocationEndpoint = HTTPURL(origin: hosts.api, path: "/2/auth/token/revoke")
        server.revokesBearer = true
        return server
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension RestRequest {
    /// Whose the account's token is (OpenID Connect Core §5.3), asked at the login server.
    public static let userInfo = RestRequest(
        name: "userInfo", resource: .serverPath("/services/oauth2/userinfo"), service: .login)

    /// Turns the account's session into one of a browser; `frontdoor_uri` in the payload is the page to open, once and
    /// soon.
    ///
    /// Whoever has that address is logged in as the user: treat it as a password.
    ///
    /// - Parameter page: the path on the instance that the browser shows then, or the whole URL of a page.
    public static func singleAccess(to page: String) -> RestRequest {
        RestRequest(
            name: "singleAccess", method: .post, resource: .serverPath("/services/oauth2/singleaccess"),
            fields: ["Content-Type": "application/x-www-form-urlencoded"],
            body: .bytes(Array(PercentEncoding.form([("redirect_uri", page)]).utf8))
        ).requiring(page, "page")
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

extension AuthorizationServer {
    /// A search for the My Domain of a user's org, with Salesforce's page that asks for the user name.
    ///
    /// Show the page like a login page, and pass the URL of its redirect to ``result(from:)``. A My Domain is required
    /// by many orgs, by the client credentials grant and by single sign-on.
    ///
    /// ```swift
    /// let discovery = try AuthorizationServer.Discovery(clientID: "…", redirectURI: "com.example.app:/found")
    /// let redirectURL = try await show(discovery.url)
    /// let found = try discovery.result(from: redirectURL)
    /// let oauth = OAuthClient(server: found.server, clientID: "…", clientSecret: nil, transport: transport)
    /// ```
    public struct Discovery: Sendable, Hashable {
        /// The result of a search.
        public struct Result: Sendable, Hashable {
            /// The authorization server at the My Domain.
            ///
            /// Anyone can make a link to your app that names the My Domain of their own org. Show the name to the user.
            public let server: AuthorizationServer
            /// The user name, for the parameter `login_hint` of the login, or `nil` if the redirect has none.
            public let loginHint: String?
        }

        /// The page to open in the user's browser.
        public let url: HTTPURL
        /// The URL to which the page redirects.
        public let redirectURI: String
        private let policy: OAuthClient.InstancePolicy

        /// The maximum length of a user name, in bytes.
        private static let longestHint = 255

        /// Creates a search.
        ///
        /// - Parameters:
        ///   - clientID: the client's id.
        ///   - redirectURI: the URL to which the page redirects, usually with the custom scheme of the app.
        ///   - version: the version of the app, for the server's statistics.
        ///   - page: the server with the page.
        ///   - policy: the hosts that a My Domain can have.
        /// - Throws: ``OAuthError`` with `.invalidRequest` if the redirect URI is invalid.
        public init(
            clientID: String, redirectURI: String, version: String = "1.0",
            at page: Origin = Origin(scheme: .https, host: "welcome.salesforce.com"),
            policy: OAuthClient.InstancePolicy = .platform
        ) throws(OAuthError) {
            try RedirectURI.check(redirectURI)
            let query = [("client_id", clientID), ("client_version", version), ("callback_url", redirectURI)]
            url = HTTPURL(origin: page, path: "/discovery").adding(query)
            (self.redirectURI, self.policy) = (redirectURI, policy)
        }

        /// Reads the redirect, which is untrusted.
        ///
        /// - Parameter redirectURL: the complete URL to which the browser was redirected.
        /// - Returns: the server, with the fixed paths of Salesforce.
        /// - Throws: ``OAuthError``: `.invalidCallback` if the URL is not a redirect of the page or names no My Domain,
        ///   `.foreignHost` if its host must not receive a login.
        public func result(from redirectURL: String) throws(OAuthError) -> Result {
            let response = try RedirectResponse(redirectURL, to: redirectURI)
            guard let name = response.myDomain, !name.isEmpty else {
                throw OAuthError(.invalidCallback, "the redirect names no My Domain; enter the org's login URL instead")
            }
            let text = name.hasBytes("://") ? name : "https://\(name)"
            guard let found = try? HTTPURL(parsing: text), found.path == "/" || found.path.isEmpty, found.query == nil,
                policy.isAllowed(found.origin)
            else {
                throw OAuthError(
                    .foreignHost, "the redirect names a My Domain on another host, which must not receive a login")
            }
            let hint = response.loginHint.flatMap { hint in
                (1...Self.longestHint).contains(hint.utf8.count) && !PlainText.steersTerminal(hint) ? hint : nil
            }
            return Result(server: AuthorizationServer(login: found.origin), loginHint: hint)
        }
    }
}

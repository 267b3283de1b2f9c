// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import RestTransport

extension SalesforceCLI {
    /// A login as `sf` lists it, without tokens.
    public struct Login: Sendable, Hashable {
        /// The user's login name.
        public let username: String
        /// The short names that the user gave it, sorted.
        public let aliases: [String]
        /// The org's id, when it is known.
        public let organizationID: String?
        /// The org's own origin.
        public let instance: Origin
        /// Where the login was made and is renewed.
        public let server: Origin
        /// Whether it is the one that `sf` takes when none is named.
        public let isDefault: Bool

        /// `nil` for what is no login, or has an address that no token may go to.
        init?(reading root: JSONValue, aliases: [String: String], defaultOrg: String?) {
            guard let username = root["username"]?.string, !username.isEmpty,
                let instance = Self.origin(root["instanceUrl"])
            else { return nil }
            let names = aliases.filter { $0.value == username }.keys.sorted()
            (self.username, self.aliases) = (username, names)
            organizationID = root["orgId"]?.string
            self.instance = instance
            // A login by private key has the address of the login pages, or that of a sandbox's.
            server = Self.origin(root["loginUrl"]) ?? instance
            isDefault = defaultOrg.map { $0 == username || names.contains($0) } ?? false
        }

        private static func origin(_ value: JSONValue?) -> Origin? {
            guard let text = value?.string, let url = try? HTTPURL(parsing: text), url.isTrustworthy else { return nil }
            return url.origin
        }
    }
}

extension SalesforceCLI {
    /// A login with its tokens: what a client is made of.
    public struct Session: Sendable {
        /// Whose login it is.
        public let login: SalesforceCLI.Login
        /// The tokens, and where they are renewed.
        public let credential: Credential
        /// The grant that logs in again where a private key takes a refresh token's place.
        public let grant: JWTBearerGrant?

        /// The client of `sf` itself; logins that name no client were made with it.
        private static let platformClient = "PlatformCLI"

        init(
            _ login: SalesforceCLI.Login, _ root: JSONValue, _ keys: SalesforceCLIKeys
        ) async throws(OAuthError) {
            let sealed = ["accessToken", "refreshToken", "clientSecret"].map { root[$0]?.string }
            let opened = try await keys.open(sealed.map { $0 ?? "" })
            guard let accessToken = opened[0] else {
                throw OAuthError(.unusableLogin, "sf keeps no token for \(login.username); log in with sf again")
            }
            let clientID = root["clientId"]?.string ?? Self.platformClient
            var credential = Credential(
                accessToken: Secret(accessToken), refreshToken: opened[1].map { Secret($0) }, instance: login.instance)
            credential.login = Credential.Login(
                server: login.server, clientID: clientID, clientSecret: opened[2].map { Secret($0) },
                username: login.username)
            if let path = root["privateKey"]?.string, !path.isEmpty {
                grant = JWTBearerGrant(
                    clientID: clientID, username: login.username,
                    key: try JWTBearerGrant.PrivateKey(contentsOfFile: path),
                    login: login.server)
            } else {
                grant = nil
            }
            self.login = login
            self.credential = credential
        }
    }
}

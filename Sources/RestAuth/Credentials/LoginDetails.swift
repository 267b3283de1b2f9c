// SPDX-License-Identifier: Apache-2.0

public import RestTransport

extension Credential {
    /// Where and as what a login was made: all that a later process needs to renew it and to revoke it.
    public struct Login: Sendable, Hashable {
        /// The authorization server.
        public var server: Origin
        /// Where the server's endpoints are and how the client authenticates there; `nil` for the platform's fixed
        /// paths at `server`.
        public var endpoints: AuthorizationServer?
        /// The id of the registered client that logged in.
        public var clientID: String
        /// The client's secret; stored beside the tokens, so leave it out where the app has a better place for it.
        public var clientSecret: Secret?
        /// The user's login name, for people to tell accounts apart.
        public var username: String?
        /// What the app wants to remember of the login, such as how to repeat it.
        ///
        /// Not for secrets: notes are printed as they are.
        public var notes: [String: String]

        /// Makes the details of a login.
        public init(
            server: Origin, endpoints: AuthorizationServer? = nil, clientID: String, clientSecret: Secret? = nil,
            username: String? = nil, notes: [String: String] = [:]
        ) {
            self.server = server
            self.endpoints = endpoints
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.username = username
            self.notes = notes
        }
    }
}

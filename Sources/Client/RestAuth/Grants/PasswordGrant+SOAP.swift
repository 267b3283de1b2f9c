// SPDX-License-Identifier: Apache-2.0

public import RestTransport
import RestXML

extension PasswordGrant {
    /// The user's name and password go to the platform's SOAP API, which gives a session.
    ///
    /// Legacy, for orgs that have no registered client for this app: the platform ends such logins with its release
    /// Summer '27, and its API has none from version 65 on. Use ``JWTBearerGrant`` or ``ClientCredentialsGrant``
    /// wherever there is a client.
    ///
    /// A session opens the same APIs as an access token. It has no refresh token: the grant itself renews. The id of
    /// the ``OAuthClient`` that asks, unless it is empty, is told to the server as the program's name.
    public struct SOAP: Credential.Grant {
        /// The user's login name.
        public let username: String
        /// The password, without the security token.
        public let password: Secret
        /// The user's security token, which the server wants from networks that the org does not trust.
        public let securityToken: Secret?
        /// The version of the SOAP API that is asked; the calls of a client have their own.
        public let version: Int

        /// The last version that has logins.
        public static let lastVersion = 64
        static let firstVersion = 20

        /// Makes the grant.
        ///
        /// - Parameters:
        ///   - username: the user's login name.
        ///   - password: the password.
        ///   - securityToken: the user's security token; `nil` where the network is trusted, or where it stands behind
        ///     the password already.
        ///   - version: the version of the SOAP API to ask, at most ``lastVersion``.
        public init(
            username: String, password: Secret, securityToken: Secret? = nil, version: Int = SOAP.lastVersion
        ) {
            (self.username, self.password) = (username, password)
            (self.securityToken, self.version) = (securityToken, version)
        }

        /// Logs in, with all that a later process needs to renew the login by the same grant and to end it.
        ///
        /// - Parameters:
        ///   - server: the login server: `https://login.salesforce.com`, `https://test.salesforce.com` for sandboxes,
        ///     or the org's own (My Domain).
        ///   - transport: what sends the request.
        ///   - instancePolicy: which instances are believed.
        ///   - deadline: when to give up.
        /// - Returns: the login.
        /// - Throws: ``OAuthError``.
        public func login(
            at server: Origin, transport: any HTTPTransport, instancePolicy: OAuthClient.InstancePolicy = .platform,
            deadline: ContinuousClock.Instant
        ) async throws(OAuthError) -> Credential {
            var endpoints = AuthorizationServer(login: server)
            endpoints.revocationStyle = .soapLogout
            let client = OAuthClient(
                server: endpoints, clientID: "", clientSecret: nil, instancePolicy: instancePolicy,
                transport: transport)
            var credential = try await client.token(for: self, deadline: deadline)
            credential.login = Credential.Login(
                server: server, endpoints: endpoints, clientID: "", username: username)
            return credential
        }

        /// Asks for a session.
        ///
        /// - Throws: ``OAuthError``: `.invalidRequest` for a text that XML cannot hold, nothing is sent then; what the
        ///   server says of the login, such as `.invalidGrant` and `.securityTokenRequired`; or why it could not say.
        public func credential(
            from client: OAuthClient, renewing previous: Credential?, deadline: ContinuousClock.Instant
        ) async throws(OAuthError) -> Credential {
            try check()
            let call = SOAPSessionCall(server: client.login, version: version)
            let content = try await client.content(
                of: call, action: "login", header: Self.header(naming: client.clientID), loginCall,
                to: SentSecrets([password, securityToken, Secret(secret)].compactMap(\.self)), until: deadline)
            return try SOAPLoginResult(content).credential(from: client)
        }

        /// What the server takes for the password.
        private var secret: String { password.reveal() + (securityToken?.reveal() ?? "") }

        private var loginCall: String {
            let members = XMLText.element("username", username) + XMLText.element("password", secret)
            return "<login>\(members)</login>"
        }

        private static func header(naming client: String) -> String {
            client.isEmpty ? "" : "<CallOptions>\(XMLText.element("client", client))</CallOptions>"
        }

        /// Refuses what would cost an attempt to log in, or come to the server as another text.
        private func check() throws(OAuthError) {
            guard (Self.firstVersion...Self.lastVersion).contains(version) else {
                throw OAuthError(
                    .invalidRequest,
                    "SOAP logins are in the versions \(Self.firstVersion) to \(Self.lastVersion) of the API, not in "
                        + "\(version); nothing was sent")
            }
            for (name, text) in [("user name", username), ("password", password.reveal()), ("security token", secret)] {
                guard !text.isEmpty else { throw OAuthError(.invalidRequest, "the \(name) is empty; nothing was sent") }
                guard !text.unicodeScalars.contains(where: Self.isForeign) else {
                    throw OAuthError(
                        .invalidRequest,
                        "the \(name) has a control character, such as a line break at its end; nothing was sent")
                }
            }
        }

        private static func isForeign(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.generalCategory == .control || !XMLText.canHold(scalar)
        }
    }
}

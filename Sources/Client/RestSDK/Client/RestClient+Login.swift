// SPDX-License-Identifier: Apache-2.0

public import RestAuth
import RestTransport

extension RestClient {
    /// Makes a client for an access token that came from elsewhere.
    ///
    /// If the server rejects the token, the call fails with ``RestError/Code/unauthorized``. The client keeps the token
    /// for later calls.
    ///
    /// - Parameters:
    ///   - instanceURL: the org, such as `https://example.my.salesforce.com`; plain http is allowed to loopback
    ///     addresses only.
    ///   - accessToken: the token.
    ///   - configuration: everything else.
    /// - Throws: ``RestError/Code/invalidRequest`` for a URL that is not one of an org.
    public convenience init(
        instanceURL: String, accessToken: Secret, configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        let instance = try Origin(orgURL: instanceURL, argument: "instanceURL")
        let tokens = TokenManager(
            credential: Credential(accessToken: accessToken, instance: instance), renewal: .none,
            clock: configuration.clock)
        self.init(tokens: tokens, configuration: configuration)
    }

    /// Makes a client that logs in by itself with an unattended grant, at the first request and whenever its token
    /// ends.
    ///
    /// Calls fail with ``RestError/Code/loginFailed`` when the first login does, and with
    /// ``RestError/Code/refreshFailed`` when a later one does.
    ///
    /// - Parameters:
    ///   - loginURL: the authorization server, such as `https://example.my.salesforce.com`.
    ///   - clientID: the registered client's id (consumer key).
    ///   - clientSecret: its secret.
    ///   - grant: how to log in.
    ///   - configuration: everything else.
    /// - Throws: ``RestError/Code/invalidRequest`` for a URL that is not one of an org.
    public convenience init(
        loginURL: String, clientID: String, clientSecret: Secret?,
        grant: some Credential.Grant = ClientCredentialsGrant(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        let login = try Origin(orgURL: loginURL, argument: "loginURL")
        let (configuration, transport) = configuration.withTransport
        let client = OAuthClient(login: login, clientID: clientID, clientSecret: clientSecret, transport: transport)
        let tokens = TokenManager(
            credential: nil, renewal: TokenManager.Renewal(client: client, grant: grant), clock: configuration.clock)
        self.init(tokens: tokens, login: login, configuration: configuration)
    }

    /// Makes a client of a login that was made before, such as one that `SalesforceCLI` keeps.
    ///
    /// - Parameters:
    ///   - credential: what the login gave. Its `login` says where it is renewed; without one, the session
    ///     ends with its access token.
    ///   - grant: what logs in again where there is no refresh token.
    ///   - configuration: everything else.
    public convenience init(
        credential: Credential, grant: (any Credential.Grant)? = nil,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        let (configuration, transport) = configuration.withTransport
        let renewal =
            credential.login.map { login in
                let server = login.endpoints ?? AuthorizationServer(login: login.server)
                return TokenManager.Renewal(
                    client: OAuthClient(
                        server: server, clientID: login.clientID, clientSecret: login.clientSecret,
                        transport: transport), grant: grant)
            } ?? .none
        let tokens = TokenManager(credential: credential, renewal: renewal, clock: configuration.clock)
        self.init(tokens: tokens, login: credential.login?.server, configuration: configuration)
    }
}

extension Origin {
    /// Reads the URL of an org: https, or http to a loopback address; nothing after the host.
    package init(orgURL text: String, argument: String) throws(RestError) {
        guard let url = try? HTTPURL(parsing: text), url.path == "/" || url.path.isEmpty, url.query == nil else {
            throw .invalidRequest(
                argument, "must be an absolute URL without a path, such as https://example.my.salesforce.com")
        }
        guard url.origin.scheme == .https || url.origin.isLoopback else {
            throw .invalidRequest(argument, "plain http is allowed for loopback addresses only; use https")
        }
        self = url.origin
    }
}

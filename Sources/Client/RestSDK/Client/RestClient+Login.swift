// SPDX-License-Identifier: Apache-2.0

public import RestAuth
import RestBase
public import RestTransport

#if canImport(Darwin)
import RestURLSession
#else
import RestCurl
#endif

extension RestClient {
    /// Makes a client for an existing access token.
    ///
    /// If the server rejects the token, calls fail with ``RestError/Code/unauthorized``. The client keeps the token for
    /// later calls.
    ///
    /// - Parameters:
    ///   - instanceURL: the URL of the org, such as `https://example.my.salesforce.com`. Plain http is allowed only for
    ///     loopback addresses.
    ///   - accessToken: the access token.
    ///   - configuration: the client's settings.
    /// - Throws: ``RestError/Code/invalidRequest`` if the URL is not valid for an org.
    public convenience init(
        instanceURL: String, accessToken: Secret, configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        let instance = try Origin(orgURL: instanceURL, argument: "instanceURL")
        let tokens = TokenManager(
            credential: Credential(accessToken: accessToken, instance: instance), renewal: .none,
            clock: configuration.clock)
        self.init(tokens: tokens, configuration: configuration)
    }

    /// Makes a client that logs in automatically with an unattended grant, at the first request and whenever its token
    /// expires.
    ///
    /// If the first login fails, calls fail with ``RestError/Code/loginFailed``. If a later login fails, calls fail
    /// with ``RestError/Code/refreshFailed``.
    ///
    /// - Parameters:
    ///   - loginURL: the authorization server, such as `https://example.my.salesforce.com`.
    ///   - clientID: the id of the registered client (consumer key).
    ///   - clientSecret: the client secret.
    ///   - grant: the login method.
    ///   - configuration: the client's settings.
    /// - Throws: ``RestError/Code/invalidRequest`` if the URL is not valid for an org.
    public convenience init(
        loginURL: String, clientID: String, clientSecret: Secret?,
        grant: some Credential.Grant = ClientCredentialsGrant(),
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        let login = try Origin(orgURL: loginURL, argument: "loginURL")
        let (configuration, transport) = configuration.withTransport
        var client = OAuthClient(login: login, clientID: clientID, clientSecret: clientSecret, transport: transport)
        client.bindsTokens = configuration.bindsTokens
        let tokens = TokenManager(
            credential: nil, renewal: TokenManager.Renewal(client: client, grant: grant), clock: configuration.clock)
        self.init(tokens: tokens, login: login, configuration: configuration)
    }

    /// Makes a client from the credential of an earlier login, such as a login stored by `SalesforceCLI`.
    ///
    /// - Parameters:
    ///   - credential: the credential. Its `login` is used for renewals. Without a `login`, the session ends with its
    ///     access token.
    ///   - grant: logs in again if there is no refresh token.
    ///   - configuration: the client's settings.
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
    /// Parses the URL of an org, which must be https, or http to a loopback address, and must not have a path.
    package init(orgURL text: String, argument: String) throws(RestError) {
        guard let url = try? HTTPURL(parsing: text), url.path == "/" || url.path.isEmpty, url.query == nil else {
            throw .invalidRequest(
                argument, "must be an absolute URL without a path, such as https://example.my.salesforce.com")
        }
        guard url.origin.scheme == .https || url.origin.isLoopback else {
            throw .invalidRequest(argument, "plain http is allowed only for loopback addresses; use https")
        }
        self = url.origin
    }
}

extension RestClient {
    /// The timeouts and limits of a transport's connections and responses.
    ///
    /// All calls share the limits of the transport that a configuration makes. For a single call, use
    /// ``RestRequest/timeout`` for the whole call and ``RetryPolicy/attemptTimeout`` for each attempt.
    public struct TransportLimits: Sendable, Hashable {
        /// The maximum time for DNS lookup, connecting and the TLS handshake.
        ///
        /// If it is exceeded, the call fails with ``RestError/Code/notConnected``. URLSession does not report when a
        /// connection is open. On Apple platforms this limit is therefore ignored, and ``firstByteTimeout`` includes
        /// connecting.
        public var connectTimeout: Duration = .seconds(30)
        /// The maximum time from sending a request to the end of the response head.
        ///
        /// If it is exceeded, the call fails with ``RestError/Code/timedOut``. If `nil`, only the call's deadline
        /// applies.
        public var firstByteTimeout: Duration?
        /// The maximum time without a byte of a body in either direction.
        ///
        /// If it is exceeded, the call fails with ``RestError/Code/timedOut``. If `nil`, only the call's deadline
        /// applies.
        public var idleTimeout: Duration? = .seconds(60)
        /// The maximum size of a response body in bytes after decompression, or the call fails with
        /// ``RestError/Code/tooLarge``.
        public var maximumResponseSize = 256 * 1024 * 1024
        /// The maximum number of open connections to one host, beyond which calls wait for a free connection.
        public var maximumConnectionsPerHost = 32
        /// The maximum number of open connections to all hosts, which Apple platforms ignore.
        public var maximumConnections = 256

        /// Makes the default limits.
        public init() {}
    }
}

extension RestClient.TransportLimits {
    /// The number at which larger numbers of connections are capped.
    static let mostConnections = 1_000_000

    var problem: InvalidArgument? {
        let durations = [
            ("connectTimeout", connectTimeout), ("firstByteTimeout", firstByteTimeout), ("idleTimeout", idleTimeout),
        ]
        if let (name, _) = durations.first(where: { ($0.1 ?? .seconds(1)) <= .zero }) {
            return InvalidArgument("transportLimits.\(name)", "must be longer than zero")
        }
        let counts = [
            ("maximumResponseSize", maximumResponseSize), ("maximumConnectionsPerHost", maximumConnectionsPerHost),
            ("maximumConnections", maximumConnections),
        ]
        guard let (name, _) = counts.first(where: { $0.1 < 1 }) else { return nil }
        return InvalidArgument("transportLimits.\(name)", "must be at least 1")
    }
}

/// The default transport for the operating system.
public enum PlatformTransport {
    /// The transport of the process, shared by all clients with default limits and no custom transport.
    public static let shared: any HTTPTransport = make(RestClient.TransportLimits())

    /// Makes a transport with its own connections.
    public static func make(_ limits: RestClient.TransportLimits) -> any HTTPTransport {
        make(limits, authoritiesFile: nil)
    }

    /// Makes a transport that trusts the CAs in a PEM file instead of those of the system, except on Apple platforms,
    /// where the Keychain decides.
    package static func make(
        _ limits: RestClient.TransportLimits, authoritiesFile: String?
    ) -> any HTTPTransport {
        #if canImport(Darwin)
        return URLSessionTransport(configuration: SessionConfiguration(limits))
        #else
        var configuration = CurlConfiguration(limits)
        configuration.tls.authoritiesFile = authoritiesFile
        return CurlTransport(configuration: configuration)
        #endif
    }
}

#if canImport(Darwin)
extension SessionConfiguration {
    fileprivate init(_ limits: RestClient.TransportLimits) {
        self.init()
        firstByteTimeout = limits.firstByteTimeout?.bounded
        idleTimeout = limits.idleTimeout?.bounded
        maximumBodyBytes = NumberRange.bytes.clamped(limits.maximumResponseSize)
        maximumConnectionsPerHost = min(limits.maximumConnectionsPerHost, RestClient.TransportLimits.mostConnections)
    }
}
#else
extension CurlConfiguration {
    fileprivate init(_ limits: RestClient.TransportLimits) {
        self.init()
        connectTimeout = limits.connectTimeout.bounded
        firstByteTimeout = limits.firstByteTimeout?.bounded
        idleTimeout = limits.idleTimeout?.bounded
        maximumBodyBytes = NumberRange.bytes.clamped(limits.maximumResponseSize)
        maximumConnectionsPerHost = min(limits.maximumConnectionsPerHost, RestClient.TransportLimits.mostConnections)
        maximumConnections = min(limits.maximumConnections, RestClient.TransportLimits.mostConnections)
    }
}
#endif

extension Duration {
    /// The maximum span in time calculations, about a century, so that sums and products do not overflow, even in
    /// nanoseconds.
    static let longest: Duration = .seconds(Int64(3_000_000_000))

    /// The span clamped between zero and ``longest``, because settings of the app are never rejected.
    var bounded: Duration { min(max(self, .zero), .longest) }
}

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

extension RestClient {
    /// How long connections may stay silent, how many there may be, and how much comes over them.
    ///
    /// They belong to the transport that a configuration makes by itself, and all its calls share them. A single call
    /// has ``RestRequest/timeout`` for all of it and ``RetryPolicy/attemptTimeout`` for each time it is sent.
    public struct TransportLimits: Sendable, Hashable {
        /// The longest time for resolving the name, connecting and TLS; the call fails with
        /// ``RestError/Code/notConnected`` then.
        ///
        /// URLSession does not tell when a connection stands: on Apple platforms this bound is not kept, and
        /// ``firstByteTimeout`` covers connecting too.
        public var connectTimeout: Duration = .seconds(30)
        /// The longest time from sending a request to the end of the answer's header; `nil` leaves it to the call's
        /// deadline.
        ///
        /// The call fails with ``RestError/Code/timedOut`` then.
        public var firstByteTimeout: Duration?
        /// The longest time without a byte of a body in either direction; `nil` leaves it to the call's deadline.
        ///
        /// The call fails with ``RestError/Code/timedOut`` then.
        public var idleTimeout: Duration? = .seconds(60)
        /// The largest body of an answer that is kept in memory, in bytes after decompression.
        ///
        /// A larger one fails with ``RestError/Code/tooLarge``.
        public var maximumResponseSize = 256 * 1024 * 1024
        /// How many connections are open to one host at a time; more calls wait for one to become free.
        public var maximumConnectionsPerHost = 32
        /// How many connections are open at a time to all hosts together; on Apple platforms the system decides.
        public var maximumConnections = 256

        /// The defaults.
        public init() {}
    }
}

extension RestClient.TransportLimits {
    /// More connections than this count as this many: no process has so many.
    static let mostConnections = 1_000_000

    /// The first limit that no transport can keep.
    var problem: InvalidArgument? {
        let durations = [
            ("connectTimeout", connectTimeout), ("firstByteTimeout", firstByteTimeout), ("idleTimeout", idleTimeout),
        ]
        if let (name, _) = durations.first(where: { ($0.1 ?? .seconds(1)) <= .zero }) {
            return InvalidArgument(argument: "transportLimits.\(name)", reason: "must be longer than zero")
        }
        let counts = [
            ("maximumResponseSize", maximumResponseSize), ("maximumConnectionsPerHost", maximumConnectionsPerHost),
            ("maximumConnections", maximumConnections),
        ]
        guard let (name, _) = counts.first(where: { $0.1 < 1 }) else { return nil }
        return InvalidArgument(argument: "transportLimits.\(name)", reason: "must be at least 1")
    }
}

/// The transport that fits the platform.
public enum PlatformTransport {
    /// The process's transport: one pool of connections for every client that has no transport or limits of its own.
    public static let shared: any HTTPTransport = make(RestClient.TransportLimits())

    /// Makes a transport with connections of its own.
    public static func make(_ limits: RestClient.TransportLimits) -> any HTTPTransport {
        #if canImport(Darwin)
        URLSessionTransport(configuration: SessionConfiguration(limits))
        #else
        CurlTransport(configuration: CurlConfiguration(limits))
        #endif
    }
}

#if canImport(Darwin)
extension SessionConfiguration {
    /// A configuration with these limits, as far as URLSession has them.
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
    /// A configuration with these limits.
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
    /// The longest span that anything is measured with: about a century, so that no sum and no product of spans
    /// overflows, in nanoseconds either.
    static let longest: Duration = .seconds(Int64(3_000_000_000))

    /// The span, or the nearest one between no time and the ``longest``: for settings of the app, which are never
    /// refused.
    var bounded: Duration { min(max(self, .zero), .longest) }
}

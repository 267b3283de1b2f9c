// SPDX-License-Identifier: Apache-2.0

public import RestAuth
public import RestTransport
import Synchronization

/// A client for one org and one account, which sends calls, such as ``RestRequest`` values, and returns their content.
///
/// Every calling style (async, closures, delegate, sequences) sends every ``Endpoint`` in the same way, so signing,
/// token renewal, timeouts, cancellation and errors are the same in all of them. A client is immutable and can be
/// shared by any number of tasks and threads.
public final class RestClient: Sendable {
    let runner: CallRunner
    /// Whether requests are addressed to the Tooling API.
    let isTooling: Bool

    /// Makes a client with the tokens of one account.
    ///
    /// - Parameters:
    ///   - tokens: the tokens of the account.
    ///   - login: the server for calls that need no login, used before the first login.
    ///   - configuration: the client's settings.
    public init(
        tokens: TokenManager, login: Origin? = nil, configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        runner = CallRunner(tokens: tokens, login: login, configuration: configuration)
        isTooling = false
    }

    /// Makes a view of a client that addresses requests to the Tooling API.
    init(toolingOf client: RestClient) { (runner, isTooling) = (client.runner, true) }

    /// The org's daily API usage as last reported by the org, or `nil` before the first report.
    public var allowance: RestClient.APIAllowance? { runner.limiter.allowance }

    package var clock: any MonotonicClock { runner.clock }

    /// The API version of the client's calls.
    package var apiVersion: APIVersion { runner.builder.apiVersion }

    /// The number of the token in use, which a renewal changes, or `nil` if there is no valid token.
    package var tokenGeneration: UInt64? { runner.tokens.credentialAtHand()?.generation }

    /// The transport of the client's calls, whose trust and proxy other connections for the client share.
    package var transport: any HTTPTransport { runner.pipeline.transport }

    /// Returns the account's credential for a connection that carries no calls, and waits for its renewal.
    package func credential(
        rejecting generation: UInt64? = nil, deadline: ContinuousClock.Instant, isWrite: Bool = false
    ) async throws(RestError) -> Credential.Issued {
        do throws(OAuthError) {
            return try await runner.tokens.credential(rejecting: generation, deadline: deadline)
        } catch {
            throw RestError(error, isWrite: isWrite, isFirstLogin: runner.tokens.lastInstance == nil)
        }
    }

    /// The credential in use, or `nil` if it must be renewed.
    package var credentialAtHand: Credential.Issued? { runner.tokens.credentialAtHand() }

    /// Returns the client's work of a type, which `make` creates for its first caller and the client retains.
    package func work<Work: ClientWork>(_ make: () -> Work) -> Work { runner.calls.work(make) }

    func content<Content>(
        of request: RestRequest, _ read: @escaping @Sendable (RestResponse) throws(RestError) -> sending Content,
        _ options: Call.Options = Call.Options(),
        route: @escaping @Sendable (RestError) -> (any Error)? = { _ in nil }
    ) async throws(RestError) -> Content {
        do throws(RestError) {
            return try await runner.run(addressed(request), options, route: route, read: read)
        } catch {
            throw error.trimmed
        }
    }
}

extension AccountManager {
    /// Opens the accounts of a store with the transport and clock of a client configuration.
    ///
    /// - Parameters:
    ///   - store: the store of the logins.
    ///   - configuration: provides the transport and the clock.
    ///   - instancePolicy: the instances that are accepted when a token is renewed.
    ///   - secrets: returns the client secret for an account that does not store it.
    ///   - grants: returns the unattended grant for an account that has one.
    /// - Returns: the accounts.
    /// - Throws: `AccountManager.Error` if the store cannot be read now. This error does not mean that no user is
    ///   logged in.
    public static func open(
        store: any CredentialStore, configuration: RestClient.Configuration = RestClient.Configuration(),
        instancePolicy: OAuthClient.InstancePolicy = .platform,
        secrets: @escaping SecretSource = { _ in nil }, grants: @escaping GrantSource = { _ in nil }
    ) async throws(AccountManager.Error) -> AccountManager {
        try await open(
            store: store, transport: configuration.withTransport.transport, instancePolicy: instancePolicy,
            clock: configuration.clock, secrets: secrets, grants: grants)
    }
}

extension RestClient {
    /// Makes a client for a linked account.
    ///
    /// The client always belongs to this account, even if another account becomes the current account. All clients of
    /// an account share its tokens. If the account is unlinked, or if its key is used for the login of another user,
    /// calls fail with ``RestError/Code/noAccount``.
    ///
    /// - Throws: ``RestError/Code/noAccount`` if the account is not linked.
    public convenience init(
        account id: String, of accounts: AccountManager,
        configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws(RestError) {
        do throws(AccountManager.Error) {
            let session = try accounts.session(of: id)
            self.init(tokens: session.tokens, login: session.account.login?.server, configuration: configuration)
        } catch {
            throw RestError(.noAccount, error.message, underlying: error)
        }
    }

    /// The client of the current account.
    ///
    /// It is the same client until another account is chosen, the account is unlinked, or the client is shut down. Read
    /// this property for each call. To stay with one account, store the client. Before the first use, call
    /// ``share(_:configuration:)``.
    ///
    /// - Throws: ``RestError/Code/noAccount`` if there is no current account.
    public static var shared: RestClient {
        get throws(RestError) { try SharedClients.current() }
    }

    /// Sets the accounts that ``shared`` uses.
    ///
    /// - Parameters:
    ///   - accounts: the accounts. If `nil`, ``shared`` throws.
    ///   - configuration: the settings of the shared clients.
    public static func share(
        _ accounts: AccountManager?, configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        SharedClients.use(accounts, configuration)
    }
}

/// The clients of ``RestClient/shared``, one for each account that was current.
enum SharedClients {
    private struct State {
        var accounts: AccountManager?
        var configuration: RestClient.Configuration?
        /// Each client with its tokens, which differ if an account was unlinked and linked again.
        var clients: [String: (tokens: TokenManager, client: RestClient)] = [:]
    }

    private static let state = Mutex(State())

    static func use(_ accounts: AccountManager?, _ configuration: RestClient.Configuration) {
        state.withLock { $0 = State(accounts: accounts, configuration: configuration) }
    }

    static func current() throws(RestError) -> RestClient {
        let client: RestClient? = try state.withLock { state throws(RestError) in
            guard let accounts = state.accounts, let configuration = state.configuration,
                let id = accounts.current?.id, let tokens = try? accounts.tokens(of: id)
            else { return nil }
            if let known = state.clients[id], known.tokens === tokens, !known.client.isShutDown { return known.client }
            let client = try RestClient(account: id, of: accounts, configuration: configuration)
            state.clients[id] = (tokens, client)
            return client
        }
        guard let client else {
            throw RestError(.noAccount, "no current account; log in or choose a linked account")
        }
        return client
    }
}

extension RestClient {
    /// The settings of a client, except for the login.
    ///
    /// Set the properties that differ from the defaults, in any order:
    ///
    /// ```swift
    /// var configuration = RestClient.Configuration()
    /// configuration.timeout = .seconds(120)
    /// configuration.transport = transport
    /// ```
    public struct Configuration: Sendable {
        /// The name of the client in its events, which identifies it in logs.
        public var name: String
        /// The version of the REST API.
        public var apiVersion: APIVersion
        /// The `User-Agent` header.
        public var userAgent: String
        /// The headers of each request, unless its service or the request itself sets them.
        public var fields: HTTPFields
        /// Salesforce's call options, sent as headers to the instance unless a call sets them.
        public var options = RestRequest.CallOptions()
        /// Whether each call is a span of a trace: its ``RestRequest/trace``, or else a new one.
        public var tracesCalls = false
        /// The addresses of the account's services: servers other than the instance, or another base path for the
        /// instance.
        ///
        /// The account's token is sent to all of them.
        public var services: [RestRequest.Service: RestRequest.Service.Address]
        /// The maximum duration of a call, including retries, replays and waiting for an access token.
        ///
        /// The server's own limit is 10 minutes. Raise this value for calls that are known to take long.
        public var timeout: Duration
        /// The policy for retries after transient errors.
        public var retryPolicy: RetryPolicy
        /// The client's own limits for requests to the org, which are off by default.
        public var limits: RestClient.RateLimits
        /// The circuit breaker, which stops requests to a server that keeps failing, or `nil` for none.
        public var circuitBreaker: RestClient.CircuitBreakerPolicy?
        /// The policy for following redirects.
        public var redirectPolicy: RedirectPolicy
        /// The app's interceptors, outermost first, which each attempt of a call passes through.
        public var interceptors: [any Interceptor]
        /// The receiver of events about all calls, or `nil` for no events and no cost.
        public var eventSink: (any RestEvent.Sink)?
        /// The transport that sends requests, or `nil` for the default transport with ``transportLimits``.
        public var transport: (any HTTPTransport)?
        /// The limits of the default transport.
        ///
        /// They do not apply to a custom ``transport``. With the default limits, all clients of the process share their
        /// connections. With other limits, a client has its own connections. To share these, make a transport with
        /// ``PlatformTransport/make(_:)``.
        public var transportLimits: RestClient.TransportLimits
        /// The clock for timeouts and delays.
        public var clock: any MonotonicClock
        /// Whether a login of this client has tokens that are bound to a key with DPoP, by default `false`.
        ///
        /// See `OAuthClient.bindsTokens`. It has no effect on a credential from elsewhere, which has its own key or
        /// none.
        public var bindsTokens = false

        /// Makes a configuration from settings that all have defaults.
        public init(
            name: String = "", apiVersion: APIVersion = .current, userAgent: String = "RestSDK/\(RestClient.version)",
            fields: HTTPFields = [:], services: [RestRequest.Service: RestRequest.Service.Address] = [:],
            timeout: Duration = .seconds(60), retryPolicy: RetryPolicy = RetryPolicy(),
            limits: RestClient.RateLimits = RestClient.RateLimits(),
            circuitBreaker: RestClient.CircuitBreakerPolicy? = nil, redirectPolicy: RedirectPolicy = RedirectPolicy(),
            interceptors: [any Interceptor] = [], eventSink: (any RestEvent.Sink)? = nil,
            transport: (any HTTPTransport)? = nil,
            transportLimits: RestClient.TransportLimits = RestClient.TransportLimits(),
            clock: any MonotonicClock = ContinuousClock()
        ) {
            self.name = name
            self.apiVersion = apiVersion
            self.userAgent = userAgent
            self.fields = fields
            self.services = services
            self.timeout = timeout
            self.retryPolicy = retryPolicy
            self.limits = limits
            self.circuitBreaker = circuitBreaker
            self.redirectPolicy = redirectPolicy
            self.interceptors = interceptors
            self.eventSink = eventSink
            self.transport = transport
            self.transportLimits = transportLimits
            self.clock = clock
        }
    }
}

extension RestClient.Configuration {
    var withTransport: (configuration: RestClient.Configuration, transport: any HTTPTransport) {
        let transport =
            transport
            ?? (transportLimits == RestClient.TransportLimits()
                ? PlatformTransport.shared : PlatformTransport.make(transportLimits))
        var configuration = self
        configuration.transport = transport
        return (configuration, transport)
    }

    var problem: InvalidArgument? {
        transportLimits.problem ?? ServiceMap(services).problem ?? options.problem
    }
}

extension RestClient {
    /// The version of the SDK (semantic versioning).
    public static let version = "0.1.0"
}

extension RestClient {
    /// Cancels all calls in flight, each of which fails once with ``RestError/Code/cancelled``.
    public func cancelAll() { runner.calls.cancelAll() }

    /// Shuts down the client.
    ///
    /// All calls in flight and all later calls fail once with ``RestError/Code/shutDown``. The account stays logged in,
    /// and the transport stays open because other clients may use it. A second call does nothing.
    public func shutdown() { runner.calls.shutDown() }

    /// Whether the client was shut down.
    public var isShutDown: Bool { runner.calls.isShutDown }

    /// The number of calls in the client's own queue.
    package var waitingCalls: Int { runner.limiter.waiting }
}

extension RestClient {
    /// Renews the account's access token now, for example before long work or to test a login.
    ///
    /// Later requests use the new token. If a renewal is already in progress, this method waits for it.
    ///
    /// - Parameter timeout: the maximum time to wait. If `nil`, the client's timeout is used.
    /// - Returns: the new credential.
    /// - Throws: ``RestError/Code/refreshFailed`` if the server rejects the renewal, or if the login cannot be renewed.
    ///   In the second case the current token stays in use. If there was no login before:
    ///   ``RestError/Code/loginFailed``.
    @discardableResult
    public func refreshNow(timeout: Duration? = nil) async throws(RestError) -> Credential {
        do throws(OAuthError) {
            return try await runner.tokens.refreshNow(deadline: runner.clock.now + (timeout ?? runner.timeout))
                .credential
        } catch {
            throw RestError(error, isWrite: false, isFirstLogin: runner.tokens.lastInstance == nil)
        }
    }
}

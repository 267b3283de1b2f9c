// SPDX-License-Identifier: Apache-2.0

public import RestAuth
public import RestTransport
import Synchronization

/// Talks to one org as one account: sends calls, such as ``RestRequest`` values, and gives back their content.
///
/// Every calling style (async, closures, delegate, sequences) sends every ``Endpoint`` through one call, so all of them
/// sign, renew tokens, time out, cancel and fail alike. A client is immutable and may be shared by any number of tasks
/// and threads.
public final class RestClient: Sendable {
    let runner: CallRunner

    /// Makes a client over the tokens of one account.
    ///
    /// - Parameters:
    ///   - tokens: the account's tokens.
    ///   - login: where calls go that need no login, as long as nobody is logged in.
    ///   - configuration: everything else.
    public init(
        tokens: TokenManager, login: Origin? = nil, configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        runner = CallRunner(tokens: tokens, login: login, configuration: configuration)
    }

    /// What the org told last of its daily allowance of API calls; `nil` before it told.
    public var allowance: RestClient.APIAllowance? { runner.limiter.allowance }

    /// What times are measured on.
    package var clock: any MonotonicClock { runner.clock }

    /// The version of the API that its calls are of.
    package var apiVersion: APIVersion { runner.builder.apiVersion }

    /// Sends a request and reads its answer, as one call.
    func content<Content>(
        of request: RestRequest, _ read: @escaping @Sendable (RestResponse) throws(RestError) -> sending Content,
        _ options: Call.Options = Call.Options(),
        route: @escaping @Sendable (RestError) -> (any Error)? = { _ in nil }
    ) async throws(RestError) -> Content {
        do throws(RestError) {
            return try await runner.run(request, options, route: route, read: read)
        } catch {
            throw error.trimmed
        }
    }
}

extension AccountManager {
    /// Opens the accounts of a store with the transport and clock of a client's configuration.
    ///
    /// - Parameters:
    ///   - store: where the logins are kept.
    ///   - configuration: gives the transport and the clock.
    ///   - instancePolicy: which instances are believed when a token is renewed.
    ///   - secrets: gives the client's secret of an account that does not store it.
    ///   - grants: gives the unattended grant of an account that has one.
    /// - Returns: the accounts.
    /// - Throws: `AccountManager.Error` when the store cannot be read now, which does not mean that nobody is logged
    ///   in.
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
    /// Makes a client of a linked account, to which it belongs for life.
    ///
    /// It shares the account's tokens with every other client of it. When the account is unlinked, or another user's
    /// login is found under its key, its calls fail with ``RestError/Code/noAccount``; when another account becomes the
    /// current one, nothing changes for it.
    ///
    /// - Throws: ``RestError/Code/noAccount`` when the account is not linked.
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

    /// The client of the current account: the same one until another account is chosen, or it is unlinked or shut down.
    ///
    /// Ask for it whenever a call is made; keep a client to stay with its account. Name the accounts once with
    /// ``share(_:configuration:)``.
    ///
    /// - Throws: ``RestError/Code/noAccount`` when there is no current account.
    public static var shared: RestClient {
        get throws(RestError) { try SharedClients.current() }
    }

    /// Names the accounts whose current one ``shared`` belongs to.
    ///
    /// - Parameters:
    ///   - accounts: the accounts; `nil` leaves ``shared`` without one.
    ///   - configuration: everything else about the clients.
    public static func share(
        _ accounts: AccountManager?, configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        SharedClients.use(accounts, configuration)
    }
}

/// The clients behind ``RestClient/shared``, one for each account that was the current one.
enum SharedClients {
    private struct State {
        var accounts: AccountManager?
        var configuration: RestClient.Configuration?
        /// With the tokens that each was made over: an account that was unlinked and linked again has others.
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
            throw RestError(.noAccount, "there is no current account; log in or choose a linked account")
        }
        return client
    }
}

extension RestClient {
    /// All settings of a client but the login.
    ///
    /// It is a value and owns nothing. Set the properties that differ from the defaults. Their order does not matter,
    /// as it does in the initializer:
    ///
    /// ```swift
    /// var configuration = RestClient.Configuration()
    /// configuration.timeout = .seconds(120)
    /// configuration.transport = transport
    /// ```
    public struct Configuration: Sendable {
        /// The client's name in its events, so that logs can tell several clients apart; empty for none.
        public var name: String
        /// The version of the REST API.
        public var apiVersion: APIVersion
        /// The `User-Agent` field.
        public var userAgent: String
        /// Header fields of every request; those of its service and its own win.
        public var fields: HTTPFields
        /// What the platform takes in header fields of its own, for calls of the instance; parts that a call sets win.
        public var options = RestRequest.CallOptions()
        /// Whether each call is a step of a trace (``RestRequest/TraceContext``): of the call's own
        /// ``RestRequest/trace``, or of a new one.
        public var tracesCalls = false
        /// Where the account's services are: servers of other names than the instance, or another base path for it.
        ///
        /// The account's token goes to all of them.
        public var services: [RestRequest.Service: RestRequest.Service.Address]
        /// How long a call may take from `send` to its end, waiting for tokens and replays included.
        ///
        /// The server's own limit is 10 minutes, so raise it for calls that are known to take long.
        public var timeout: Duration
        /// How often a call is sent after a fault that passes.
        public var retryPolicy: RetryPolicy
        /// How much is asked of the org at most; by default as much as it takes.
        public var limits: RestClient.RateLimits
        /// When the client stops asking a server that keeps failing; `nil` never stops.
        public var circuitBreaker: RestClient.CircuitBreakerPolicy?
        /// Which redirects are followed.
        public var redirectPolicy: RedirectPolicy
        /// Your own steps of the pipeline, outermost first; each attempt of a call passes them.
        public var interceptors: [any Interceptor]
        /// Is told what happens to every call; `nil` tells nobody and costs nothing.
        public var eventSink: (any RestEvent.Sink)?
        /// What sends the requests; `nil` lets each client have the platform's transport with the ``transportLimits``.
        public var transport: (any HTTPTransport)?
        /// Times, sizes and connections of the platform's transport; a ``transport`` of your own has its own.
        ///
        /// With the defaults a client shares its connections with every other such client of the process. With other
        /// limits it has connections of its own; to share those too, make a transport with
        /// ``PlatformTransport/make(_:)``.
        public var transportLimits: RestClient.TransportLimits
        /// Measures time.
        public var clock: any MonotonicClock

        /// Makes a configuration; every part has a default.
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
    /// The same configuration with the transport that its client uses.
    var withTransport: (configuration: RestClient.Configuration, transport: any HTTPTransport) {
        let transport =
            transport
            ?? (transportLimits == RestClient.TransportLimits()
                ? PlatformTransport.shared : PlatformTransport.make(transportLimits))
        var configuration = self
        configuration.transport = transport
        return (configuration, transport)
    }

    /// The first setting with which no call can be sent.
    var problem: InvalidArgument? {
        transportLimits.problem ?? ServiceMap(services).problem ?? options.problem
    }
}

extension RestClient {
    /// The SDK's own version, by the rules of semantic versioning.
    public static let version = "0.1.0"
}

extension RestClient {
    /// Cancels every call that is under way; each ends with ``RestError/Code/cancelled``, once.
    ///
    /// Later calls are not touched.
    public func cancelAll() {
        runner.calls.cancelAll()
    }

    /// Ends the client: every call that is under way fails with ``RestError/Code/shutDown``, once, and so does every
    /// later one.
    ///
    /// Nobody is logged out, and the transport, which other clients may use, stays open. Shutting down twice does
    /// nothing.
    public func shutdown() {
        runner.calls.shutDown()
    }

    /// Whether the client was shut down.
    public var isShutDown: Bool { runner.calls.isShutDown }

    /// How many calls wait in the client's own line.
    package var waitingCalls: Int { runner.limiter.waiting }
}

extension RestClient {
    /// Renews the account's access token now, although no call was refused: before a long piece of work, or to test a
    /// login.
    ///
    /// Calls go on with the new token; when a renewal is under way already, this waits for that one.
    ///
    /// - Parameter timeout: how long to wait; `nil` takes the client's.
    /// - Returns: the new credential.
    /// - Throws: ``RestError/Code/refreshFailed`` when the server refuses, or when the login has no way to renew, in
    ///   which case the token in use stays in use; ``RestError/Code/loginFailed`` when it would have been the first
    ///   one.
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

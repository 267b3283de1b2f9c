// SPDX-License-Identifier: Apache-2.0

public import RestTransport

extension RestClient {
    /// All settings of a client but the login.
    ///
    /// It is a value and owns nothing. Set the properties that differ from the defaults. Their order does not matter, as
    /// it does in the initializer:
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
        public var limits: RateLimits
        /// When the client stops asking a server that keeps failing; `nil` never stops.
        public var circuitBreaker: CircuitBreakerPolicy?
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
            limits: RateLimits = RateLimits(),
            circuitBreaker: CircuitBreakerPolicy? = nil, redirectPolicy: RedirectPolicy = RedirectPolicy(),
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

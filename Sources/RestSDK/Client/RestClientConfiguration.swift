// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Everything about a client that is not the login.
public struct RestClientConfiguration: Sendable {
    /// The version of the REST API.
    public var apiVersion: APIVersion
    /// The `User-Agent` field.
    public var userAgent: String
    /// How long a call may take from `send` to its end, waiting for tokens and replays included.
    ///
    /// The server's own limit is 10 minutes, so raise it for calls that are known to take long.
    public var timeout: Duration
    /// How often a call is sent after a fault that passes.
    public var retryPolicy: RetryPolicy
    /// How much is asked of the org at most; by default as much as it takes.
    public var limits = RateLimits()
    /// When the client stops asking a server that keeps failing; `nil` never stops.
    public var circuitBreaker: CircuitBreakerPolicy?
    /// Which redirects are followed.
    public var redirectPolicy: RedirectPolicy
    /// Your own steps of the pipeline, outermost first.
    public var interceptors: [any Interceptor]
    /// Is told what happens to every call; `nil` tells nobody and costs nothing.
    public var eventSink: (any RestEventSink)?
    /// What sends the requests; the platform's transport with the ``transportLimits``, unless one of your own is set.
    public var transport: any HTTPTransport {
        get { ownTransport ?? limitedTransport ?? PlatformTransport.shared }
        set { ownTransport = newValue }
    }
    /// Times, sizes and connections of the platform's transport; a ``transport`` of your own has its own.
    ///
    /// With the defaults a client shares its connections with every other such client of the process. With other limits
    /// it shares them with the clients that are made with this configuration or a copy of it.
    public var transportLimits = TransportLimits() {
        didSet {
            guard transportLimits != oldValue else { return }
            limitedTransport = transportLimits == TransportLimits() ? nil : PlatformTransport.make(transportLimits)
        }
    }
    /// Measures time.
    public var clock: any MonotonicClock
    fileprivate var ownTransport: (any HTTPTransport)?
    private var limitedTransport: (any HTTPTransport)?

    /// Makes a configuration; every part has a default.
    ///
    /// Without a transport, the platform's own sends the requests within the ``transportLimits``.
    public init(
        apiVersion: APIVersion = .current, userAgent: String = "RestSDK/\(SDKVersion.current)",
        timeout: Duration = .seconds(60), retryPolicy: RetryPolicy = RetryPolicy(),
        redirectPolicy: RedirectPolicy = RedirectPolicy(),
        interceptors: [any Interceptor] = [],
        eventSink: (any RestEventSink)? = nil,
        transport: (any HTTPTransport)? = nil, clock: any MonotonicClock = ContinuousClock()
    ) {
        self.apiVersion = apiVersion
        self.userAgent = userAgent
        self.timeout = timeout
        self.retryPolicy = retryPolicy
        self.redirectPolicy = redirectPolicy
        self.interceptors = interceptors
        self.eventSink = eventSink
        ownTransport = transport
        self.clock = clock
    }
}

extension RestClientConfiguration {
    /// The first setting with which no call can be sent.
    var problem: InvalidArgument? { ownTransport == nil ? transportLimits.problem : nil }
}

/// The SDK's own version.
public enum SDKVersion {
    /// The version by the rules of semantic versioning.
    public static let current = "0.1.0"
}

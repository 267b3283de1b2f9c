// SPDX-License-Identifier: Apache-2.0

/// When a client stops asking a server that keeps failing, as data.
///
/// The figures are those of Polly, the breaker of the .NET clients.
public struct CircuitBreakerPolicy: Sendable, Hashable {
    /// The share of failed requests from which the circuit opens.
    public var failureRatio = 0.1
    /// How many requests there must be within the window before the share means anything.
    public var minimumRequests = 20
    /// The span over which requests are counted.
    public var window: Duration = .seconds(30)
    /// How long the circuit stays open before one request probes the server.
    public var pause: Duration = .seconds(5)

    /// The policy with its defaults.
    public init() {}
}

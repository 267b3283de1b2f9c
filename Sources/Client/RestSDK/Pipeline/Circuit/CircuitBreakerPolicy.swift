// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// When a client stops asking a server that keeps failing, as data.
///
/// The figures are those of Polly, the breaker of the .NET clients. A value that has no meaning counts as the nearest
/// that has one: a window below ten milliseconds, a share that is no number between zero and one, less than one
/// request.
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

    /// The policy with every value in its range.
    var bounded: CircuitBreakerPolicy {
        var policy = self
        policy.failureRatio = failureRatio.isNaN ? 1 : min(max(failureRatio, 0), 1)
        policy.minimumRequests = NumberRange.count.clamped(max(minimumRequests, 1))
        policy.window = max(window.bounded, .milliseconds(10))
        policy.pause = pause.bounded
        return policy
    }
}

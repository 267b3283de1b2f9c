// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

/// Stops sending requests to a server that keeps failing, except for single requests that test the server.
final class CircuitBreaking: Sendable {
    private let state: Mutex<CircuitState>
    private let clock: any MonotonicClock

    init(policy: RestClient.CircuitBreakerPolicy, clock: any MonotonicClock) {
        state = Mutex(CircuitState(policy: policy, at: clock.now))
        self.clock = clock
    }

    func intercept(
        _ request: HTTPRequest, context: RequestContext,
        next: (HTTPRequest) async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        guard !context.request.ignoresLimits else { return try await next(request) }
        let now = clock.now
        let admission = state.withLock { $0.admit(at: now) }
        try refuse(context.request, by: admission, at: now)
        let sentBefore = context.attemptCount
        do {
            let response = try await next(request)
            end(.succeeded, of: admission)
            return response
        } catch {
            end(error.circuitEnding(wasSent: context.attemptCount > sentBefore), of: admission)
            throw error
        }
    }

    /// Rejects a call that would have to wait before it is sent, if the circuit is open.
    func check(_ request: RestRequest) throws(RestError) {
        guard !request.ignoresLimits else { return }
        let now = clock.now
        // Asks a copy of the state, because nothing is sent yet.
        var state = state.withLock { $0 }
        try refuse(request, by: state.admit(at: now), at: now)
    }

    private func refuse(
        _ request: RestRequest, by admission: CircuitState.Admission, at now: ContinuousClock.Instant
    ) throws(RestError) {
        guard case .refuse(let end) = admission else { return }
        throw RestError(circuitOpenFor: end.map { $0 - now }, isWrite: request.isWrite)
    }

    private func end(_ ending: CircuitState.Ending, of admission: CircuitState.Admission) {
        let now = clock.now
        state.withLock { $0.ended(ending, of: admission, at: now) }
    }
}

extension RestError {
    fileprivate init(circuitOpenFor remaining: Duration?, isWrite: Bool) {
        let wait =
            remaining.map { "the next attempt is in \($0)" }
            ?? "another call is checking whether the server is available"
        self.init(
            .circuitOpen, "not sent, because the server keeps failing; \(wait)", outcome: isWrite ? .notApplied : nil)
    }

    /// Returns the meaning of the error for the circuit, which is `silent` if the call failed before it was sent.
    fileprivate func circuitEnding(wasSent: Bool) -> CircuitState.Ending {
        guard wasSent else { return .silent }
        return switch code {
        case .notConnected, .transport, .tls, .timedOut, .server: .failed
        case .rateLimited: response == nil ? .silent : .failed
        default: response == nil ? .silent : .succeeded
        }
    }
}

extension RestClient {
    /// The conditions under which a client stops sending requests to a server that keeps failing.
    ///
    /// The defaults are those of Polly, the circuit breaker of .NET. Values are clamped to their ranges: at least ten
    /// milliseconds, at least one request, and a ratio from 0 to 1.
    public struct CircuitBreakerPolicy: Sendable, Hashable {
        /// The ratio of failed requests at which the circuit opens.
        public var failureRatio = 0.1
        /// The minimum number of requests in the window for the ratio to apply.
        public var minimumRequests = 20
        /// The time span in which requests are counted.
        public var window: Duration = .seconds(30)
        /// The time for which the circuit stays open before one request tests the server.
        public var pause: Duration = .seconds(5)

        /// Creates the default policy.
        public init() {}

        /// The policy with all values clamped to their ranges.
        var bounded: RestClient.CircuitBreakerPolicy {
            var policy = self
            policy.failureRatio = failureRatio.isNaN ? 1 : min(max(failureRatio, 0), 1)
            policy.minimumRequests = NumberRange.count.clamped(max(minimumRequests, 1))
            policy.window = max(window.bounded, .milliseconds(10))
            policy.pause = pause.bounded
            return policy
        }
    }
}

/// The rules of the circuit breaker, as a value without I/O, clocks or locks.
struct CircuitState {
    enum Phase: Equatable {
        /// Requests pass and are counted.
        case closed
        /// Requests are rejected until this time, after which the first request is the probe.
        case open(until: ContinuousClock.Instant)
        /// The probe is in flight and decides the next phase, while other requests are rejected.
        case probing
    }

    enum Admission: Equatable {
        case pass
        /// The request passes as the probe.
        case probe
        /// The request is rejected, and the next probe is at this time, or after the present probe.
        case refuse(until: ContinuousClock.Instant?)
    }

    /// The result of a request for the circuit.
    enum Ending: Equatable {
        case succeeded
        case failed
        /// The request was cancelled or failed in the client, which says nothing about the server.
        case silent
    }

    /// The counts of a tenth of the window.
    private struct Slice {
        let number: Int64
        var requests = 0
        var failures = 0
    }

    private let policy: RestClient.CircuitBreakerPolicy
    private let start: ContinuousClock.Instant
    private(set) var phase = Phase.closed
    private var slices: [Slice] = []

    init(policy: RestClient.CircuitBreakerPolicy, at now: ContinuousClock.Instant) {
        self.policy = policy.bounded
        start = now
    }

    mutating func admit(at now: ContinuousClock.Instant) -> Admission {
        switch phase {
        case .closed: return .pass
        case .probing: return .refuse(until: nil)
        case .open(let end) where now < end: return .refuse(until: end)
        case .open:
            phase = .probing
            return .probe
        }
    }

    mutating func ended(_ ending: Ending, of admission: Admission, at now: ContinuousClock.Instant) {
        switch (admission, ending) {
        case (.probe, .succeeded):
            phase = .closed
            slices = []
        case (.probe, .failed): phase = .open(until: now + policy.pause)
        case (.probe, .silent): phase = .open(until: now)
        case (.pass, .succeeded), (.pass, .failed): count(ending, at: now)
        case (.pass, .silent), (.refuse, _): break
        }
    }

    /// Counts a result while the circuit is closed, so that requests from before it opened are ignored.
    private mutating func count(_ ending: Ending, at now: ContinuousClock.Instant) {
        guard phase == .closed else { return }
        let number = Int64((now - start) / (policy.window / 10))
        slices.removeAll { $0.number <= number - 10 }
        if slices.last?.number != number { slices.append(Slice(number: number)) }
        slices[slices.count - 1].requests += 1
        if ending == .failed { slices[slices.count - 1].failures += 1 }
        let requests = slices.reduce(0) { $0 + $1.requests }
        let failures = slices.reduce(0) { $0 + $1.failures }
        guard requests >= policy.minimumRequests, Double(failures) >= policy.failureRatio * Double(requests),
            failures > 0
        else { return }
        phase = .open(until: now + policy.pause)
        slices = []
    }
}

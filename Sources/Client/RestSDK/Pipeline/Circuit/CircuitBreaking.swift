// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Stops asking a server that keeps failing, and lets one request at a time find out whether it is back.
final class CircuitBreaking: Sendable {
    private let state: Mutex<CircuitState>
    private let clock: any MonotonicClock

    init(policy: CircuitBreakerPolicy, clock: any MonotonicClock) {
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

    /// Refuses a call that would have to wait before it is sent, if the circuit is open now.
    func check(_ request: RestRequest) throws(RestError) {
        guard !request.ignoresLimits else { return }
        let now = clock.now
        // Asked of a copy, because nothing is sent yet.
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
        let wait = remaining.map { "the next try is in \($0)" } ?? "one call is checking whether it is back"
        self.init(.circuitOpen, "not sent: the server keeps failing; \(wait)", outcome: isWrite ? .notApplied : nil)
    }

    /// What the failure says about the server.
    ///
    /// A call that failed before it was sent, in the client's own line or for want of a token, says nothing.
    fileprivate func circuitEnding(wasSent: Bool) -> CircuitState.Ending {
        guard wasSent else { return .silent }
        return switch code {
        case .notConnected, .transport, .tls, .timedOut, .server: .failed
        case .rateLimited: response == nil ? .silent : .failed
        default: response == nil ? .silent : .succeeded
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport
import Synchronization

/// What really happened to a scheduled call.
struct ScheduledTruth {
    /// How often the call was sent, without the requests for tokens.
    var sends = 0
    /// How often the server applied it.
    var applications = 0
    /// What the caller may be told.
    private(set) var allowed: Set<CallKind> = []
    private var isDecided = false

    /// What the caller is told if nothing else happens.
    mutating func allow(_ kinds: CallKind...) {
        if !isDecided { allowed = Set(kinds) }
    }

    /// What the caller is told whatever happens then.
    mutating func decide(_ kind: CallKind) {
        allow(kind)
        isDecided = true
    }

    /// Whether what the caller was told of a write is true; not knowing is always true.
    func agrees(with callback: RecordingDelegate.Callback) -> Bool {
        switch callback {
        case .loaded: return applications > 0
        case .cancelled, .timedOut: return true
        case .failed(let error):
            switch error.outcome {
            case .applied: return applications > 0
            case .notApplied: return applications == 0
            case .unknown: return true
            case nil: return false
            }
        }
    }
}

/// A network and a token endpoint that a seed drives, and that cancel the call or let its time pass at any of its
/// steps.
final class ScheduledNetwork: HTTPTransport {
    private struct State {
        var random: SeededGenerator
        var truth = ScheduledTruth()
        var wasInterrupted = false
        var isLate = false
        var cancel: (@Sendable () -> Void)?
    }

    /// What happens to the call while it is with the network.
    private enum Interruption {
        case cancel, deadline
    }

    private enum Answer: CaseIterable {
        case success, page, expired, missing, throttled, failing, lost, refused, silence
    }

    private let state: Mutex<State>
    private let clock: ManualClock

    init(seed: UInt64, clock: ManualClock) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        self.clock = clock
    }

    var truth: ScheduledTruth { state.withLock { $0.truth } }

    /// Tells how the call is cancelled.
    func setCancel(_ cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

    func shutdown() async {}

    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> HTTPResponse {
        // The call may have been faster than its caller.
        while state.withLock({ $0.cancel == nil }) { await Task.yield() }
        let isToken = request.url.path.hasSuffix("/token")
        let answer = draw(isToken: isToken)
        let interruption = interruption(during: answer)
        interrupt(interruption)
        return isToken ? try token(answer) : try call(answer, interruption)
    }

    /// Most answers are good, so that calls get far.
    private func draw(isToken: Bool) -> Answer {
        state.withLock { state in
            let isGood = state.random.unit() < (isToken ? 0.75 : 0.35)
            return isGood ? .success : Answer.allCases.randomElement(using: &state.random) ?? .success
        }
    }

    /// One interruption per call; silence ends with one.
    private func interruption(during answer: Answer) -> Interruption? {
        state.withLock { state in
            let isDue = answer == .silence || state.random.unit() < 0.15
            guard isDue, !state.wasInterrupted else { return nil }
            state.wasInterrupted = true
            let interruption = Bool.random(using: &state.random) ? Interruption.cancel : .deadline
            guard interruption == .deadline else {
                state.truth.decide(.cancelled)
                return interruption
            }
            // Told before the clock moves: whoever waits for a token may hear of it at once.
            state.isLate = true
            state.truth.allow(.timedOut)
            return interruption
        }
    }

    private func interrupt(_ interruption: Interruption?) {
        switch interruption {
        case .cancel: state.withLock { $0.cancel }?()
        case .deadline: clock.advance(by: .seconds(61))
        case nil: break
        }
    }

    private func token(_ answer: Answer) throws(TransportError) -> HTTPResponse {
        let failure: CallKind
        let response: HTTPResponse?
        switch answer {
        case .success, .page, .silence, .expired:
            state.withLock { if $0.isLate { $0.truth.allow(.timedOut) } }
            return .json(200, #"{"access_token":"a","instance_url":"https://example.my.salesforce.com"}"#)
        case .missing: (failure, response) = (.failed(.refreshFailed), .json(400, #"{"error":"invalid_grant"}"#))
        case .throttled, .failing: (failure, response) = (.failed(.server), .json(503, ""))
        case .lost: (failure, response) = (.failed(.transport), nil)
        case .refused: (failure, response) = (.failed(.notConnected), nil)
        }
        // A waiter whose time is up may be told so before the flight's failure.
        state.withLock { state in
            state.truth.allow(failure)
            if state.isLate { state.truth.allow(failure, .timedOut) }
        }
        guard let response else {
            throw TransportError(
                answer == .lost ? .connectionLost : .notConnected, "schedule", mayHaveReachedServer: answer == .lost)
        }
        return response
    }

    private func call(
        _ answer: Answer, _ interruption: Interruption?
    ) throws(TransportError) -> HTTPResponse {
        let (breaksOff, reaches) = state.withLock { state in
            state.truth.sends += 1
            let reaches = Bool.random(using: &state.random)
            let breaksOff = interruption != nil && (answer == .silence || Bool.random(using: &state.random))
            return (breaksOff, reaches)
        }
        if breaksOff {
            apply(if: reaches)
            if interruption == .deadline { state.withLock { $0.truth.decide(.timedOut) } }
            throw TransportError(
                interruption == .deadline ? .timedOut : .cancelled, "schedule", mayHaveReachedServer: reaches)
        }
        return try respond(answer, reaches)
    }

    private func apply(if isApplied: Bool) {
        if isApplied { state.withLock { $0.truth.applications += 1 } }
    }

    private func respond(_ answer: Answer, _ reaches: Bool) throws(TransportError) -> HTTPResponse {
        switch answer {
        case .success, .silence:
            apply(if: true)
            return end(.loaded, .json(200, #"{"id":"001000000000001","success":true}"#))
        case .page:
            apply(if: true)
            return end(.failed(.decoding), .json(200, "<h1>maintenance</h1>"))
        case .expired:
            // Late, the wait for a new token times out at once, unless the call was replayed before.
            state.withLock { state in
                state.truth.allow(.failed(.unauthorized))
                if state.isLate { state.truth.allow(.failed(.unauthorized), .timedOut) }
            }
            return .json(401, #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]"#)
        case .missing: return end(.failed(.notFound), .json(404, ""))
        case .throttled:
            apply(if: reaches)
            return end(.failed(.server), .json(503, "", ["Retry-After": "1"]))
        case .failing:
            apply(if: reaches)
            return end(.failed(.server), .json(500, ""))
        case .lost:
            apply(if: reaches)
            state.withLock { $0.truth.allow(.failed(.transport)) }
            throw TransportError(.connectionLost, "schedule", mayHaveReachedServer: true)
        case .refused:
            state.withLock { $0.truth.allow(.failed(.notConnected)) }
            throw TransportError(.notConnected, "schedule", mayHaveReachedServer: false)
        }
    }

    private func end(_ kind: CallKind, _ response: HTTPResponse) -> HTTPResponse {
        state.withLock { $0.truth.allow(kind) }
        return response
    }
}

extension HTTPResponse {
    fileprivate static func json(_ status: Int, _ body: String, _ fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(head: HTTPResponseHead(status: status, fields: fields), body: Array(body.utf8))
    }
}

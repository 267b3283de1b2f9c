// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport
import Synchronization

/// Decides randomly what happens to one call at each wait, and records what really happened.
final class ScheduleDirector: Sendable {
    private struct State {
        var random: SeededGenerator
        var truth = ScheduledTruth()
        var handlerAsked = false
        var call: ScheduledCall?
    }

    /// The probability that a call is ended at a wait.
    private static let chance = 0.12

    private let state: Mutex<State>
    private let clock: ManualClock
    /// Blocks app code that ignores the end of its call.
    let gate = Gate()

    init(seed: UInt64, clock: ManualClock) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        self.clock = clock
    }

    var truth: ScheduledTruth { state.withLock { $0.truth } }

    /// Sets the call, for which earlier steps wait.
    func begin(_ call: ScheduledCall) {
        state.withLock { $0.call = call }
    }

    func draw<Value>(_ body: (inout SeededGenerator) -> Value) -> Value where Value: Sendable {
        state.withLock { body(&$0.random) }
    }

    func note(_ change: (inout ScheduledTruth) -> Void) {
        state.withLock { change(&$0.truth) }
    }

    /// Records that a handler requested the next wait.
    func handlerAsksForWait() {
        state.withLock { $0.handlerAsked = true }
    }

    /// Called when the call is at a place where it can be ended: once, and always if nothing else can end it.
    ///
    /// - Returns: the interruption at this place.
    @discardableResult
    func visit(_ place: ScheduledPlace, isCertain: Bool = false) async -> ScheduledInterruption? {
        let call = await call
        let interruption = state.withLock { state -> ScheduledInterruption? in
            let isDue = isCertain || state.random.unit() < Self.chance
            guard isDue, state.truth.ending == nil else { return nil }
            let interruption: [ScheduledInterruption] = [.cancel, .deadline, .shutDown]
            let chosen = interruption.randomElement(using: &state.random) ?? .cancel
            state.truth.end(at: place, by: chosen)
            return chosen
        }
        switch interruption {
        case .cancel: call.cancel()
        case .deadline: clock.advance(by: .seconds(61))
        case .shutDown: call.client?.shutdown()
        case .cancelAnytime, nil: break
        }
        return interruption
    }

    /// Called for a short sleep of the call itself, or of the client for its queue.
    func visitSleep() async {
        let call = await call
        guard call.client?.waitingCalls ?? 0 == 0 else { return _ = await visit(.line) }
        let isForHandler = state.withLock { state in
            defer { state.handlerAsked = false }
            return state.handlerAsked
        }
        await visit(isForHandler ? .handlerWait : .backOff)
    }

    /// Sometimes cancels the call at a random time.
    func cancelAnytime() async {
        let steps = state.withLock { state -> Int? in
            guard state.random.unit() < 0.05 else { return nil }
            return Int.random(in: 0..<40, using: &state.random)
        }
        guard let steps else { return }
        for _ in 0..<steps { await Task.yield() }
        let call = await call
        let isFirst = state.withLock { state in
            guard state.truth.ending == nil else { return false }
            state.truth.end(at: .anywhere, by: .cancelAnytime)
            return true
        }
        if isFirst { call.cancel() }
    }

    private var call: ScheduledCall {
        get async {
            while true {
                if let call = state.withLock({ $0.call }) { return call }
                await Task.yield()
            }
        }
    }
}

struct ScheduledCall: Sendable {
    /// Weak, because the client's network, clock and app retain the director.
    weak let client: RestClient?
    let cancel: @Sendable () -> Void
}

/// The app's interceptor and error handler of a scheduled call.
///
/// They may end the call, change its outcome or never return.
struct ScheduledApp: Interceptor {
    /// The parts of a client in addition to the SDK's own steps.
    struct Parts: Sendable {
        let hasInterceptor: Bool
        let hasHandler: Bool
        let breaksCircuit: Bool
        let isPaced: Bool

        /// Draws the parts of a client, half of which have no app code.
        init(using random: inout SeededGenerator) {
            hasInterceptor = random.unit() < 0.35
            hasHandler = random.unit() < 0.35
            breaksCircuit = random.unit() < 0.2
            isPaced = random.unit() < 0.4
        }

        /// Three attempts and one replay, and three attempts for each of three retries by a handler.
        var maximumSends: Int { hasHandler ? 4 * 3 + 1 : 4 }
    }

    private static let code = RestError.Code(rawValue: "app")

    let director: ScheduleDirector

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse {
        await pause(.interceptorBefore)
        if director.draw({ $0.unit() }) < 0.05 {
            director.note { $0.heard(.failed(Self.code)) }
            throw RestError(Self.code, "not today", outcome: context.request.isWrite ? .notApplied : nil)
        }
        do {
            let response = try await next(request)
            await pause(.interceptorAfter)
            return response
        } catch {
            await pause(.interceptorAfter)
            throw error
        }
    }

    func decision(on error: RestError) async -> RestClient.FailedCall.Decision {
        await pause(.handler)
        switch director.draw({ Int.random(in: 0..<6, using: &$0) }) {
        case 0, 1:
            director.handlerAsksForWait()
            return .retry(after: .milliseconds(director.draw { Int.random(in: 0...2_000, using: &$0) }))
        case 2:
            director.note { $0.heard(.failed(Self.code)) }
            return .replace(with: RestError(Self.code, "replaced", outcome: error.outcome, underlying: error))
        default: return .propagate
        }
    }

    /// A place where the call can be ended, which app code often ignores.
    private func pause(_ place: ScheduledPlace) async {
        guard await director.visit(place) != nil, director.draw({ $0.unit() }) < 0.5 else { return }
        await director.gate.pass()
    }
}

/// A clock that advances immediately, and on which a call can be ended during a short sleep.
struct ScheduledClock: MonotonicClock {
    /// Longer sleeps wait for deadlines.
    static let longestWait = Duration.seconds(30)

    let base: ManualClock
    let director: ScheduleDirector

    var now: ContinuousClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let duration = deadline - base.now
        if duration > .zero, duration <= Self.longestWait { await director.visitSleep() }
        try await base.sleep(until: deadline, tolerance: tolerance)
    }
}

/// A network and a token endpoint controlled by a director.
struct ScheduledNetwork: HTTPTransport {
    private enum Response: CaseIterable, Sendable {
        case success, page, expired, missing, throttled, failing, lost, refused, silence
    }

    let director: ScheduleDirector

    func shutdown() async {}

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let isToken = request.url.path.hasSuffix("/token")
        if !isToken { director.note { $0.sent() } }
        let response = draw(isToken: isToken)
        let interruption = await director.visit(isToken ? .token : .flight, isCertain: response == .silence)
        return isToken ? try token(response) : try call(response, interruption)
    }

    /// Most responses are successful, so that calls make progress.
    private func draw(isToken: Bool) -> Response {
        director.draw { random in
            let isGood = random.unit() < (isToken ? 0.75 : 0.35)
            return isGood ? .success : Response.allCases.randomElement(using: &random) ?? .success
        }
    }

    private func token(_ response: Response) throws(TransportError) -> HTTPResponse {
        switch response {
        case .success, .page, .silence, .expired:
            director.note { $0.loggedIn() }
            let nothing = director.draw { ["null", #""""#].randomElement(using: &$0) ?? "null" }
            let members = ["error", "token_type", "refresh_token", "id", "scope"].map { #","\#($0)":\#(nothing)"# }
            let instance = #""instance_url":"https://example.my.salesforce.com""#
            return .json(200, #"{"access_token":"a",\#(instance)\#(members.joined())}"#)
        case .missing:
            director.note { $0.loginRefused() }
            return .json(400, #"{"error":"invalid_grant"}"#)
        case .throttled, .failing:
            director.note { $0.heard(.failed(.server)) }
            return .json(503, "")
        case .lost:
            director.note { $0.heard(.failed(.transport)) }
            throw TransportError(.connectionLost, "schedule", mayHaveReachedServer: true)
        case .refused:
            director.note { $0.heard(.failed(.notConnected)) }
            throw TransportError(.notConnected, "schedule", mayHaveReachedServer: false)
        }
    }

    private func call(_ response: Response, _ interruption: ScheduledInterruption?) throws(TransportError)
        -> HTTPResponse
    {
        let reaches = director.draw { Bool.random(using: &$0) }
        let breaksOff = director.draw { Bool.random(using: &$0) } || response == .silence
        guard let interruption, breaksOff else { return try respond(response, reaches) }
        let isLate = interruption == .deadline
        director.note { truth in
            truth.attemptEnded(isApplied: reaches, knownAs: reaches ? .unknown : .notApplied)
            truth.heard(isLate ? .timedOut : .cancelled)
        }
        throw TransportError(isLate ? .timedOut : .cancelled, "schedule", mayHaveReachedServer: reaches)
    }

    private func respond(_ response: Response, _ reaches: Bool) throws(TransportError) -> HTTPResponse {
        switch response {
        case .success, .silence:
            return end(.loaded, true, .applied, .json(200, #"{"id":"001000000000001","success":true}"#))
        case .page: return end(.failed(.decoding), true, .applied, .json(200, "<h1>maintenance</h1>"))
        case .expired:
            let body = #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]"#
            return end(.failed(.unauthorized), false, .notApplied, .json(401, body))
        case .missing: return end(.failed(.notFound), false, .notApplied, .json(404, ""))
        case .throttled: return end(.failed(.server), reaches, .unknown, .json(503, "", ["Retry-After": "1"]))
        case .failing: return end(.failed(.server), reaches, .unknown, .json(500, ""))
        case .lost:
            director.note { truth in
                truth.attemptEnded(isApplied: reaches, knownAs: .unknown)
                truth.heard(.failed(.transport))
            }
            throw TransportError(.connectionLost, "schedule", mayHaveReachedServer: true)
        case .refused:
            director.note { $0.heard(.failed(.notConnected)) }
            throw TransportError(.notConnected, "schedule", mayHaveReachedServer: false)
        }
    }

    private func end(
        _ kind: CallKind, _ isApplied: Bool, _ outcome: RestError.WriteOutcome, _ response: HTTPResponse
    ) -> HTTPResponse {
        director.note { truth in
            truth.attemptEnded(isApplied: isApplied, knownAs: outcome)
            truth.heard(kind)
        }
        return response
    }
}

extension HTTPResponse {
    fileprivate static func json(_ status: Int, _ body: String, _ fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status, fields: fields), body: Array(body.utf8))
    }
}

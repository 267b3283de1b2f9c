// SPDX-License-Identifier: Apache-2.0

package import RestSDK
package import RestTesting
package import RestTransport
import Synchronization

/// One call through random interceptors and error handlers of an app, over a network that records what was applied.
///
/// The pipeline is the real one. Interceptors call `next` up to three times, return their own response, throw, replace
/// errors, wait, and ignore the end of the call.
package struct InterceptorSchedule: Sendable {
    private let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Runs the call.
    ///
    /// - Returns: the errors found.
    package func run() async throws -> [String] {
        let clock = ManualClock(alarmsBeyond: .seconds(30))
        let requests = Self.requests
        let request = requests[Int(seed % UInt64(requests.count))]
        let stage = InterceptorStage(seed: seed, request, clock)
        let client = try client(stage, clock)
        let task = Task { () -> Result<RestResponse, RestError> in
            do throws(RestError) { return .success(try await client.send(request)) } catch { return .failure(error) }
        }
        stage.begin { task.cancel() }
        let result = await task.value
        // Abandoned code of the app continues and must have no effect.
        while stage.isBusy { await Task.yield() }
        return stage.faults(of: result)
    }

    private static let requests: [RestRequest] = [
        .create("Account", ["Name": "A"]), .upsert("Account", externalID: "E__c", "1", ["Name": "A"]),
        .create("Account", ["Name": "A"]), .plainLimits,
    ]

    private func client(_ stage: InterceptorStage, _ clock: ManualClock) throws -> RestClient {
        let hasOuter = stage.chance(0.4)
        let inner = RandomInterceptor(stage: stage, isOutermost: !hasOuter, isInnermost: true)
        let outer = RandomInterceptor(stage: stage, isOutermost: true, isInnermost: false)
        let client = try RestClient(
            loginURL: "https://example.my.salesforce.com", clientID: "id", clientSecret: "secret",
            configuration: RestClient.Configuration(
                interceptors: hasOuter ? [outer, inner] : [inner], transport: TruthfulNetwork(stage: stage),
                clock: clock))
        guard stage.chance(0.6) else { return client }
        client.onError(of: RestError.self) { error, _ in stage.decision(on: error) }
        return client
    }
}

/// An app's interceptor with random behavior.
private struct RandomInterceptor: Interceptor {
    let stage: InterceptorStage
    let isOutermost: Bool
    let isInnermost: Bool

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse {
        stage.enters(isOutermost: isOutermost)
        defer { stage.leaves() }
        await stage.pause()
        if stage.chance(0.05) { throw InterceptorStage.appError }
        var responses: [HTTPResponse] = []
        var failure: RestError?
        for _ in 0..<stage.draw([0, 1, 1, 1, 2, 2, 3]) {
            await stage.pause()
            do {
                responses.append(try await send(request, next))
                failure = nil
            } catch {
                failure = error
                if stage.chance(0.3) { break }
            }
        }
        await stage.pause()
        return try result(responses, failure)
    }

    private func send(_ request: HTTPRequest, _ next: Next) async throws(RestError) -> HTTPResponse {
        guard isInnermost else { return try await next(request) }
        let before = stage.counts
        defer { stage.checkNext(since: before) }
        return try await next(request)
    }

    /// The interceptor's own result.
    private func result(_ responses: [HTTPResponse], _ failure: RestError?) throws(RestError) -> HTTPResponse {
        switch stage.draw(Array(0..<10)) {
        case 0: return stage.ownResponse()
        case 1: throw InterceptorStage.appError
        case 2: throw InterceptorStage.swappedError
        case 3, 4: if let first = responses.first { return first }
        case 5:
            if var last = responses.last {
                last.head.fields["X-App"] = "seen"
                return last
            }
        default: break
        }
        if let failure { throw failure }
        return responses.last ?? stage.ownResponse()
    }
}

/// A server and a token endpoint with random responses.
private struct TruthfulNetwork: HTTPTransport {
    private enum Response: CaseIterable {
        case created, createdAndLost, lost, neverLeft, expired, unavailable, failing, refused, missing, throttled
        case timedOut, falseSuccess, faulty, page
    }

    let stage: InterceptorStage

    func shutdown() async {}

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard !request.url.path.hasSuffix("/token") else {
            guard stage.chance(0.9) else { return .json(503, "") }
            return .json(200, #"{"access_token":"a","instance_url":"https://example.my.salesforce.com"}"#)
        }
        stage.sends()
        if stage.chance(0.04) { stage.endCall() }
        if Task.isCancelled, stage.chance(0.5) {
            stage.apply(stage.chance(0.5))
            throw TransportError(.cancelled, "schedule", mayHaveReachedServer: true)
        }
        return try respond(stage.chance(0.35) ? .created : stage.draw(Response.allCases))
    }

    private func respond(_ response: Response) throws(TransportError) -> HTTPResponse {
        switch response {
        case .created:
            stage.apply(true)
            return .json(201, #"{"id":"001000000000001","success":true,"errors":[]}"#)
        case .page:
            stage.apply(true)
            return .json(200, "<h1>maintenance</h1>")
        case .createdAndLost, .lost:
            stage.apply(response == .createdAndLost)
            throw TransportError(.connectionLost, "schedule", mayHaveReachedServer: true)
        case .timedOut:
            stage.apply(stage.chance(0.5))
            throw TransportError(.timedOut, "schedule", mayHaveReachedServer: true)
        case .neverLeft: throw TransportError(.notConnected, "schedule", mayHaveReachedServer: false)
        case .expired:
            return .json(401, #"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]"#)
        case .unavailable, .failing:
            stage.apply(stage.chance(0.5))
            return .json(response == .failing ? 500 : 503, "")
        case .refused: return .json(400, #"[{"errorCode":"REQUIRED_FIELD_MISSING","message":"Name"}]"#)
        case .missing: return .json(404, "")
        case .throttled: return .json(429, "")
        case .falseSuccess:
            return .json(200, #"{"success":false,"errors":[{"statusCode":"DUPLICATE_VALUE","message":"twice"}]}"#)
        case .faulty:
            stage.apply(stage.chance(0.5))
            return .json(200, #"[{"errorCode":"UNKNOWN_EXCEPTION","message":"gateway"}]"#)
        }
    }
}

extension HTTPResponse {
    static func json(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status), body: Array(body.utf8))
    }
}

/// Draws the events of one call, and records what really happened.
final class InterceptorStage: Sendable {
    struct Counts {
        var sends = 0
        var applications = 0
    }

    private struct State {
        var random: SeededGenerator
        var counts = Counts()
        var passes = 0
        var active = 0
        /// Whether an interceptor returned success for a write, or a status that does not show the outcome.
        var hasClaim = false
        var isOpen = false
        var cancel: (@Sendable () -> Void)?
        var faults: [String] = []
    }

    /// An app's error that does not report a write outcome.
    static let appError = RestError(.init(rawValue: "app"), "not today")
    /// An app's error that reports a transport that sent nothing.
    static let swappedError = RestError(
        .notConnected, "swapped",
        underlying: TransportError(.notConnected, "swapped", mayHaveReachedServer: false))
    private static let statuses = [200, 201, 204, 304, 302, 400, 401, 403, 404, 409, 429, 500, 502, 503]

    private let state: Mutex<State>
    private let request: RestRequest
    private let clock: ManualClock

    init(seed: UInt64, _ request: RestRequest, _ clock: ManualClock) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        self.request = request
        self.clock = clock
    }

    func draw<Value: Sendable>(_ values: [Value]) -> Value {
        state.withLock { values[Int.random(in: 0..<values.count, using: &$0.random)] }
    }

    func chance(_ share: Double) -> Bool { state.withLock { $0.random.unit() < share } }

    /// Called at the beginning of the call with the function that cancels it.
    func begin(_ cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

    /// Cancels the call or exceeds its timeout.
    func endCall() {
        guard chance(0.5) else { return clock.advance(by: .seconds(61)) }
        state.withLock(\.cancel)?()
    }

    /// Waits for other tasks, for the clock, or not at all, and sometimes ends the call.
    func pause() async {
        switch draw(Array(0..<16)) {
        case 0: for _ in 0..<3 { await Task.yield() }
        case 1: try? await clock.sleep(until: clock.now + .seconds(1), tolerance: nil)
        case 2: if chance(0.3) { endCall() }
        default: break
        }
    }

    func decision(on error: RestError) -> RestClient.FailedCall.Decision {
        switch draw(Array(0..<6)) {
        case 0, 1, 2: .retry(after: .milliseconds(10))
        case 3: .replace(with: Self.appError)
        case 4: .replace(with: Self.swappedError)
        default: .propagate
        }
    }

    func ownResponse() -> HTTPResponse {
        let status = draw(Self.statuses)
        let isFault = status >= 400
        state.withLock { $0.hasClaim = $0.hasClaim || status < 300 || status == 304 }
        state.withLock { $0.isOpen = $0.isOpen || status >= 500 }
        return .json(status, isFault ? #"[{"errorCode":"APP","message":"own"}]"# : #"{"id":"own","success":true}"#)
    }
}

extension InterceptorStage {
    var counts: Counts { state.withLock(\.counts) }
    var isBusy: Bool { state.withLock { $0.active > 0 } }

    func sends() {
        state.withLock { state in
            state.counts.sends += 1
            // After a request was sent, the outcome is unknown unless the response shows it.
            state.isOpen = true
        }
    }

    func apply(_ isApplied: Bool) { state.withLock { $0.counts.applications += isApplied ? 1 : 0 } }

    /// Called when an interceptor is entered.
    ///
    /// Passes after the first are retries by the SDK.
    func enters(isOutermost: Bool) {
        state.withLock { state in
            state.active += 1
            guard isOutermost else { return }
            state.passes += 1
            guard state.passes > 1, state.counts.applications > 0, !request.isIdempotent else { return }
            state.faults.append("pass \(state.passes) after \(state.counts.applications) applications")
        }
    }

    func leaves() { state.withLock { $0.active -= 1 } }

    /// Verifies that one `next` applies a write at most once, and does not repeat a write that was already applied.
    func checkNext(since before: Counts) {
        state.withLock { state in
            let applied = state.counts.applications - before.applications
            let sent = state.counts.sends - before.sends
            guard !request.isIdempotent, applied > 1 || (before.applications > 0 && sent > 1) else { return }
            state.faults.append("one 'next' sent \(sent) times and applied \(applied) times")
        }
    }

    /// Returns the errors found for a result.
    func faults(of result: Result<RestResponse, RestError>) -> [String] {
        let state = state.withLock { ($0.faults, $0.counts, $0.hasClaim, $0.isOpen) }
        var (faults, counts, hasClaim, isOpen) = state
        let isTrue =
            switch result {
            case .success: !request.isWrite || counts.applications > 0 || hasClaim
            case .failure(let error):
                switch error.outcome {
                case nil: !request.isWrite
                case .notApplied: counts.applications == 0
                case .applied: counts.applications > 0 || hasClaim
                case .unknown: isOpen
                }
            }
        if !isTrue { faults.append("\(counts.applications) applications, told \(result)") }
        return faults
    }
}

/// An interceptor that waits at a gate even after its call has ended.
package struct GatedInterceptor: Interceptor {
    private let gate: Gate

    /// Creates an interceptor that continues when the gate opens.
    package init(gate: Gate) {
        self.gate = gate
    }

    package func intercept(
        _ request: HTTPRequest, context: RequestContext, next: Next
    ) async throws(RestError) -> HTTPResponse {
        await gate.pass()
        return try await next(request)
    }
}

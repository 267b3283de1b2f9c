// SPDX-License-Identifier: Apache-2.0

package import RestSDK
package import RestTesting
package import RestTransport
import Synchronization

/// Draws what happens to one call, and records what really happened.
final class InterceptorStage: Sendable {
    /// How much was sent and applied so far.
    struct Counts {
        var sends = 0
        var applications = 0
    }

    private struct State {
        var random: SeededGenerator
        var counts = Counts()
        var passes = 0
        /// The interceptors at work.
        var active = 0
        /// Whether an interceptor answered a write with a success, or with a status that leaves it open.
        var hasClaim = false
        var isOpen = false
        var cancel: (@Sendable () -> Void)?
        var faults: [String] = []
    }

    /// An error of the app that says nothing about a write.
    static let appError = RestError(.init(rawValue: "app"), "not today")
    /// An error of the app that blames a transport which sent nothing.
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

    /// The call has begun; this cancels it.
    func begin(_ cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

    /// Cancels the call or lets its deadline pass.
    func endCall() {
        guard chance(0.5) else { return clock.advance(by: .seconds(61)) }
        state.withLock(\.cancel)?()
    }

    /// Waits for nothing, for others, or on the clock; at times the call is ended here.
    func pause() async {
        switch draw(Array(0..<16)) {
        case 0: for _ in 0..<3 { await Task.yield() }
        case 1: try? await clock.sleep(until: clock.now + .seconds(1), tolerance: nil)
        case 2: if chance(0.3) { endCall() }
        default: break
        }
    }

    /// What the handler of errors decides.
    func decision(on error: RestError) -> FailedCall.Decision {
        switch draw(Array(0..<6)) {
        case 0, 1, 2: .retry(after: .milliseconds(10))
        case 3: .replace(with: Self.appError)
        case 4: .replace(with: Self.swappedError)
        default: .propagate
        }
    }

    /// An answer that an interceptor makes.
    func ownAnswer() -> HTTPResponse {
        let status = draw(Self.statuses)
        let isFault = status >= 400
        state.withLock { $0.hasClaim = $0.hasClaim || status < 300 || status == 304 }
        state.withLock { $0.isOpen = $0.isOpen || status >= 500 }
        return .json(status, isFault ? #"[{"errorCode":"APP","message":"own"}]"# : #"{"id":"own","success":true}"#)
    }
}

/// What really happened.
extension InterceptorStage {
    var counts: Counts { state.withLock(\.counts) }
    /// Whether code of the app is still at work.
    var isBusy: Bool { state.withLock { $0.active > 0 } }

    func sends() {
        state.withLock { state in
            state.counts.sends += 1
            // Anything that was sent leaves its outcome open, unless its answer tells.
            state.isOpen = true
        }
    }

    func apply(_ isApplied: Bool) { state.withLock { $0.counts.applications += isApplied ? 1 : 0 } }

    /// An interceptor is entered.
    ///
    /// A pass after the first one is a repeat that the SDK decided.
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

    /// One `next` applies a write once at most, and sends it once if it was applied before.
    func checkNext(since before: Counts) {
        state.withLock { state in
            let applied = state.counts.applications - before.applications
            let sent = state.counts.sends - before.sends
            guard !request.isIdempotent, applied > 1 || (before.applications > 0 && sent > 1) else { return }
            state.faults.append("one 'next' sent \(sent) times and applied \(applied) times")
        }
    }

    /// What was wrong, given what the caller was told.
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

/// Code of a host that is held up at a gate, whatever becomes of its call.
package struct GatedInterceptor: Interceptor {
    private let gate: Gate

    /// Makes a step that lets requests pass when the gate is open.
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

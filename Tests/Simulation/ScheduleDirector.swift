// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Synchronization

/// Decides by a seed what happens to one call wherever it can wait, and keeps the truth about it.
final class ScheduleDirector: Sendable {
    private struct State {
        var random: SeededGenerator
        var truth = ScheduledTruth()
        var handlerAsked = false
        var call: ScheduledCall?
    }

    /// How often a call is ended where it can wait.
    private static let chance = 0.12

    private let state: Mutex<State>
    private let clock: ManualClock
    /// Holds up code of the host that pays no heed to the end of its call.
    let gate = Gate()

    init(seed: UInt64, clock: ManualClock) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        self.clock = clock
    }

    var truth: ScheduledTruth { state.withLock { $0.truth } }

    /// Names the call; whoever comes to a place before waits for this.
    func begin(_ call: ScheduledCall) {
        state.withLock { $0.call = call }
    }

    /// Draws from the seed.
    func draw<Value>(_ body: (inout SeededGenerator) -> Value) -> Value where Value: Sendable {
        state.withLock { body(&$0.random) }
    }

    /// Writes down what happened.
    func note(_ change: (inout ScheduledTruth) -> Void) {
        state.withLock { change(&$0.truth) }
    }

    /// A handler asked for a wait, which is the next one.
    func handlerAsksForWait() {
        state.withLock { $0.handlerAsked = true }
    }

    /// The call is at a place, where it may be ended: once, and for certain if nothing else can end it.
    ///
    /// - Returns: what ended it there.
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

    /// Somebody sleeps for a short time: the call itself, or the client for its line.
    func visitSleep() async {
        let call = await call
        guard call.client?.waitingCalls ?? 0 == 0 else { return _ = await visit(.line) }
        let isForHandler = state.withLock { state in
            defer { state.handlerAsked = false }
            return state.handlerAsked
        }
        await visit(isForHandler ? .handlerWait : .backOff)
    }

    /// Cancels the call some time while it goes on, if the seed says so.
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

/// A call that can be ended.
struct ScheduledCall: Sendable {
    /// Held weakly, because the client's network, clock and host hold the director; gone when the call is long over.
    weak let client: RestClient?
    let cancel: @Sendable () -> Void
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestSDK

@Suite("The call state in every interleaving of events")
struct CallStateModelTests {
    /// In the model, the call that would be resumed is the call that gets the result, so no continuation is needed.
    private typealias CallState = RestSDK.CallState<Int>

    private enum Event: CaseIterable {
        case send, attemptEnds, refused401, refreshSucceeds, refreshFails, cancel, deadline, shutDown, logOut, complete,
            fail
    }

    /// The order of events, recorded without the state machine.
    private struct History: Hashable {
        var deliveries: [CallState.Delivery] = []
        var endedBy: CallState.Ending?
        var sends = 0
        var replays = 0
    }

    /// The state of a call and its history.
    ///
    /// Interleavings with the same result continue alike, so each state is visited once.
    private struct Moment: Hashable {
        var state = CallState()
        var history = History()
    }

    /// Returns the events that the pipeline or the outside can cause in this phase.
    private func possible(_ state: CallState) -> [Event] {
        // Cancellation, timeout, shutdown and logout can happen at any time, even after the call is over.
        let outside: [Event] = [.cancel, .deadline, .shutDown, .logOut]
        switch state.phase {
        case .preparing: return [.send, .refused401, .complete, .fail] + outside
        case .sending: return [.attemptEnds] + outside
        case .renewing: return [.refreshSucceeds, .refreshFails] + outside
        // Steps that have not noticed the end yet may do anything.
        case .ending: return Event.allCases
        case .over: return Event.allCases
        }
    }

    private func apply(_ event: Event, _ state: inout CallState, _ history: inout History) {
        let isEnded = history.endedBy != nil || !history.deliveries.isEmpty
        switch event {
        case .send:
            if case .attempt(let number) = state.begin() {
                #expect(!isEnded, "sent after the end")
                #expect(number == history.sends)
                history.sends += 1
            }
        case .attemptEnds: state.attemptEnded()
        case .refused401:
            if state.renew() {
                #expect(!isEnded, "renewed after the end")
                #expect(history.replays == 0, "a second replay")
            }
        case .refreshSucceeds:
            if state.phase == .renewing { history.replays += 1 }
            state.renewalEnded(withToken: true)
        case .refreshFails: state.renewalEnded(withToken: false)
        case .cancel: end(.cancelled, &state, &history)
        case .deadline: end(.timedOut, &state, &history)
        case .shutDown: end(.shutDown, &state, &history)
        case .logOut: end(.loggedOut, &state, &history)
        case .complete: finish(.succeeded, &state, &history)
        case .fail: finish(.failed(.transport), &state, &history)
        }
    }

    private func end(_ ending: CallState.Ending, _ state: inout CallState, _ history: inout History) {
        if history.endedBy == nil, history.deliveries.isEmpty { history.endedBy = ending }
        state.end(ending)
    }

    private func finish(_ finish: CallState.Finish, _ state: inout CallState, _ history: inout History) {
        guard let delivery = state.finish(finish) else { return }
        let expected: CallState.Delivery =
            switch (history.endedBy, finish) {
            case (.cancelled, _): .ended(.cancelled)
            case (_, .succeeded): .success
            case (let ending?, .failed): .ended(ending)
            case (nil, .failed): .failure
            }
        #expect(delivery == expected)
        history.deliveries.append(delivery)
    }

    @Test("there is exactly one delivery of the right kind, nothing is sent after the end, and at most one replay")
    func everyInterleaving() {
        // The number of interleavings that lead to each state.
        var moments = [Moment(): 1]
        for _ in 0..<7 {
            var following: [Moment: Int] = [:]
            for (moment, count) in moments {
                for event in possible(moment.state) {
                    var next = moment
                    apply(event, &next.state, &next.history)
                    following[next, default: 0] += count
                }
            }
            moments = following
        }
        for moment in moments.keys {
            #expect(moment.history.deliveries.count <= 1, "told more than once")
            #expect(
                (moment.history.deliveries.count == 1) == (moment.state.phase == .over),
                "over without being told, or told and not over")
        }
        #expect(moments.values.reduce(0, +) > 1_000_000)
        #expect(
            Set(moments.keys.flatMap(\.history.deliveries)) == [
                .success, .failure, .ended(.cancelled), .ended(.timedOut), .ended(.shutDown), .ended(.loggedOut),
            ])
    }

    @Test("every state can still reach its delivery")
    func noDeadEnd() {
        var seen: Set<CallState> = []
        var open = [CallState()]
        while let state = open.popLast() {
            guard state.attempts <= 3, seen.insert(state).inserted else { continue }
            var finished = state
            #expect((finished.finish(.succeeded) != nil) == (state.phase != .over))
            for event in Event.allCases {
                var (next, history) = (state, History())
                history.sends = state.attempts
                switch event {
                case .send: _ = next.begin()
                case .attemptEnds: next.attemptEnded()
                case .refused401: _ = next.renew()
                case .refreshSucceeds: next.renewalEnded(withToken: true)
                case .refreshFails: next.renewalEnded(withToken: false)
                case .cancel: next.end(.cancelled)
                case .deadline: next.end(.timedOut)
                case .shutDown: next.end(.shutDown)
                case .logOut: next.end(.loggedOut)
                case .complete: _ = next.finish(.succeeded)
                case .fail: _ = next.finish(.failed(.api))
                }
                open.append(next)
            }
        }
        #expect(seen.count > 20)
    }
}

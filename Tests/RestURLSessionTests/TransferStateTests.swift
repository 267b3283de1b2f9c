// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestURLSession

@Suite("Delivery of a URLSession call")
struct TransferStateTests {
    typealias State = TransferState<Int, String>

    private let success = State.Outcome.success(HTTPResponse(head: HTTPResponse.Head(status: 200)))

    @Test("Whatever order events come in, exactly one transition serves the caller")
    func exactlyOnce() {
        enum Event: CaseIterable { case wait, begin, serveHead, complete, cancel }
        for events in permutations(Event.allCases) {
            var state = State()
            var deliveries = 0
            for event in events {
                switch event {
                case .wait: if state.wait(7) != nil { deliveries += 1 }
                case .begin: _ = state.begin("task")
                case .serveHead: if !state.isOver, state.serve(success) == 7 { deliveries += 1 }
                case .complete: if state.end(success)?.waiter == 7 { deliveries += 1 }
                case .cancel: if state.fail(.cancelled, "")?.ending.waiter == 7 { deliveries += 1 }
                }
            }
            #expect(deliveries == 1, "\(events)")
            #expect(state.isOver)
        }
    }

    @Test("A task of a call that is over never starts, and a running one is cancelled once")
    func work() {
        var over = State()
        _ = over.fail(.cancelled, "")
        let mayBegin = over.begin("task")
        #expect(!mayBegin)
        var running = State()
        let hasBegun = running.begin("task")
        #expect(hasBegun)
        let first = running.fail(.timedOut, "")
        #expect(first?.ending.work == "task")
        let second = running.fail(.timedOut, "")
        #expect(second == nil)
    }

    @Test("An error says truly whether the request had left")
    func reached() {
        var queued = State()
        #expect(queued.fail(.cancelled, "")?.error.mayHaveReachedServer == false)
        var running = State()
        _ = running.begin("task")
        #expect(running.fail(.cancelled, "")?.error.mayHaveReachedServer == true)
    }

    private func permutations<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }
}

extension TransferState {
    /// Ends the call with an error of a kind.
    fileprivate mutating func fail(
        _ code: TransportError.Code, _ message: String
    ) -> (error: TransportError, ending: Ending)? {
        fail(TransportError(code, message, mayHaveReachedServer: false))
    }
}

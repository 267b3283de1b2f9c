// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestCurl

@Suite("The values under the locks")
struct StateTests {
    typealias State = TransferState<Int>

    private let success = State.Outcome.success(HTTPResponse(head: HTTPResponse.Head(status: 200)))
    private let cancelled = State.Outcome.failure(TransportError(.cancelled, "", mayHaveReachedServer: false))

    @Test("Whatever order events come in, exactly one transition hands the waiter out")
    func exactlyOnce() {
        enum Event: CaseIterable { case wait, leave, succeed, cancel, fail }
        for events in permutations(Event.allCases) {
            var state = State()
            var deliveries = 0
            for event in events {
                switch event {
                case .wait: if state.wait(7) != nil { deliveries += 1 }
                case .leave: _ = state.leave()
                case .succeed: if state.decide(success) == 7 { deliveries += 1 }
                case .cancel: if state.decide(cancelled) == 7 { deliveries += 1 }
                case .fail: if state.decide(cancelled) == 7 { deliveries += 1 }
                }
            }
            #expect(deliveries == 1, "\(events)")
            #expect(state.isOver)
        }
    }

    @Test("A request leaves once, and never after the call is over")
    func leavesOnce() {
        var state = State()
        let answers = [state.leave(), state.leave()]
        #expect(answers == [true, false])
        #expect(state.hasLeft)
        var over = State()
        _ = over.decide(cancelled)
        let late = over.leave()
        #expect(!late)
        #expect(!over.hasLeft)
    }

    @Test("One wake-up serves all messages until the loop looks again")
    func oneWakeUp() {
        var box = Mailbox<Int, Int>()
        var taken: [Int] = []
        #expect(post(&box, 1) == .startThread)
        #expect(post(&box, 2) == .none)
        #expect(!sleep(&box))
        let isStopping0 = box.collect(into: &taken)
        #expect(!isStopping0)
        #expect(taken == [1, 2])
        #expect(sleep(&box))
        #expect(post(&box, 3) == .wake)
        #expect(post(&box, 4) == .none)
        let isStopping1 = box.collect(into: &taken)
        #expect(!isStopping1)
        #expect(taken == [3, 4])
        #expect(post(&box, 5) == .none)
        #expect(!sleep(&box))
    }

    @Test("Stopping wakes the loop, keeps who waits and refuses later messages")
    func stopping() {
        var box = Mailbox<Int, Int>()
        var taken: [Int] = []
        _ = box.post(1, isFirst: true)
        _ = box.collect(into: &taken)
        #expect(sleep(&box))
        #expect(stop(&box, 10) == .wake)
        #expect(stop(&box, 11) == .none)
        #expect(post(&box, 2) == .refuse)
        #expect(!sleep(&box))
        let isStopping2 = box.collect(into: &taken)
        #expect(isStopping2)
        #expect(close(&box) == [10, 11])
        #expect(close(&box) == [])
        #expect(stop(&box, 12) == .refuse)
    }

    @Test("A loop that never started has nothing to stop")
    func stoppingIdle() {
        var box = Mailbox<Int, Int>()
        #expect(stop(&box, 1) == .refuse)
        #expect(post(&box, 1) == .refuse)
        #expect(close(&box) == [])
    }

    @Test("Only work to begin starts a loop; what concerns begun work is not even kept")
    func firstMessage() {
        var box = Mailbox<Int, Int>()
        var taken: [Int] = []
        let early = box.post(1, isFirst: false)
        #expect(early == .refuse)
        #expect(!box.hasMessages)
        #expect(post(&box, 2) == .startThread)
        let later = box.post(3, isFirst: false)
        #expect(later == .none)
        _ = box.collect(into: &taken)
        #expect(taken == [2, 3])
    }

    @Test("The loop sleeps until the earliest deadline, rounded up")
    func sleeping() {
        let now = ContinuousClock.now
        var watch = DeadlineWatch()
        #expect(watch.sleepMilliseconds(now: now) == 60_000)
        watch.add(now + .seconds(3600))
        #expect(watch.sleepMilliseconds(now: now) == 60_000)
        watch.add(now + .microseconds(1500))
        #expect(watch.sleepMilliseconds(now: now) == 2)
        watch.add(now + .seconds(5))
        #expect(watch.sleepMilliseconds(now: now) == 2)
        #expect(watch.sleepMilliseconds(now: now + .seconds(1)) == 0)
        let isEarly = watch.isDue(at: now + .milliseconds(1))
        #expect(!isEarly)
        let isDue = watch.isDue(at: now + .milliseconds(2))
        #expect(isDue)
        #expect(watch.sleepMilliseconds(now: now) == 60_000)
    }

    private func post(_ box: inout Mailbox<Int, Int>, _ message: Int) -> Mailbox<Int, Int>.Action {
        box.post(message, isFirst: true)
    }
    private func stop(_ box: inout Mailbox<Int, Int>, _ waiter: Int) -> Mailbox<Int, Int>.Action { box.stop(waiter) }
    private func sleep(_ box: inout Mailbox<Int, Int>) -> Bool { box.fallAsleep() }
    private func close(_ box: inout Mailbox<Int, Int>) -> [Int] { box.close() }

    private func permutations<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    @Test("The buffer never is smaller than what is read from a socket at once, and larger for a file")
    func receiveBufferSize() {
        let (_, attempt) = HTTPResponse.Download(path: "answer").begin(HTTPRequest(url: HTTPURL(path: "/")))
        #expect(ReceiveBufferSize.bytes(for: .memory) >= 32 * 1024)
        #expect(ReceiveBufferSize.bytes(for: .reader(Downstream())) >= 32 * 1024)
        #expect(ReceiveBufferSize.bytes(for: .file(attempt)) > ReceiveBufferSize.bytes(for: .memory))
    }
}

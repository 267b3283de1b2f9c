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

    @Test("The loop looks on for as long as that finds work, and less and less often when it does not")
    func lingering() {
        var lingering = Lingering()
        func sleepsUntilLook() -> Int {
            var sleeps = 0
            while !lingering.isWorthwhile() { sleeps += 1 }
            return sleeps
        }
        for sleeps in [0, 1, 3, 7, 15, 31, 63, 127, 255, 255] {
            #expect(sleepsUntilLook() == sleeps)
            lingering.note(foundWork: false)
        }
        #expect(sleepsUntilLook() == 255)
        lingering.note(foundWork: true)
        #expect(sleepsUntilLook() == 0)
    }

    @Test("Only a row of small answers makes the buffer for the next one smaller, by one step; a large one undoes that")
    func receiveBufferSize() {
        func bytes(_ size: ReceiveBufferSize) -> Int { size.bytes(for: .memory, mayBeFramed: false) }
        var size = ReceiveBufferSize()
        let large = bytes(size)
        for _ in 0..<15 { size.note(bytes: 600) }
        #expect(bytes(size) == large)
        size.note(bytes: 8192)
        #expect(bytes(size) == 8192)
        #expect(size.bytes(for: .reader(Downstream()), mayBeFramed: false) == large)
        let (_, attempt) = HTTPResponse.Download(path: "answer").begin(HTTPRequest(url: HTTPURL(path: "/")))
        #expect(size.bytes(for: .file(attempt), mayBeFramed: false) > large)
        for _ in 0..<15 { size.note(bytes: 1024) }
        size.note(bytes: 1025)
        for _ in 0..<15 { size.note(bytes: 1024) }
        #expect(bytes(size) == 8192)
        size.note(bytes: 1024)
        #expect(bytes(size) == 1024)
        size.note(bytes: 1025)
        #expect(bytes(size) == 8192)
        size.note(bytes: 8193)
        #expect(bytes(size) == large)
    }

    @Test("No row of small answers makes the buffer smaller than what is read at once where frames may come")
    func framedReceiveBufferSize() {
        var size = ReceiveBufferSize()
        for _ in 0..<100 { size.note(bytes: 600) }
        #expect(size.bytes(for: .memory, mayBeFramed: true) >= 32 * 1024)
        #expect(size.bytes(for: .memory, mayBeFramed: false) == 1024)
    }
}

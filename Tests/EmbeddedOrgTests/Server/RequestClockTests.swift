// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LocalServer

@Suite("The clock of a connection")
struct RequestClockTests {
    private let start = ContinuousClock.now
    private let limits = ServerLimits()

    private func after(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }
    private func end(_ clock: RequestClock) -> Duration? { clock.deadline(limits).map { $0 - start } }

    @Test("a header has ten seconds from its first byte on, however many bytes follow")
    func header() {
        var clock = RequestClock(at: start)
        #expect(end(clock) == .seconds(60))
        clock.observe(received: 0, at: after(5))
        #expect(clock.stage == .idle)
        for second in 6...14 { clock.observe(received: UInt64(second), at: after(Double(second))) }
        #expect(clock.stage == .header && end(clock) == .seconds(16))
        clock.beginHeader(at: after(15))
        #expect(end(clock) == .seconds(16))
    }

    @Test("a body has thirty seconds and what its bytes take at the least rate")
    func body() {
        var clock = RequestClock(at: start)
        clock.beginHeader(at: after(1))
        clock.beginBody(at: after(2))
        #expect(end(clock) == .seconds(32))
        clock.receiveBody(8 << 10)
        #expect(end(clock) == .seconds(33))
        clock.receiveBody(80 << 10)
        #expect(end(clock) == .seconds(43))
    }

    @Test("the org's own work has no limit, the taking of an answer one by its size, and then the connection is idle")
    func answer() {
        var clock = RequestClock(at: start)
        clock.beginHeader(at: start)
        clock.beginHandling(at: after(1))
        #expect(end(clock) == nil)
        clock.beginAnswer(of: 80 << 10, at: after(100))
        #expect(end(clock) == .seconds(140))
        clock.rest(received: 500, at: after(101))
        #expect(clock.stage == .idle && end(clock) == .seconds(161))
        clock.observe(received: 500, at: after(102))
        #expect(clock.stage == .idle)
        clock.observe(received: 501, at: after(103))
        #expect(clock.stage == .header && end(clock) == .seconds(113))
    }

    @Test("those who send for the longest give way first, then the idle ones, and never those who wait for the org")
    func slowest() {
        func clock(_ stage: RequestClock.Stage, _ seconds: Double) -> RequestClock {
            var clock = RequestClock(at: after(seconds))
            switch stage {
            case .idle: break
            case .header: clock.beginHeader(at: after(seconds))
            case .body: clock.beginBody(at: after(seconds))
            case .handling: clock.beginHandling(at: after(seconds))
            case .answer: clock.beginAnswer(of: 1, at: after(seconds))
            }
            return clock
        }
        let clocks: [(key: String, clock: RequestClock)] = [
            ("handling", clock(.handling, 0)), ("answer", clock(.answer, 0)), ("idle", clock(.idle, 1)),
            ("older idle", clock(.idle, 0)), ("header", clock(.header, 3)), ("body", clock(.body, 2)),
            ("honest", clock(.header, 9.9)),
        ]
        let order = ["body", "header", "older idle", "idle"]
        for count in 0...7 {
            #expect(RequestClock.slowest(count, of: clocks, at: after(10)) == Array(order.prefix(count)))
        }
    }

    @Test("a budget gives what it has and takes back what was given")
    func budget() {
        let budget = ByteBudget(10)
        #expect(budget.take(6) && !budget.take(5) && budget.take(4) && !budget.take(1) && !budget.hasRoom(for: 1))
        budget.giveBack(6)
        #expect(budget.hasRoom(for: 6) && !budget.hasRoom(for: 7) && !budget.hasRoom(for: .max) && budget.take(6))
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestURLSession

@Suite("Routing of URLSession's call-backs")
struct RoutingTests {
    private final class Call {}
    private typealias Table = RoutingTable<Int, Call, String>

    private let here = Origin(scheme: .https, host: "a.example")
    private let there = Origin(scheme: .https, host: "b.example")

    @Test("So many calls to one origin go at a time, the others in the order they came")
    func gate() {
        var gate = ConnectionGate<Int>(limit: 2)
        let entered = [1, 2, 3, 4].map { enter(&gate, $0, here) }
        #expect(entered == [true, true, false, false])
        #expect(enter(&gate, 5, there))
        #expect(leave(&gate, here) == 3)
        #expect(leave(&gate, here) == 4)
        #expect(leave(&gate, here) == nil)
        #expect(enter(&gate, 6, here))
        #expect(!enter(&gate, 7, here))
        #expect(leave(&gate, there) == nil)
        #expect(leave(&gate, there) == nil)
    }

    @Test("A call-back finds its call until the task has ended")
    func routes() {
        var table = Table(limit: 1)
        let call = Call()
        #expect(add(&table, call))
        table.route(1, to: call)
        #expect(table.call(for: 1) === call)
        #expect(table.call(for: 2) == nil)
        let ended = table.endRoute(1)
        #expect(ended === call)
        let again = table.endRoute(1)
        #expect(again == nil)
    }

    @Test("After shutdown nothing is added, and who waits learns when the last call has left")
    func shutdown() {
        var table = Table(limit: 1)
        let call = Call()
        _ = add(&table, call)
        let isFirst = table.shutDown()
        let isSecond = table.shutDown()
        #expect(isFirst)
        #expect(!isSecond)
        #expect(!add(&table, Call()))
        let mustWait = table.wait("waiter")
        #expect(mustWait)
        let departure = table.remove(call, from: nil)
        #expect(departure.waiters == ["waiter"])
        let mustWaitAgain = table.wait("late")
        #expect(!mustWaitAgain)
    }

    @Test("A timer is set for the earliest moment only, and a superseded one does nothing")
    func timers() {
        var table = Table(limit: 1)
        let now = ContinuousClock.now
        let isFirst = table.needsTimer(for: now + .seconds(10))
        let isLater = table.needsTimer(for: now + .seconds(20))
        let isEarlier = table.needsTimer(for: now + .seconds(5))
        #expect(isFirst)
        #expect(!isLater)
        #expect(isEarlier)
        _ = add(&table, Call())
        let due = table.timerFired(for: now + .seconds(5))
        #expect(due?.count == 1)
        let superseded = table.timerFired(for: now + .seconds(10))
        #expect(superseded == nil)
        let isFree = table.needsTimer(for: now + .seconds(30))
        #expect(isFree)
    }

    private func enter(_ gate: inout ConnectionGate<Int>, _ call: Int, _ origin: Origin) -> Bool {
        gate.enter(call, to: origin)
    }
    private func leave(_ gate: inout ConnectionGate<Int>, _ origin: Origin) -> Int? { gate.leave(origin) }
    private func add(_ table: inout Table, _ call: Call) -> Bool { table.add(call) }
}

// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@Suite("When a transfer is late")
struct TransferActivityTests {
    private let start = ContinuousClock.now
    private var deadline: ContinuousClock.Instant { start + .seconds(100) }

    private func lateness(
        after seconds: Int, firstByte: Duration? = nil, idle: Duration? = nil,
        _ change: (inout TransferActivity) -> Void = { _ in }
    ) -> TransferActivity.Lateness {
        var activity = TransferActivity(last: start)
        change(&activity)
        return activity.lateness(at: start + .seconds(seconds), deadline: deadline, firstByte: firstByte, idle: idle)
    }

    @Test("The deadline ends everything")
    func total() {
        #expect(lateness(after: 99) == .none(next: deadline))
        #expect(lateness(after: 100) == .late("the deadline passed"))
        #expect(lateness(after: 100) { $0.isPaused = true } == .late("the deadline passed"))
    }

    @Test("The time for the first byte runs from the sending to the header")
    func firstByte() {
        let limit = Duration.seconds(5)
        #expect(lateness(after: 9, firstByte: limit) == .none(next: start + .seconds(14)), "it has not left")
        #expect(lateness(after: 4, firstByte: limit) { $0.hasLeft = true } == .none(next: start + .seconds(5)))
        let late = lateness(after: 5, firstByte: limit) { $0.hasLeft = true }
        #expect(late == .late("no answer arrived within firstByteTimeout"))
        #expect(
            lateness(after: 5, firstByte: limit) {
                $0.hasLeft = true
                $0.hasHead = true
            } == .none(next: deadline))
    }

    @Test("A body that stands still is late, but not one whose reader makes it wait")
    func idle() {
        let limit = Duration.seconds(5)
        func body(_ activity: inout TransferActivity) {
            activity.hasLeft = true
            activity.hasHead = true
        }
        #expect(lateness(after: 4, idle: limit, body) == .none(next: start + .seconds(5)))
        #expect(lateness(after: 5, idle: limit, body) == .late("no byte moved within idleTimeout"))
        #expect(
            lateness(after: 5, idle: limit) {
                body(&$0)
                $0.isPaused = true
            } == .none(next: start + .seconds(10)))
        #expect(lateness(after: 5, idle: limit) { $0.hasLeft = true } == .none(next: start + .seconds(10)))
        let upload = lateness(after: 5, idle: limit) {
            $0.hasLeft = true
            $0.isSending = true
        }
        #expect(upload == .late("no byte moved within idleTimeout"))
    }
}

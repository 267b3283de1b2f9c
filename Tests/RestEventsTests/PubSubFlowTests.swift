// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTesting
import Testing

@testable import RestEvents

@Suite("The streams of a Pub/Sub connection without I/O", .timeLimit(.minutes(2)))
struct PubSubFlowTests {
    private let start = ContinuousClock.now
    private let error = WireError(EventError(.unavailable, "lost"), .reopen)

    private func events(_ numbers: Range<Int>, _ channel: String = "/a") throws -> [ReceivedEvent] {
        try numbers.map { number in
            let id = try #require(ReplayID(bytes: [UInt8(number % 256), UInt8(number / 256)]))
            return ReceivedEvent(channel: channel, replayID: id, data: ["n": JSONValue(number)])
        }
    }

    private func numbers(_ turn: PubSubFlow.Turn) -> [Int]? {
        guard case .response(let response, _) = turn else { return nil }
        return response.events.compactMap { $0.data["n"]?.int }
    }

    private func credits(_ turn: PubSubFlow.Turn) -> [PubSubFlow.Credit] {
        if case .response(_, let credits) = turn { credits } else { [] }
    }

    @Test("more events are requested when half of the window was taken")
    func credits() throws {
        var flow = PubSubFlow()
        let number = flow.open("/a", at: start)
        #expect(numbers(flow.take()) == nil)
        flow.arrived(try events(0..<30), pending: 70, latest: nil, on: "/a", number, at: start)
        let first = flow.take()
        #expect(numbers(first) == Array(0..<30) && credits(first) == [])
        flow.arrived(try events(30..<60), pending: 40, latest: nil, on: "/a", number, at: start)
        #expect(credits(flow.take()) == [PubSubFlow.Credit(channel: "/a", count: 60)])
        // These responses crossed the request on the way: the server has used up the first one, and not yet read this.
        flow.arrived(try events(60..<70), pending: 30, latest: nil, on: "/a", number, at: start)
        #expect(credits(flow.take()) == [])
        flow.arrived(try events(70..<100), pending: 0, latest: nil, on: "/a", number, at: start)
        #expect(credits(flow.take()) == [])
        flow.arrived(try events(100..<110), pending: 50, latest: nil, on: "/a", number, at: start)
        #expect(credits(flow.take()) == [PubSubFlow.Credit(channel: "/a", count: 50)])
        // A server that reports the end twice has dropped requests.
        flow.arrived(try events(110..<120), pending: 0, latest: nil, on: "/a", number, at: start)
        #expect(credits(flow.take()) == [PubSubFlow.Credit(channel: "/a", count: 50)])
        flow.arrived([], pending: 0, latest: nil, on: "/a", number, at: start)
        flow.arrived([], pending: 0, latest: nil, on: "/a", number, at: start)
        #expect(credits(flow.take()) == [PubSubFlow.Credit(channel: "/a", count: 100)])
    }

    @Test("an empty response means caught up if no stream has more, and has a position")
    func idle() throws {
        var flow = PubSubFlow()
        let (one, two) = (flow.open("/a", at: start), flow.open("/b", at: start))
        let id = try #require(ReplayID(bytes: [9]))
        flow.arrived([], pending: 100, latest: id, on: "/a", one, at: start)
        #expect(numbers(flow.take()) == nil)
        flow.arrived([], pending: 100, latest: nil, on: "/b", two, at: start)
        guard case .response(let response, _) = flow.take() else {
            Issue.record("no response")
            return
        }
        #expect(response.events.isEmpty && response.positions == ["/a": id])
        #expect(numbers(flow.take()) == nil)
        // Events and an empty response that arrive together are both returned.
        flow.arrived(try events(0..<3), pending: 97, latest: nil, on: "/a", one, at: start)
        flow.arrived([], pending: 97, latest: nil, on: "/a", one, at: start)
        #expect(numbers(flow.take()) == [0, 1, 2] && numbers(flow.take()) == [] && numbers(flow.take()) == nil)
    }

    @Test("events before an error come first, a rejected channel leaves the others, and old streams are ignored")
    func ends() throws {
        var flow = PubSubFlow()
        let (one, two) = (flow.open("/a", at: start), flow.open("/b", at: start))
        let position = WireError(EventError(.invalidPosition, "gone", channel: "/a"), .position)
        flow.failed(position, on: "/a", one)
        flow.arrived(try events(0..<2, "/b"), pending: 98, latest: nil, on: "/b", two, at: start)
        guard case .response(let response, _) = flow.take() else {
            Issue.record("no response")
            return
        }
        #expect(response.events.count == 2 && response.rejected["/a"]?.remedy == .position)
        let again = flow.open("/a", at: start)
        flow.arrived(try events(5..<6), pending: 99, latest: nil, on: "/a", one, at: start)
        flow.arrived(try events(6..<7), pending: 99, latest: nil, on: "/a", again, at: start)
        flow.failed(error, on: "/b", two)
        #expect(numbers(flow.take()) == [6])
        guard case .failure(let failure) = flow.take() else {
            Issue.record("no failure")
            return
        }
        #expect(failure.remedy == .reopen)
    }

    @Test("a removed channel has no events, and a stream that sends too many is rejected")
    func bounds() throws {
        var flow = PubSubFlow()
        let one = flow.open("/a", at: start)
        flow.arrived(try events(0..<3), pending: 97, latest: nil, on: "/a", one, at: start)
        flow.close("/a")
        #expect(numbers(flow.take()) == nil && flow.nextAlarm == nil)
        let two = flow.open("/a", at: start)
        for part in 0..<5 {
            let some = try events(part * 100..<part * 100 + 100)
            flow.arrived(some, pending: 100, latest: nil, on: "/a", two, at: start)
        }
        _ = flow.take()
        guard case .failure(let failure) = flow.take() else {
            Issue.record("no failure")
            return
        }
        #expect(failure.error.code == .response)
    }

    @Test("one commit is in flight, after which the newest position follows")
    func commits() throws {
        var flow = PubSubFlow()
        let number = flow.open("/a", at: start)
        let ids = try events(0..<4).map(\.replayID)
        #expect(flow.commit(ids[0], on: "/a", at: start) && flow.isCommitting)
        #expect(!flow.commit(ids[1], on: "/a", at: start) && !flow.commit(ids[2], on: "/a", at: start))
        #expect(flow.committed(on: "/a", number, at: start) == ids[2] && flow.isCommitting)
        #expect(flow.committed(on: "/a", number, at: start) == nil && !flow.isCommitting)
        #expect(flow.commit(ids[3], on: "/a", at: start) == true)
        #expect(flow.commit(ids[3], on: "/b", at: start) == false)
        // Events do not replace the response to a commit.
        flow.arrived([], pending: 100, latest: nil, on: "/a", number, at: start + .seconds(200))
        #expect(flow.nextAlarm == start + PubSubFlow.silence)
        flow.close("/a")
        #expect(!flow.isCommitting)
    }

    @Test("a stream that is silent for too long loses the connection")
    func silence() throws {
        var flow = PubSubFlow()
        let one = flow.open("/a", at: start)
        let two = flow.open("/b", at: start)
        flow.arrived([], pending: 100, latest: nil, on: "/a", one, at: start + .seconds(200))
        #expect(flow.nextAlarm == start + .seconds(300))
        flow.arrived([], pending: 100, latest: nil, on: "/b", two, at: start + .seconds(250))
        flow.checkSilence(at: start + .seconds(499))
        _ = flow.take()
        guard case .wait = flow.take() else {
            Issue.record("too early")
            return
        }
        flow.checkSilence(at: start + .seconds(500))
        guard case .failure = flow.take() else {
            Issue.record("too late")
            return
        }
    }
}

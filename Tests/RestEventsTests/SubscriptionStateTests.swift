// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestEvents

@Suite("The state of a subscription without I/O", .timeLimit(.minutes(2)))
struct SubscriptionStateTests {
    private static func event(_ number: Int) -> EventItem {
        .event(ReceivedEvent(channel: "/a", replayID: id(number), data: .null))
    }

    @Test("items come in order, a full buffer has room again, and the handled position follows the reader")
    func order() {
        var state = SubscriptionState<Int>(["/a"], from: .latest, capacity: 4)
        #expect(state.join() == [ChannelStart("/a", .latest)] && state.join() == nil)
        #expect(state.wait(7) == true)
        #expect(state.offer((1...6).map(Self.event)) == 7 && state.isFull())
        var seen: [String] = []
        while case (.item(.event(let event)), _) = state.next() {
            seen.append(event.replayID.description)
            #expect(state.takeHandled()?.replayID == event.replayID && state.takeHandled() == nil)
        }
        #expect(seen == ["1", "2", "3", "4", "5", "6"] && !state.isFull())
        #expect(state.detached() == nil)
        #expect(state.join() == [ChannelStart("/a", .after(id(6)))])
    }

    @Test("there is one end: a server's error comes after the events, and an end from outside drops them")
    func ends() {
        var failed = SubscriptionState<Int>(["/a"], from: .latest, capacity: 4)
        _ = failed.join()
        _ = failed.offer([Self.event(1)])
        _ = failed.end(EventError(.limit, "x"), dropsBuffer: false)
        _ = failed.end(EventError(.cancelled, "y"), dropsBuffer: false)
        guard case (.item, _) = failed.next() else { return _ = Issue.record("no event") }
        guard case (.end(let error?), _) = failed.next(), error.code == .limit else {
            return _ = Issue.record("no error")
        }
        guard case (.end(nil), _) = failed.next() else { return _ = Issue.record("two errors") }
        var cancelled = SubscriptionState<Int>(["/a"], from: .latest, capacity: 4)
        _ = cancelled.join()
        #expect(cancelled.wait(3) == true)
        #expect(cancelled.end(EventError(.cancelled, "y"), dropsBuffer: true) == 3)
        _ = cancelled.offer([Self.event(1)])
        guard case (.end(_?), _) = cancelled.next() else { return _ = Issue.record("no end") }
        #expect(cancelled.join() == nil && cancelled.wait(4) == false)
    }

    @Test("a slow subscription that leaves its connection without a position reports a gap")
    func detached() {
        var state = SubscriptionState<Int>(["/a", "/b"], from: .latest, capacity: 1)
        _ = state.join()
        _ = state.offer([Self.event(1)])
        #expect(state.detached() == nil)
        guard case (.item(.event), _) = state.next(), case (.item(.status(.gap(let gap))), _) = state.next() else {
            return _ = Issue.record("no gap")
        }
        #expect(gap == EventGap(channel: "/b", reason: .unknownPosition))
    }

    @Test("a reader that has read its buffer when its subscription leaves the connection is woken, and joins again")
    func detachedWhileWaiting() {
        var state = SubscriptionState<Int>(["/a"], from: .earliest, capacity: 1)
        _ = state.join()
        #expect(state.wait(3) == true)
        #expect(state.detached() == 3)
        guard case (.join, _) = state.next() else { return _ = Issue.record("no join") }
    }
}

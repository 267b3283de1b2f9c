// SPDX-License-Identifier: Apache-2.0

import EventServers
import RestAuth
import RestJSON
import RestSDK
import RestTesting
import Testing

@testable import RestEvents

@Suite("The state of a connection without I/O", .timeLimit(.minutes(2)))
struct ConnectionStateTests {
    private static func event(_ number: Int, _ channel: String = "/a") -> ReceivedEvent {
        ReceivedEvent(channel: channel, replayID: id(number), data: ["n": JSONValue(number)])
    }

    private static func numbers(_ outcome: ConnectionState.Outcome, _ member: UInt64) -> [Int] {
        (outcome.items[member] ?? []).compactMap { item in
            if case .event(let event) = item { event.data["n"]?.int } else { nil }
        }
    }

    private static func statuses(_ outcome: ConnectionState.Outcome, _ member: UInt64) -> [String] {
        (outcome.items[member] ?? []).compactMap { item in
            guard case .status(let status) = item else { return nil }
            return switch status {
            case .connected: "connected"
            case .disconnected(_, let delay): "disconnected \(delay)"
            case .resumed: "resumed"
            case .tokenRenewed: "token"
            case .gap: "gap"
            case .caughtUp: "caught up"
            }
        }
    }

    /// Opens a connection with one member.
    private static func open(_ start: EventStart = .earliest) throws -> ConnectionState {
        var state = ConnectionState()
        state.join(1, [ChannelStart("/a", start)], .fail)
        guard case .open = state.next() else { throw Unexpected() }
        let epoch = state.opened()
        guard case .subscribe(let channels) = state.next() else { throw Unexpected() }
        let outcome = state.subscribed(channels, WireResponse(), epoch: epoch)
        #expect(statuses(outcome, 1) == ["connected"])
        guard case .receive = state.next() else { throw Unexpected() }
        return state
    }

    private struct Unexpected: Error {}
    private static let lost = WireError(EventError(.unavailable, "lost"), .retry)

    @Test("a connection is tried again when the client may not renew its token so soon")
    func renewedTooOften() {
        let often = RestError(
            .refreshFailed, "no access token", underlying: OAuthError(.excessiveRefresh, "try again later"))
        #expect(WireError(often, .handshake).remedy == .retry)
        let ended = RestError(.refreshFailed, "no access token", underlying: OAuthError(.invalidGrant, "revoked"))
        #expect(WireError(ended, .handshake).remedy == .none)
    }

    @Test("repeats and events of other channels are dropped, and an empty response means caught up")
    func events() throws {
        var state = try Self.open()
        let isCatchingUp = { (state: inout ConnectionState) -> Bool? in
            if case .receive = state.next() { state.isCatchingUp } else { nil }
        }
        #expect(isCatchingUp(&state) == true)
        let first = state.received([1, 2, 2, 1, 3].map { Self.event($0) } + [Self.event(9, "/other")], after: .zero)
        #expect(Self.numbers(first, 1) == [1, 2, 3])
        #expect(isCatchingUp(&state) == true)
        #expect(Self.statuses(state.received([], after: .seconds(1)), 1) == ["caught up"])
        #expect(isCatchingUp(&state) == false)
        #expect(Self.statuses(state.received([], after: .seconds(1)), 1) == [])
    }

    @Test("a lost connection is opened again after a random delay, from the last position")
    func reconnects() throws {
        var state = try Self.open()
        _ = state.received([Self.event(5)], after: .zero)
        for (number, bound) in [1, 2, 4, 8, 16, 30, 30, 30].enumerated() {
            let outcome = state.failed(Self.lost, draw: 0.5)
            #expect(Self.statuses(outcome, 1) == ["disconnected \(Duration.seconds(bound) / 2)"], "\(number)")
            guard case .wait(let delay) = state.next() else { throw Unexpected() }
            #expect(delay == .seconds(bound) / 2)
            guard case .open = state.next() else { throw Unexpected() }
        }
        let epoch = state.opened()
        guard case .subscribe(let channels) = state.next() else { throw Unexpected() }
        #expect(channels == [ChannelStart("/a", .after(try #require(ReplayID("5"))))])
        #expect(Self.statuses(state.subscribed(channels, WireResponse(), epoch: epoch), 1) == ["resumed"])
        _ = state.next()
        #expect(Self.numbers(state.received([5, 6].map { Self.event($0) }, after: .zero), 1) == [6])
    }

    @Test("a lost session is opened at once, the server's delay is respected, and a hopeless error ends all")
    func remedies() throws {
        var state = try Self.open()
        _ = state.failed(WireError(EventError(.unavailable, "session"), .reopen), draw: 0.9)
        guard case .open = state.next() else { throw Unexpected() }
        _ = state.failed(WireError(EventError(.limit, "later"), .retry, after: .seconds(77)), draw: 0.9)
        guard case .wait(.seconds(77)) = state.next() else { throw Unexpected() }
        let outcome = state.failed(WireError(EventError(.unauthorized, "no"), .none), draw: 0)
        #expect(outcome.ended[1]?.code == .unauthorized && state.isOver)
        guard case .stop = state.next() else { throw Unexpected() }
        var rejected = try Self.open()
        for number in 1...ConnectionState.mostRejectedTokens {
            let outcome = rejected.failed(WireError(EventError(.unauthorized, "401"), .retry), draw: 0)
            #expect(outcome.ended.isEmpty == (number < ConnectionState.mostRejectedTokens))
        }
        var broken = try Self.open()
        for number in 1...ConnectionState.mostInvalidResponses {
            let outcome = broken.failed(.invalid("no list"), draw: 0)
            #expect(outcome.ended.isEmpty == (number < ConnectionState.mostInvalidResponses))
        }
    }

    @Test("the channels of a member that was rejected can be added again in the same connection")
    func rejoin() throws {
        var state = try Self.open()
        state.join(2, [ChannelStart("/b", .latest), ChannelStart("/c", .latest)], .fail)
        let added = state.takePending()
        var result = WireResponse()
        result.rejected["/b"] = WireError(EventError(.forbidden, "no"), .none)
        let outcome = state.subscribed(added, result, epoch: 1)
        #expect(outcome.ended[2]?.code == .forbidden && outcome.ended[1] == nil)
        #expect(state.accepts([ChannelStart("/b", .latest)]) && state.accepts([ChannelStart("/c", .latest)]))
    }

    @Test("without a position a lost connection is a gap, and a server that answers at once is slowed down")
    func gaps() throws {
        var state = try Self.open(.latest)
        #expect(Self.statuses(state.failed(Self.lost, draw: 0), 1).contains("gap"))
        var hasty = try Self.open()
        for _ in 0..<4 { _ = hasty.received([], after: .zero) }
        guard case .wait = hasty.next() else { throw Unexpected() }
    }

    @Test("a subscription shares a channel only at the same position, or for new events when the channel is live")
    func sharing() throws {
        var state = try Self.open(.earliest)
        #expect(state.accepts([ChannelStart("/a", .earliest)]) && !state.accepts([ChannelStart("/a", .latest)]))
        _ = state.received([Self.event(1)], after: .zero)
        #expect(!state.accepts([ChannelStart("/a", .earliest)]))
        #expect(state.accepts([ChannelStart("/a", .after(try #require(ReplayID("1"))))]))
        _ = state.received([], after: .seconds(1))
        #expect(state.accepts([ChannelStart("/a", .latest), ChannelStart("/b", .earliest)]))
        state.join(2, [ChannelStart("/a", .latest), ChannelStart("/b", .earliest)], .fail)
        let beside = state.takePending()
        #expect(beside.map(\.channel) == ["/b"])
        // Events before the reply wait for those in the reply.
        #expect(Self.numbers(state.received([Self.event(12, "/b"), Self.event(2)], after: .zero), 2) == [2])
        var reply = WireResponse()
        reply.events = [Self.event(11, "/b")]
        #expect(Self.numbers(state.subscribed(beside, reply, epoch: state.epoch), 2) == [11, 12])
        #expect(state.leave(1) == [] && !state.isOver)
        // A channel that is being removed is not added at the same time.
        state.join(3, [ChannelStart("/c", .latest)], .fail)
        _ = state.subscribed(state.takePending(), WireResponse(), epoch: state.epoch)
        #expect(state.leave(3) == ["/c"] && !state.accepts([ChannelStart("/c", .latest)]))
        state.closed(["/c"])
        #expect(state.accepts([ChannelStart("/c", .latest)]))
        #expect(state.leave(2) == [] && state.isOver)
    }

    @Test("a connection does not receive while too many events wait for the reply to a subscription")
    func earlyEvents() throws {
        var state = try Self.open()
        state.join(2, [ChannelStart("/b", .earliest)], .fail)
        let beside = state.takePending()
        let early = (0..<ChannelFeed.mostEarly).map { Self.event($0, "/b") }
        _ = state.received(Array(early.dropLast()), after: .zero)
        #expect(!state.isFull)
        _ = state.received([early[early.count - 1]], after: .zero)
        #expect(state.isFull)
        let outcome = state.subscribed(beside, WireResponse(), epoch: state.epoch)
        #expect(Self.numbers(outcome, 2) == Array(early.indices) && !state.isFull)
    }

    @Test("receiving goes on before a response is delivered only if nothing else comes first")
    func goesOn() throws {
        var state = try Self.open()
        let response = WireResponse([Self.event(1)])
        #expect(state.goesOn(after: response) && !state.goesOn(after: WireResponse()))
        var rejecting = response
        rejecting.rejected["/a"] = Self.lost
        #expect(!state.goesOn(after: rejecting))
        state.join(2, [ChannelStart("/b", .earliest)], .fail)
        #expect(!state.goesOn(after: response))
        _ = state.subscribed(state.takePending(), WireResponse(), epoch: state.epoch)
        #expect(state.goesOn(after: response))
        _ = state.failed(Self.lost, draw: 0.5)
        #expect(!state.goesOn(after: response))
    }

    @Test("a channel is added again when no response that began before its removal can have events of it")
    func addedAgain() throws {
        var state = try Self.open()
        let other = [ChannelStart("/b", .earliest)]
        state.join(2, other, .fail)
        _ = state.subscribed(state.takePending(), WireResponse(), epoch: state.epoch)
        state.beginReceiving()
        #expect(state.leave(2) == ["/b"])
        state.beginReceiving()
        state.closed(["/b"])
        _ = state.received([Self.event(1), Self.event(1, "/b")], after: .zero)
        #expect(!state.accepts(other))
        _ = state.received([Self.event(2, "/b")], after: .zero)
        #expect(state.accepts(other))
        state.join(3, other, .fail)
        _ = state.subscribed(state.takePending(), WireResponse(), epoch: state.epoch)
        state.beginReceiving()
        _ = state.leave(3)
        state.closed(["/b"])
        #expect(!state.accepts(other))
        _ = state.failed(Self.lost, draw: 0.5)
        #expect(state.accepts(other))
    }

    @Test("at least the last ids are known, and twice as many at most")
    func recentIDs() {
        var recent = RecentIDs()
        let capacity = RecentIDs.capacity
        for number in 0..<5 * capacity {
            let isNew = recent.insert(id(number))
            let isKnown = number < capacity || !recent.insert(id(number - capacity + 1))
            #expect(isNew && isKnown, "\(number)")
        }
        let isForgotten = recent.insert(id(3 * capacity - 1))
        #expect(isForgotten)
    }

    @Test("a managed subscription shares no connection, misses nothing without a position, and is tried several times")
    func managed() throws {
        var state = ConnectionState()
        let managed = ChannelStart("/a", .latest, managed: "Orders")
        state.join(1, [managed], .fail)
        #expect(!state.accepts([managed]) && !state.accepts([ChannelStart("/b", .latest)]))
        #expect(try !Self.open().accepts([ChannelStart("/b", .latest, managed: "Orders")]))
        for attempt in 1...ConnectionState.mostHeldSubscriptions {
            if case .wait = state.next() { _ = state.next() }
            let epoch = state.opened()
            guard case .subscribe(let channels) = state.next() else { throw Unexpected() }
            #expect(channels == [managed])
            _ = state.subscribed(channels, WireResponse(), epoch: epoch)
            let outcome = state.failed(WireError(EventError(.held, "held"), .retry), draw: 0.5)
            #expect(!Self.statuses(outcome, 1).contains("gap"))
            #expect((outcome.ended[1] != nil) == (attempt == ConnectionState.mostHeldSubscriptions))
        }
    }

    @Test("whatever the network does, every member gets every event once and in order")
    func model() throws {
        for seed in 0..<200 {
            var random = SeededGenerator(seed: UInt64(seed))
            var state = ConnectionState()
            let count = 200
            // What the server will send next in the open session, by channel.
            var server: [String: Int] = [:]
            var got: [UInt64: [String: [Int]]] = [:]
            func take(_ outcome: ConnectionState.Outcome) {
                for (member, items) in outcome.items {
                    for case .event(let event) in items {
                        got[member, default: [:]][event.channel, default: []].append(event.data["n"]?.int ?? -1)
                    }
                }
            }
            let channels = ["/a", "/b", "/c"]
            state.join(1, [ChannelStart("/a", .earliest), ChannelStart("/b", .earliest)], .fail)
            var late: [(channels: [ChannelStart], epoch: UInt64)] = []
            for step in 0..<5_000 {
                let isDone = got[1]?["/a"]?.count == count && got[1]?["/b"]?.count == count
                if isDone, got[2]?["/c"]?.count == count { break }
                if step == 30 {
                    state.join(2, [ChannelStart("/c", .earliest)], .fail)
                    if state.isReceiving { late.append((state.takePending(), state.epoch)) }
                }
                func subscribe(_ starts: [ChannelStart]) {
                    for start in starts {
                        if case .after(let id) = start.start, let number = Int(id.description) {
                            // Servers repeat events before the position.
                            server[start.channel] = max(0, number + 1 - Int.random(in: 0...3, using: &random))
                        } else {
                            server[start.channel] = 0
                        }
                    }
                }
                for (starts, epoch) in late where Bool.random(using: &random) {
                    if epoch == state.epoch { subscribe(starts) }
                    take(state.subscribed(starts, WireResponse(), epoch: epoch))
                    late.removeAll { $0.epoch == epoch }
                }
                switch state.next() {
                case .open:
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        take(state.failed(Self.lost, draw: 0.5))
                    } else {
                        server = [:]
                        _ = state.opened()
                    }
                case .subscribe(let starts):
                    subscribe(starts)
                    if Int.random(in: 0..<8, using: &random) == 0 {
                        take(state.failed(Self.lost, draw: 0.5))
                    } else {
                        take(state.subscribed(starts, WireResponse(), epoch: state.epoch))
                    }
                case .receive:
                    var events: [ReceivedEvent] = []
                    for channel in channels {
                        guard let next = server[channel] else { continue }
                        let end = min(count, next + Int.random(in: 0...9, using: &random))
                        events += (next..<max(next, end)).map { Self.event($0, channel) }
                        server[channel] = max(next, end)
                    }
                    // A cut connection loses what the server has sent.
                    if Int.random(in: 0..<6, using: &random) == 0 {
                        take(state.failed(Self.lost, draw: 0.5))
                    } else {
                        take(state.received(events, after: .seconds(1)))
                    }
                case .wait: break
                case .stop: Issue.record("stopped")
                }
            }
            for (member, channel) in [(UInt64(1), "/a"), (1, "/b"), (2, "/c")] {
                #expect(got[member]?[channel] == Array(0..<count), "seed \(seed), \(channel)")
            }
        }
    }
}

func id(_ number: Int) -> ReplayID {
    guard let id = ReplayID("\(number)") else { preconditionFailure("\(number) is no replay id") }
    return id
}

extension ConnectionState {
    fileprivate mutating func received(_ events: [ReceivedEvent], after duration: Duration) -> Outcome {
        received(WireResponse(events), after: duration)
    }
}

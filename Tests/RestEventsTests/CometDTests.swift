// SPDX-License-Identifier: Apache-2.0

import EventServers
import RestAuth
import RestJSON
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestEvents

@Suite("Subscriptions over CometD", .timeLimit(.minutes(2)))
struct CometDTests {
    private static let channel = "/event/Order__e"

    @Test("retained and new events come in order, with their fields and positions")
    func basics() async throws {
        let server = ModelEventServer()
        server.publish(Self.channel, numbers: 0..<250)
        let client = try client(of: server)
        var events = client.events(Self.channel, from: .earliest).makeAsyncIterator()
        #expect(server.state.withLock { $0.requests.isEmpty })
        var ids: [ReplayID] = []
        for number in 0..<250 {
            let event = try #require(try await events.next())
            #expect(event["n"]?.int == number && event.channel == Self.channel && event.uuid == "u")
            ids.append(event.replayID)
        }
        #expect(Set(ids).count == 250)
        let publisher = Task {
            await until { server.state.withLock { !$0.waiters.isEmpty } }
            server.publish(Self.channel, ["n": 250])
        }
        #expect(try await events.next()?["n"]?.int == 250)
        await publisher.value
        #expect(server.state.withLock { $0.sessions.count } == 1)
        let rest = try await numbers(51, of: client.events(Self.channel, from: .after(ids[199])))
        #expect(rest == Array(200...250))
    }

    @Test("new events only, of several channels in one session, and a released iterator ends it")
    func channels() async throws {
        let server = ModelEventServer()
        server.publish("/event/A__e", ["n": 0])
        let client = try client(of: server)
        let connected = AwaitedStatus()
        var iterator: EventSequence<ReceivedEvent>.AsyncIterator? = client.events(
            ["/event/A__e", "/data/AccountChangeEvent"], options: connected.options
        ).makeAsyncIterator()
        let publisher = Task {
            await connected.wait { if case .connected = $0 { true } else { false } }
            server.publish("/data/AccountChangeEvent", ["n": 1])
        }
        #expect(try await iterator?.next()?.channel == "/data/AccountChangeEvent")
        await publisher.value
        server.publish("/event/A__e", ["n": 2])
        #expect(try await iterator?.next()?["n"]?.int == 2)
        #expect(server.state.withLock { $0.sessions.count } == 1)
        iterator = nil
        await until { server.state.withLock { $0.sessions.isEmpty } }
    }

    @Test("cut, lost, expired and busy connections: nothing is lost, nothing comes twice, all in order")
    func faults() async throws {
        for seed in 0..<60 {
            let random = Mutex(SeededGenerator(seed: UInt64(seed)))
            let server = ModelEventServer { _, _ in
                random.withLock { random in
                    switch Int.random(in: 0..<16, using: &random) {
                    case 0: .lost
                    case 1: .responseLost
                    case 2: .sessionLost
                    case 3: .respond(503, "busy")
                    default: nil
                    }
                }
            }
            server.state.withLock { $0.batch = 7 }
            server.publish(Self.channel, numbers: 0..<50)
            let client = try client(of: server)
            var events = client.events(Self.channel, from: .earliest).makeAsyncIterator()
            for number in 0..<120 {
                if number % 10 == 0 { server.publish(Self.channel, numbers: 50 + number..<60 + number) }
                if number == 30 || number == 90 { server.expireToken() }
                let event = try await events.next()
                #expect(event?["n"]?.int == number, "seed \(seed)")
            }
        }
    }

    @Test("a thousand subscriptions share one session, and an expired token is renewed once")
    func thousand() async throws {
        let server = ModelEventServer()
        let client = try client(of: server)
        let connected = Watched(0)
        var options = EventOptions()
        options.onStatus = { if case .connected = $0 { connected.update { $0 += 1 } } }
        let renewed = Watched(0)
        try await withThrowingTaskGroup { [options] group in
            for number in 0..<1_000 {
                group.addTask {
                    var options = options
                    let onStatus = options.onStatus
                    options.onStatus = { status in
                        onStatus?(status)
                        if case .tokenRenewed = status { renewed.update { $0 += 1 } }
                    }
                    let channel = "/event/E\(number % 100)__e"
                    return try await numbers(2, of: client.events(channel, options: options)) == [1, 2]
                }
            }
            _ = await connected.wait { $0 == 1_000 }
            for number in 0..<100 { server.publish("/event/E\(number)__e", ["n": 1]) }
            server.expireToken()
            for number in 0..<100 { server.publish("/event/E\(number)__e", ["n": 2]) }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(server.state.withLock { $0.renewals } == 1)
        #expect(renewed.value > 0)
        #expect(server.state.withLock { $0.lastSession } <= 3)
    }

    @Test("a position that the server does not have is an error, or continues where the app says, with a gap")
    func invalidPosition() async throws {
        let server = ModelEventServer()
        server.publish(Self.channel, numbers: 0..<3)
        let client = try client(of: server)
        let unknown = EventStart.after(try #require(ReplayID("7")))
        let error = await ending(of: client.events(Self.channel, from: unknown))
        #expect(error?.code == .invalidPosition && error?.channel == Self.channel)
        let status = AwaitedStatus()
        var options = status.options
        options.invalidPosition = .earliest
        #expect(try await numbers(3, of: client.events(Self.channel, from: unknown, options: options)) == [0, 1, 2])
        let gap = EventGap(channel: Self.channel, reason: .invalidPosition(try #require(ReplayID("7"))))
        #expect(status.gaps == [gap])
    }

    @Test("a position of another protocol is never taken as the latest event")
    func foreignPosition() async throws {
        let server = ModelEventServer()
        server.publish(Self.channel, numbers: 0..<3)
        let client = try client(of: server)
        let foreign = EventStart.after(try #require(ReplayID(bytes: [0, 0, 0, 0, 0, 0, 0, 0, 1])))
        let error = await ending(of: client.events(Self.channel, from: foreign))
        #expect(error?.code == .invalidPosition && error?.channel == Self.channel)
        var options = EventOptions()
        options.invalidPosition = .earliest
        #expect(try await numbers(3, of: client.events(Self.channel, from: foreign, options: options)) == [0, 1, 2])
    }

    @Test("pages of a portal in place of messages end the subscription after some attempts")
    func portal() async throws {
        let server = ModelEventServer { _, _ in .respond(200, "<html>a portal</html>") }
        let error = await ending(of: try client(of: server).events(Self.channel))
        #expect(error?.code == .response && error?.rest?.code == .decoding)
        let count = ConnectionState.mostInvalidResponses
        #expect(server.state.withLock { $0.requests.count } == count)
    }

    @Test("limits, missing channels and missing rights end the subscription with a typed error")
    func rejections() async throws {
        let cases: [(String, EventError.Code)] = [
            ("403::Organization concurrent user limit exceeded", .limit),
            ("403::The daily event delivery limit was exceeded", .limit),
            ("403:denied_by_security_policy:create_denied", .forbidden),
            ("400::The channel you requested to subscribe to does not exist {/event/Order__e}", .unknownChannel),
        ]
        for (text, code) in cases {
            let server = ModelEventServer()
            server.state.withLock { $0.rejections[Self.channel] = text }
            let error = await ending(of: try client(of: server).events(Self.channel))
            #expect(error?.code == code && error?.channel == Self.channel, "\(text)")
            #expect(error?.advice.isEmpty == false)
        }
        let server = ModelEventServer()
        server.state.withLock {
            $0.handshakeError = [
                "successful": false, "error": "403::Handshake denied", "advice": ["reconnect": "none"],
                "ext": ["sfdc": ["failureReason": "401::Authentication invalid"]],
            ]
        }
        #expect(await ending(of: try client(of: server).events(Self.channel))?.code == .unauthorized)
        #expect(server.state.withLock { $0.renewals } == ConnectionState.mostRejectedTokens)
    }

    @Test("invalid channels are refused before anything is sent")
    func arguments() async throws {
        let server = ModelEventServer()
        let client = try client(of: server)
        for channels in [
            [], ["event"], ["/meta/connect"], ["/event/*"], ["/event/a b"], ["/a", "/a"],
            ["/" + String(repeating: "x", count: 500)],
        ] {
            #expect(await ending(of: client.events(channels))?.code == .argument)
        }
        #expect(server.state.withLock { $0.requests.isEmpty })
    }

    @Test("cancelling the task, all calls or the client ends a subscription once, with the error of a call")
    func ends() async throws {
        let ends: [(EventError.Code, @Sendable (RestClient, Task<EventError?, Never>) async -> Void)] = [
            (.cancelled, { $1.cancel() }), (.cancelled, { client, _ in client.cancelAll() }),
            (.shutDown, { client, _ in client.shutdown() }),
        ]
        for (code, end) in ends {
            let server = ModelEventServer()
            let client = try client(of: server)
            let status = AwaitedStatus()
            let options = status.options
            let task = Task { await ending(of: client.events(Self.channel, options: options)) }
            await status.wait { if case .connected = $0 { true } else { false } }
            await end(client, task)
            #expect(await task.value?.code == code)
        }
        let server = ModelEventServer()
        let client = try client(of: server)
        client.shutdown()
        #expect(await ending(of: client.events(Self.channel))?.code == .shutDown)
    }

    @Test("a slow reader stops the server, and another subscription leaves it behind without a loss")
    func slowReader() async throws {
        let server = ModelEventServer()
        server.publish(Self.channel, numbers: 0..<2_000)
        server.publish("/event/Other__e", numbers: 0..<10)
        let clock = ManualClock(alarmsBeyond: .seconds(45))
        let client = try client(of: server, clock: clock)
        var options = EventOptions()
        options.bufferSize = 10
        var slow = client.events(Self.channel, from: .earliest, options: options).makeAsyncIterator()
        #expect(try await slow.next()?["n"]?.int == 0)
        #expect(try await numbers(10, of: client.events("/event/Other__e", from: .earliest)) == Array(0..<10))
        for number in 1..<2_000 { #expect(try await slow.next()?["n"]?.int == number) }
    }

    @Test("a channel that is left and added again is in order, while the connection receives ahead for another")
    func addedAgain() async throws {
        let server = ModelEventServer()
        server.state.withLock { $0.batch = 5 }
        server.publish(Self.channel, numbers: 0..<60)
        let client = try client(of: server)
        let busy = Task { try await numbers(3_000, of: client.events("/event/Other__e", from: .earliest)) }
        for round in 0..<60 {
            server.publish("/event/Other__e", numbers: round * 50..<round * 50 + 50)
            let count = 1 + round % 59
            let numbers = try await numbers(count, of: client.events(Self.channel, from: .earliest))
            #expect(numbers == Array(0..<count), "round \(round)")
        }
        #expect(try await busy.value == Array(0..<3_000))
    }

    @Test("a slow subscription that leaves the connection reports the channels without a position as gaps")
    func slowGap() async throws {
        let server = ModelEventServer()
        let client = try client(of: server)
        let status = AwaitedStatus()
        var options = status.options
        options.bufferSize = 1
        var slow = client.events([Self.channel, "/event/Quiet__e"], options: options).makeAsyncIterator()
        let publisher = Task {
            await status.wait { if case .connected = $0 { true } else { false } }
            server.publish(Self.channel, numbers: 0..<5)
        }
        #expect(try await slow.next()?["n"]?.int == 0)
        await publisher.value
        // Another subscription shares the connection, which does not wait for the slow one for long.
        let other = Task { try await numbers(1, of: client.events("/event/Other__e")) }
        await until { server.state.withLock { $0.requests.contains { $0.hasPrefix("/meta/unsubscribe") } } }
        for number in 1..<5 { #expect(try await slow.next()?["n"]?.int == number) }
        #expect(status.gaps.isEmpty)
        server.publish(Self.channel, numbers: 5..<6)
        #expect(try await slow.next()?["n"]?.int == 5)
        #expect(status.gaps == [EventGap(channel: "/event/Quiet__e", reason: .unknownPosition)])
        other.cancel()
        _ = await other.result
    }

    @Test("a gap is reported before the next event is returned, however late the other statuses are reported")
    func gapBeforeEvent() async throws {
        let status = AwaitedStatus()
        let source = EventSource(try client(of: ModelEventServer()), .cometD)
        let channel = "/data/AccountChangeEvent"
        let reader = EventReader([channel], from: .latest, nil, status.options, source)
        let header: JSONValue = ["ChangeEventHeader": ["changeType": "GAP_UPDATE"]]
        let event = ReceivedEvent(channel: channel, replayID: try #require(ReplayID("1")), data: ["payload": header])
        let unknown = EventGap(channel: channel, reason: .unknownPosition)
        let gaps = [unknown, EventGap(channel: channel, reason: .reported("GAP_UPDATE"))]
        let reportRest = reader.offer([.status(.resumed), .status(.gap(unknown)), .event(event)])
        while let item = try await reader.next() {
            guard case .event = item else { continue }
            break
        }
        #expect(status.gaps == gaps)
        reportRest()
        #expect(status.gaps == gaps && status.all.count == 3)
    }
}

/// Records the statuses of a subscription.
final class AwaitedStatus: Sendable {
    private let seen = Watched<[EventStatus]>([])

    var options: EventOptions {
        var options = EventOptions()
        options.onStatus = { [seen] status in seen.update { $0.append(status) } }
        return options
    }

    var all: [EventStatus] { seen.value }
    var gaps: [EventGap] { all.compactMap { if case .gap(let gap) = $0 { gap } else { nil } } }

    func wait(until condition: @escaping @Sendable (EventStatus) -> Bool) async {
        _ = await seen.wait { $0.contains(where: condition) }
    }
}

/// Waits until a condition is true, which another task makes true soon.
func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EventServers
import RestEvents
import RestTesting
import Synchronization
import Testing

@Suite("The calling styles of subscriptions", .timeLimit(.minutes(2)))
@MainActor
struct EventFrontTests {
    private static let channel = "/event/Order__e"

    @Test("closures on an actor get each event, and one end")
    func actorClosures() async throws {
        let server = ModelEventServer()
        server.publish(Self.channel, numbers: 0..<20)
        var (seen, ends): ([Int], [EventError.Code]) = ([], [])
        let task = try client(of: server).events(Self.channel, from: .earliest).subscribe { event in
            MainActor.assertIsolated()
            seen.append(event["n"]?.int ?? -1)
        } onEnd: {
            ends.append($0.code)
        }
        await until { seen.count == 20 }
        task.cancel()
        #expect(await task.error.code == .cancelled)
        #expect(seen == Array(0..<20) && ends == [.cancelled])
    }

    @Test("closures on a queue get each event in order, and a stored position follows them")
    func queueClosures() async throws {
        let folder = try TemporaryDirectory()
        let server = ModelEventServer()
        server.publish(Self.channel, numbers: 0..<20)
        let store = FileEventPositions(directory: folder.path)
        let queue = DispatchQueue(label: "events")
        let seen = Watched<[Int]>([])
        let ends = Watched<[EventError.Code]>([])
        let client = try client(of: server)
        let task = client.events(
            Self.channel, from: .earliest, as: EventSubscription(name: "orders", store: store)
        ).subscribe(on: queue) { event in
            dispatchPrecondition(condition: .onQueue(queue))
            seen.update { $0.append(event["n"]?.int ?? -1) }
        } onEnd: { error in
            ends.update { $0.append(error.code) }
        }
        _ = await seen.wait { $0.count == 20 }
        client.shutdown()
        #expect(await task.error.code == .shutDown)
        #expect(seen.value == Array(0..<20) && ends.value == [.shutDown])
        let last = try store.positions(of: "orders").first?.replayID.description
        #expect(last == server.state.withLock { $0.channels[Self.channel]?.last.map { "\($0.id)" } })
    }

    @Test("a delegate gets events, reconnects, gaps and one end, in order")
    func delegate() async throws {
        let isLost = Atomic(false)
        let server = ModelEventServer { _, name in
            isLost.exchange(false, ordering: .relaxed) && name == "/meta/connect" ? .lost : nil
        }
        let listener = Listener()
        let task = try client(of: server).events(Self.channel).subscribe(delegate: listener)
        await until { server.state.withLock { !$0.waiters.isEmpty } }
        isLost.store(true, ordering: .relaxed)
        server.publish(Self.channel, ["n": 1])
        await until { listener.told.count >= 1 }
        server.state.withLock { $0.sessions = [:] }
        server.expireToken()
        await until { listener.told.contains("reconnected") }
        server.publish(Self.channel, ["n": 2])
        await until { listener.told.last == "2" }
        task.cancel()
        _ = await task.error
        #expect(listener.told.first == "1" && listener.told.suffix(2) == ["2", "failed cancelled"])
        #expect(listener.told.count { $0.hasPrefix("failed") } == 1)
    }

    @Test("a delegate that is gone cancels its subscription, and the event that it missed comes again")
    func goneDelegate() async throws {
        let folder = try TemporaryDirectory()
        let server = ModelEventServer()
        server.publish(Self.channel, numbers: 0..<2)
        var listener: Listener? = Listener()
        let stored = EventSubscription(name: "orders", store: FileEventPositions(directory: folder.path))
        let events = try client(of: server).events(Self.channel, from: .earliest, as: stored)
        let task = events.subscribe(delegate: try #require(listener))
        await until { listener?.told.count == 2 }
        listener = nil
        server.publish(Self.channel, ["n": 2])
        #expect(await task.error.code == .cancelled)
        #expect(try await numbers(1, of: events) == [2])
    }
}

/// A screen that keeps what it was told.
@MainActor
private final class Listener: @MainActor EventDelegate {
    private(set) var told: [String] = []

    func subscription(_ channels: [String], didReceive event: ReceivedEvent) { told.append("\(event["n"]?.int ?? -1)") }
    func subscription(_ channels: [String], didFail error: EventError) { told.append("failed \(error.code)") }
    func subscriptionDidReconnect(_ channels: [String]) { told.append("reconnected") }
    func subscription(_ channels: [String], didMissEvents gap: EventGap) { told.append("gap") }
}

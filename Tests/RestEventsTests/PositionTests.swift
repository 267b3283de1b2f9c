// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EventServers
import Foundation
import RestEvents
import RestSQLite
import RestTesting
import Synchronization
import Testing

@Suite("Positions of named subscriptions", .timeLimit(.minutes(2)))
struct PositionTests {
    private static let channel = "/event/Order__e"

    private func stores(_ folder: TemporaryDirectory) throws -> [any EventPositionStore] {
        [
            FileEventPositions(directory: folder.path("positions")),
            FileEventPositions(directory: folder.path("durable"), isDurable: true),
            try SQLiteEventPositions(path: folder.path("positions.db")),
        ]
    }

    @Test("a subscription continues after the last event whose handler has returned")
    func resumes() async throws {
        let folder = try TemporaryDirectory()
        for store in try stores(folder) {
            let server = ModelEventServer()
            server.publish(Self.channel, numbers: 0..<10)
            let client = try client(of: server)
            let subscription = EventSubscription(name: "orders", store: store)
            // The handler of the last event has not returned when the loop ends.
            #expect(
                try await numbers(4, of: client.events(Self.channel, from: .earliest, as: subscription)) == [
                    0, 1, 2, 3,
                ])
            #expect(try await numbers(2, of: client.events(Self.channel, as: subscription)) == [3, 4])
            #expect(try await store.positions(of: "orders").map(\.channel) == [Self.channel])
            #expect(try await store.positions(of: "other").isEmpty)
            let other = EventPosition(channel: "/b", replayID: try #require(ReplayID("0x00ff")))
            try await store.save(other, of: "orders")
            #expect(try await store.positions(of: "orders").count == 2)
            #expect(try await store.positions(of: "orders").contains(other))
            #expect(try await numbers(2, of: client.events(Self.channel, as: subscription)) == [4, 5])
        }
    }

    @Test("one subscription at a time has a name, in one process or in several")
    func locks() async throws {
        let folder = try TemporaryDirectory()
        for store in try stores(folder) {
            let server = ModelEventServer()
            server.publish(Self.channel, numbers: 0..<3)
            let client = try client(of: server)
            let subscription = EventSubscription(name: "orders", store: store)
            var first: EventSequence<ReceivedEvent>.AsyncIterator? = client.events(
                Self.channel, from: .earliest, as: subscription
            ).makeAsyncIterator()
            #expect(try await first?.next() != nil)
            let error = await ending(of: client.events(Self.channel, as: subscription))
            #expect(error?.code == .held && error?.message.contains("process \(getpid())") == true)
            first = nil
            #expect(try await numbers(1, of: client.events(Self.channel, from: .earliest, as: subscription)) == [0])
        }
        let worker = try RunningProgram(BuiltProgram.url("eventworker"), ["hold", "1", folder.path("positions")])
        #expect(worker.nextLine().map { String(decoding: $0, as: UTF8.self) } == "held")
        let store = FileEventPositions(directory: folder.path("positions"))
        let held = #expect(throws: EventError.self) { try store.lock("orders") }
        #expect(held?.message.contains("process \(worker.process.processIdentifier)") == true)
        worker.kill()
        _ = try store.lock("orders")
    }

    @Test("a damaged store is an error and never a new beginning")
    func damaged() async throws {
        let folder = try TemporaryDirectory()
        for text in ["", "[]", "{", #"{"/a": 1}"#, #"{"/a": "x"}"#] {
            try folder.write(text, to: "orders.json")
            let store = FileEventPositions(directory: folder.path)
            #expect(throws: EventError.self) { try store.positions(of: "orders") }
            let client = try client(of: ModelEventServer())
            let events = client.events(Self.channel, as: EventSubscription(name: "orders", store: store))
            #expect(await ending(of: events)?.code == .store)
        }
        try folder.write("no database", to: "positions.db")
        #expect(throws: EventError.self) { try SQLiteEventPositions(path: folder.path("positions.db")) }
        for name in ["", ".hidden", "a/b", "a b", String(repeating: "x", count: 101)] {
            let client = try client(of: ModelEventServer())
            let store = FileEventPositions(directory: folder.path("names"))
            let events = client.events(Self.channel, as: EventSubscription(name: name, store: store))
            #expect(await ending(of: events)?.code == .argument)
        }
    }

    @Test("a store that fails ends the subscription with its error")
    func failing() async throws {
        struct Full: Error {}
        struct FullStore: EventPositionStore {
            func lock(_ name: String) -> EventLock { EventLock(0) }
            func positions(of name: String) -> [EventPosition] { [] }
            func save(_ position: EventPosition, of name: String) throws { throw Full() }
        }
        let server = ModelEventServer()
        server.publish(Self.channel, numbers: 0..<3)
        let subscription = EventSubscription(name: "orders", store: FullStore())
        let events = try client(of: server).events(Self.channel, from: .earliest, as: subscription)
        let error = await ending(of: events)
        #expect(error?.code == .store && error?.underlying is Full)
    }
}

/// A process that handles events is killed at any time.
@Suite("Subscribers that are killed", .serialized, .timeLimit(.minutes(2)))
struct SubscriberKillTests {
    private static let channel = "/event/Order__e"

    private static let (rounds, perRound) = (15, 8)
    private static let all = Array(0..<rounds * perRound)

    /// Runs the worker again and again, each time with some more events, and kills it while it handles them.
    private func work(_ mode: String, _ folder: TemporaryDirectory, effects: () throws -> [Int]) async throws {
        let server = ModelEventServer()
        let port = try EventPort(server)
        for round in 1...Self.rounds {
            let end = round * Self.perRound
            server.publish(Self.channel, numbers: end - Self.perRound..<end)
            let worker = try RunningProgram(BuiltProgram.url("eventworker"), [mode, "\(port.port)", folder.path])
            // The last process handles all events, the others some of the new ones.
            let goal = round < Self.rounds ? end - Self.perRound + round % Self.perRound : end - 1
            while worker.process.isRunning, try effects().last.map({ $0 < goal }) ?? true {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(worker.process.isRunning, "round \(round)")
            worker.kill()
        }
    }

    @Test("in the transaction of the app each event takes effect once")
    func exactlyOnce() async throws {
        let folder = try TemporaryDirectory()
        let database = try SQLiteConnection(path: folder.path("effects.db"))
        try database.keepLog()
        try database.execute("CREATE TABLE IF NOT EXISTS effects (n INTEGER)")
        let read = { try database.list("SELECT n FROM effects ORDER BY rowid") { Int($0.integer(0)) } }
        try await work("transaction", folder, effects: read)
        #expect(try read() == Self.all)
    }

    @Test("with a store beside it no event is lost, and only the last ones are repeated")
    func atLeastOnce() async throws {
        for mode in ["file", "sqlite"] {
            let folder = try TemporaryDirectory()
            let read = {
                (folder.text(of: "effects") ?? "").split(separator: "\n").compactMap { Int($0) }
            }
            try await work(mode, folder, effects: read)
            let effects = read()
            #expect(Set(effects) == Set(Self.all))
            // A repeat is the one event whose handler had returned before its position was stored.
            #expect(zip(effects, effects.dropFirst()).allSatisfy { $1 == $0 + 1 || $1 == $0 })
        }
    }
}

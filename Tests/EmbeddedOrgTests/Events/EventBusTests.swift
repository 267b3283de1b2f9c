// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSQLite
import SOQLStore
import Synchronization
import Testing

@testable import EmbeddedOrg

@Suite("The event bus, as a protocol reads it", .timeLimit(.minutes(2)))
struct EventBusTests {
    @Test("a reader is woken after each commit, and reads after its position what it has not read")
    func reading() async throws {
        let client = try await OrgClient.start()
        let bus = client.org.service.router.bus
        let database = client.org.service.router.records.store.database
        let channel = try #require(try bus.channel(named: "/data/AccountChangeEvent", database))
        let start = try #require(try bus.position(-1, of: channel, database))
        let woken = Mutex<[Set<String>]>([])
        bus.listen { topics in woken.withLock { $0.append(topics) } }
        let id = try client.create("Account", #"{"Name":"A","Phone":"1"}"#)
        try client.send("PATCH", "\(OrgClient.data)/sobjects/Account/\(id)", body: #"{"Phone":null}"#)
        _ = try client.create("Contact", #"{"LastName":"Not captured"}"#)
        #expect(woken.withLock(\.self) == [["AccountChangeEvent"], ["AccountChangeEvent"]])
        let first = try bus.events(of: channel, after: start, most: 1, database)
        let second = try bus.events(of: channel, after: first.end, most: 10, database)
        #expect(first.events.count == 1 && second.events.count == 1)
        let event = try #require(second.events.first)
        #expect(try JSONValue(parsing: event.payload)["Phone"] == .null && event.type.isEmpty)
        #expect(bus.schemas.schema(ofTopic: event.topic)?.name == "AccountChangeEvent")
        #expect(try bus.events(of: channel, after: second.end, most: 10, database).events.isEmpty)
        #expect(try bus.position(event.replay, of: channel, database) == event.replay)
        #expect(try bus.position(event.replay + 1_000, of: channel, database) == nil)
        let plan = try database.fetch("EXPLAIN QUERY PLAN " + EventBus.replayOfEvent, [.text("a")]) { $0.text(3) }
        #expect(plan.count == 1 && plan[0].contains("org.Event.UUID"), "\(plan)")
        let contacts = try #require(try bus.channel(named: "/data/ContactChangeEvent", database))
        #expect(try bus.position(event.replay, of: contacts, database) == nil)
    }
}

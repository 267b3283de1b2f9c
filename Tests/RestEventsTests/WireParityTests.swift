// SPDX-License-Identifier: Apache-2.0

import EventServers
import OrgModels
import RestHTTP2
import RestJSON
import RestSDK
import RestTesting
import Synchronization
import Testing

@testable import RestEvents

/// A client and a server of one protocol, whose events are those of a model.
struct WireBed: Sendable {
    enum Wire: CaseIterable { case cometD, pubSub }

    /// The same fault for both protocols.
    enum Fault: Sendable {
        case connectionLost, sessionLost, busy
    }

    let model: ModelEventServer
    let client: RestClient
    let server: ModelPubSubServer?

    /// Runs a body with a bed, and stops its server.
    static func run<Value: Sendable>(
        _ wire: Wire, fault: @escaping @Sendable () -> Fault? = { nil },
        _ body: (WireBed) async throws -> Value
    ) async throws -> Value {
        let model = ModelEventServer { _, _ in
            guard wire == .cometD else { return nil }
            return switch fault() {
            case .connectionLost?: .responseLost
            case .sessionLost?: .sessionLost
            case .busy?: .respond(503, "busy")
            case nil: nil
            }
        }
        var server: ModelPubSubServer?
        if wire == .pubSub {
            server = try ModelPubSubServer(model, schemas: EventModel.schemas) {
                switch fault() {
                case .connectionLost?: .connection
                case .sessionLost?: .status(GRPCError(.internal, "lost"))
                case .busy?:
                    .status(
                        GRPCError(
                            .internal, "busy",
                            trailers: ["error-code": "sfdc.platform.eventbus.grpc.service.unavailable"]))
                case nil: nil
                }
            }
        }
        let bed = WireBed(model: model, client: try EventServers.client(of: model), server: server)
        do {
            let value = try await body(bed)
            bed.client.shutdown()
            await server?.stop()
            return value
        } catch {
            bed.client.shutdown()
            await server?.stop()
            throw error
        }
    }

    func options(_ options: EventOptions = EventOptions()) -> EventOptions { server?.options(options) ?? options }

    /// The id of an event in this protocol.
    func id(_ number: Int) throws -> ReplayID {
        try #require(
            server == nil ? ReplayID(number: Int64(number)) : ReplayID(bytes: ModelPubSubServer.id(number)))
    }
}

@Suite("Both protocols mean the same", .timeLimit(.minutes(2)))
struct WireParityTests {
    @Test("retained and new events come in order, with their fields and positions", arguments: WireBed.Wire.allCases)
    func basics(wire: WireBed.Wire) async throws {
        try await WireBed.run(wire) { bed in
            bed.model.publish(EventModel.channel, numbers: 0..<250)
            var events = bed.client.events(EventModel.channel, from: .earliest, options: bed.options())
                .makeAsyncIterator()
            var ids: [ReplayID] = []
            for number in 0..<250 {
                let event = try #require(try await events.next())
                #expect(event["n"]?.int == number && event.channel == EventModel.channel && event.uuid == "u")
                #expect(event.schema != nil)
                ids.append(event.replayID)
            }
            #expect(Set(ids).count == 250)
            bed.model.publish(EventModel.channel, ["n": 250])
            #expect(try await events.next()?["n"]?.int == 250)
            let rest = bed.client.events(EventModel.channel, from: .after(ids[199]), options: bed.options())
            #expect(try await numbers(51, of: rest) == Array(200...250))
        }
    }

    @Test("a change has the same data, with names for bitmaps and without fields that did not change")
    func changes() async throws {
        let header: JSONObject = [
            "entityName": "Account", "recordIds": ["001000000000001AAA"], "changeType": "UPDATE",
            "changeOrigin": "com/salesforce/api/rest/60.0;client=X", "transactionKey": "key", "sequenceNumber": 2,
            "commitTimestamp": 1_700_000_000_500, "commitNumber": 12_345, "commitUser": "005000000000001AAA",
            "nulledFields": ["Phone", "BillingAddress.Street"], "diffFields": ["Description"],
            "changedFields": [
                "Phone", "Description", "LastModifiedDate", "BillingAddress.Street", "BillingAddress.City",
            ],
        ]
        let payload: JSONValue = [
            "ChangeEventHeader": JSONValue(header), "Phone": nil, "Description": ["diff": "--- a"],
            "BillingAddress": ["Street": nil, "City": "Oslo"], "LastModifiedDate": "2026-01-01T00:00:00.000Z",
        ]
        var received: [ReceivedEvent] = []
        for wire in WireBed.Wire.allCases {
            let event = try await WireBed.run(wire) { bed in
                bed.model.publish(EventModel.changes, payload)
                var changes = bed.client.changeEvents(of: Account.self, from: .earliest, options: bed.options())
                    .makeAsyncIterator()
                let change = try #require(try await changes.next())
                #expect(change.kind == .updated && change.isNulled(\.phone) && !change.isNulled(\.name), "\(wire)")
                #expect(!change.isChanged(\.name) && change.changed[\.billingCity] == "Oslo", "\(wire)")
                #expect(change.isChanged(\.billingStreet) && change.header.commitNumber == 12_345, "\(wire)")
                return change.event
            }
            received.append(event)
        }
        #expect(received[0].fields.count == received[1].fields.count)
        for (name, value) in received[0].fields where name != "ChangeEventHeader" {
            #expect(received[1][name] == value, "\(name)")
        }
        #expect(received[0].changeHeader == received[1].changeHeader)
    }

    @Test("lost connections, lost sessions and busy servers lose nothing", arguments: WireBed.Wire.allCases)
    func faults(wire: WireBed.Wire) async throws {
        for seed in 0..<20 {
            let random = Mutex(SeededGenerator(seed: UInt64(seed)))
            let fault = { @Sendable () -> WireBed.Fault? in
                random.withLock { random in
                    switch Int.random(in: 0..<16, using: &random) {
                    case 0: .connectionLost
                    case 1: .sessionLost
                    case 2: .busy
                    default: nil
                    }
                }
            }
            try await WireBed.run(wire, fault: fault) { bed in
                bed.model.state.withLock { $0.batch = 7 }
                bed.model.publish(EventModel.channel, numbers: 0..<50)
                var events = bed.client.events(EventModel.channel, from: .earliest, options: bed.options())
                    .makeAsyncIterator()
                for number in 0..<120 {
                    if number % 10 == 0 { bed.model.publish(EventModel.channel, numbers: 50 + number..<60 + number) }
                    if number == 30 || number == 90 { bed.model.expireToken() }
                    let event = try await events.next()
                    #expect(event?["n"]?.int == number, "seed \(seed)")
                }
            }
        }
    }

    @Test("a position that the server does not have is an error, or a gap", arguments: WireBed.Wire.allCases)
    func invalidPosition(wire: WireBed.Wire) async throws {
        try await WireBed.run(wire) { bed in
            bed.model.publish(EventModel.channel, numbers: 0..<3)
            let other = try #require(wire == .cometD ? ReplayID("0x07") : ReplayID("7"))
            for id in [try bed.id(7), other] {
                let unknown = EventStart.after(id)
                let events = bed.client.events(EventModel.channel, from: unknown, options: bed.options())
                let error = await ending(of: events)
                #expect(error?.code == .invalidPosition && error?.channel == EventModel.channel)
                let status = AwaitedStatus()
                var options = bed.options(status.options)
                options.invalidPosition = .earliest
                let all = bed.client.events(EventModel.channel, from: unknown, options: options)
                #expect(try await numbers(3, of: all) == [0, 1, 2])
                #expect(status.gaps == [EventGap(channel: EventModel.channel, reason: .invalidPosition(id))])
            }
        }
    }

    @Test(
        "retention that ends while a subscription reconnects is an error or a gap, and never silent",
        arguments: WireBed.Wire.allCases)
    func retention(wire: WireBed.Wire) async throws {
        for choice in [EventOptions.Missing.fail, .earliest, .latest] {
            let isDown = Atomic(false)
            let fault = { @Sendable () -> WireBed.Fault? in isDown.load(ordering: .relaxed) ? .connectionLost : nil }
            try await WireBed.run(wire, fault: fault) { bed in
                bed.model.publish(EventModel.channel, numbers: 0..<3)
                let (status, seen) = (AwaitedStatus(), Watched<[Int]>([]))
                var options = bed.options(status.options)
                options.invalidPosition = choice
                let events = bed.client.events(EventModel.channel, from: .earliest, options: options)
                let reader = Task { () -> EventError? in
                    do throws(EventError) {
                        for try await event in events { seen.update { $0.append(event["n"]?.int ?? -1) } }
                        return nil
                    } catch {
                        return error
                    }
                }
                await status.wait { if case .caughtUp = $0 { true } else { false } }
                _ = await seen.wait { $0.count == 3 }
                // The events 3 and 4 are lost on the way, and retention removes them with the position after 2.
                isDown.store(true, ordering: .relaxed)
                bed.model.state.withLock { $0.sessions = [:] }
                bed.model.publish(EventModel.channel, numbers: 3..<5)
                await status.wait { if case .disconnected = $0 { true } else { false } }
                let ids = bed.model.expire(EventModel.channel)
                bed.model.publish(EventModel.channel, numbers: 5..<7)
                isDown.store(false, ordering: .relaxed)
                if choice == .fail {
                    let error = await reader.value
                    #expect(error?.code == .invalidPosition && error?.channel == EventModel.channel)
                    #expect(seen.value == [0, 1, 2] && status.gaps.isEmpty)
                    return
                }
                var next = 7
                while seen.value.count < 5 {
                    bed.model.publish(EventModel.channel, ["n": JSONValue(next)])
                    next += 1
                    try await Task.sleep(for: .milliseconds(2))
                }
                reader.cancel()
                _ = await reader.value
                #expect(seen.value[3] >= 5 && (choice == .latest || seen.value[3...4] == [5, 6]), "\(seen.value)")
                let gap = EventGap(channel: EventModel.channel, reason: .invalidPosition(try bed.id(ids[2])))
                #expect(status.gaps.first == gap && (choice == .latest || status.gaps.count == 1), "\(status.gaps)")
            }
        }
    }

    @Test("a task, all calls or the client end a subscription once", arguments: WireBed.Wire.allCases)
    func ends(wire: WireBed.Wire) async throws {
        let ends: [(EventError.Code, @Sendable (RestClient, Task<EventError?, Never>) async -> Void)] = [
            (.cancelled, { $1.cancel() }), (.cancelled, { client, _ in client.cancelAll() }),
            (.shutDown, { client, _ in client.shutdown() }),
        ]
        for (code, end) in ends {
            try await WireBed.run(wire) { bed in
                let status = AwaitedStatus()
                let options = bed.options(status.options)
                let task = Task { [client = bed.client] in
                    await ending(of: client.events(EventModel.channel, options: options))
                }
                await status.wait { if case .connected = $0 { true } else { false } }
                await end(bed.client, task)
                #expect(await task.value?.code == code)
            }
        }
    }
}

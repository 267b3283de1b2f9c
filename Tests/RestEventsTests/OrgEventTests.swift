// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import EventServers
import OrgModels
import RestEvents
import RestTesting
import RestTransport
import Testing

@Suite("Subscriptions to the embedded org over both protocols", .timeLimit(.minutes(2)))
struct OrgEventTests {
    private static let channel = "/event/Order_Placed__e"

    /// An org, a client, and the settings of one protocol.
    private struct Bed {
        let org: LocalOrg
        let client: RestClient
        let wire: EventOptions.Wire

        func options(_ options: EventOptions = EventOptions()) -> EventOptions {
            var options = options
            options.wire = wire
            return options
        }

        func publish(_ totals: Range<Int>) async throws {
            for total in totals {
                _ = try await client.send(.create("Order_Placed__e", ["Total__c": JSONValue(total)]))
            }
        }
    }

    private func withOrg(
        _ wire: WireBed.Wire, isBound: Bool = false, _ body: (Bed) async throws -> Void
    ) async throws {
        var configuration = LocalOrgConfiguration()
        if isBound { configuration.proofs = ProofSettings(.required, nonceLifetime: .seconds(60)) }
        let event = #"{"name": "Order_Placed__e", "fields": [{"name": "Total__c", "type": "int"}]}"#
        configuration.schema = try OrgSchema(describe: Array(event.utf8))
        configuration.events.changedObjects = ["Account"]
        configuration.events.eventsPerResponse = 7
        configuration.events.managedSubscriptions = [
            EventSettings.ManagedSubscription(developerName: "Orders", channel: Self.channel, startsEarliest: true)
        ]
        let org = try await LocalOrg.start(configuration)
        var settings = RestClient.Configuration()
        settings.bindsTokens = isBound
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: settings)
        let origin = try HTTPURL(parsing: org.instanceURL).origin
        do {
            try await body(Bed(org: org, client: client, wire: wire == .cometD ? .cometD : .pubSub(at: origin)))
        } catch {
            client.shutdown()
            await org.stop()
            throw error
        }
        client.shutdown()
        await org.stop()
    }

    @Test(
        "platform events come in order and once, while clients are forgotten, tokens expire and the org is busy",
        arguments: WireBed.Wire.allCases)
    func platformEvents(wire: WireBed.Wire) async throws {
        try await withOrg(wire) { bed in
            let (org, client) = (bed.org, bed.client)
            try await bed.publish(0..<20)
            let status = AwaitedStatus()
            let options = bed.options(status.options)
            var events = client.events(Self.channel, from: .earliest, options: options).makeAsyncIterator()
            var last: ReplayID?
            for total in 0..<100 {
                switch (total, wire) {
                case (25, .cometD), (65, .cometD): org.events.forgetClients()
                case (25, .pubSub): org.events.endStreams()
                case (35, .pubSub): org.events.leaveConnections()
                case (45, _): org.faults.expireAccessTokens()
                case (65, .pubSub): org.events.dropConnections()
                case (85, .cometD):
                    org.events.rejectHandshakes(2)
                    org.events.forgetClients()
                case (85, .pubSub):
                    org.events.rejectCalls(2)
                    org.events.dropConnections()
                default: break
                }
                if total >= 20 { try await bed.publish(total..<total + 1) }
                let event = try #require(try await events.next())
                #expect(event["Total__c"]?.int == total && event.uuid != nil && event.schema != nil)
                if total == 50 { last = event.replayID }
            }
            #expect(status.gaps.isEmpty)
            #expect(status.all.contains { if case .resumed = $0 { true } else { false } })
            #expect(status.all.contains { if case .tokenRenewed = $0 { true } else { false } })
            let rest = client.events(Self.channel, from: .after(try #require(last)), options: bed.options())
            var iterator = rest.makeAsyncIterator()
            #expect(try await iterator.next()?["Total__c"]?.int == 51)
        }
    }

    @Test("a login that is bound with DPoP listens over CometD, and its token is not sent to the Pub/Sub API")
    func bound() async throws {
        try await withOrg(.cometD, isBound: true) { bed in
            try await bed.publish(0..<2)
            var events = bed.client.events(Self.channel, from: .earliest, options: bed.options()).makeAsyncIterator()
            #expect(try await events.next()?["Total__c"]?.int == 0)
            bed.org.faults.expireNonces()
            bed.org.faults.expireAccessTokens()
            try await bed.publish(2..<20)
            for total in 1..<20 { #expect(try await events.next()?["Total__c"]?.int == total) }
        }
        try await withOrg(.pubSub, isBound: true) { bed in
            let events = bed.client.events(Self.channel, from: .earliest, options: bed.options())
            let error = await #expect(throws: EventError.self) { for try await _ in events {} }
            #expect(error?.code == .argument && error?.message.contains("DPoP") == true)
        }
    }

    @Test(
        "changes of records have their fields by key path, and gaps say what to read again",
        arguments: WireBed.Wire.allCases)
    func changes(wire: WireBed.Wire) async throws {
        try await withOrg(wire) { bed in
            let (org, client) = (bed.org, bed.client)
            let id = try #require(try await client.create(Account(name: "Harbour Lights")).id)
            var changes = client.changeEvents(of: Account.self, from: .earliest, options: bed.options())
                .makeAsyncIterator()
            let created = try #require(try await changes.next())
            #expect(
                created.kind == .created && created.recordIDs == [id] && created.changed[\.name] == "Harbour Lights")
            _ = try await client.send(.update("Account", id: id.text, ["Phone": "1", "BillingCity": "Oslo"]))
            let updated = try #require(try await changes.next())
            #expect(updated.kind == .updated && updated.changed[\.phone] == "1" && updated.changed[\.name] == nil)
            #expect(updated.changed[\.billingCity] == "Oslo" && updated.isChanged(\.billingCity))
            _ = try await client.send(.update("Account", id: id.text, ["Phone": nil]))
            let nulled = try #require(try await changes.next())
            #expect(nulled.isNulled(\.phone) && nulled.header.transactionKey != updated.header.transactionKey)
            #expect(org.events.report(.update, of: "Account", ids: [id.text]))
            let gap = try #require(try await changes.next())
            #expect(gap.kind == .gap("GAP_UPDATE") && gap.needsReading && gap.recordIDs == [id])
            _ = try await client.send(.delete("Account", id: id.text))
            #expect(try await changes.next()?.kind == .deleted)
        }
    }

    @Test(
        "an expired position, an unknown channel and an org that sends the client away are typed errors",
        arguments: WireBed.Wire.allCases)
    func errors(wire: WireBed.Wire) async throws {
        try await withOrg(wire) { bed in
            let (org, client, options) = (bed.org, bed.client, bed.options())
            try await bed.publish(0..<3)
            var first: ReceivedEvent?
            for try await event in client.events(Self.channel, from: .earliest, options: options) {
                first = event
                break
            }
            // A client that waits would be sent away in the place of the next one.
            await until { org.events.clientCount == 0 && org.events.streamCount == 0 }
            org.events.expire()
            let expired = client.events(Self.channel, from: .after(try #require(first).replayID), options: options)
            let ended = await ending(of: expired)
            #expect(ended?.code == .invalidPosition && ended?.channel == Self.channel)
            #expect(await ending(of: client.events("/event/Nothing__e", options: options))?.code == .unknownChannel)
            switch wire {
            case .cometD:
                org.events.adviseNone(1)
                #expect(await ending(of: client.events(Self.channel, options: options))?.code == .rejected)
            case .pubSub:
                org.events.rejectCalls(1, code: "subscription.limit.exceeded")
                #expect(await ending(of: client.events(Self.channel, options: options))?.code == .limit)
            }
        }
    }

    @Test("published events have outcomes, and reach subscribers of both protocols", arguments: WireBed.Wire.allCases)
    func publishing(wire: WireBed.Wire) async throws {
        try await withOrg(wire) { bed in
            let events: [JSONObject] = (0..<20).map { ["Total__c": JSONValue($0)] } + [["Other__c": 1]]
            let outcomes = try await bed.client.publish(events, to: Self.channel, over: bed.wire)
            #expect(outcomes.map(\.isApplied) == Array(repeating: true, count: 20) + [false])
            for options in [EventOptions(), bed.options()] {
                var received = bed.client.events(Self.channel, from: .earliest, options: options).makeAsyncIterator()
                for (total, outcome) in outcomes.prefix(20).enumerated() {
                    let event = try #require(try await received.next())
                    #expect(event["Total__c"]?.int == total && event["CreatedById"]?.string != nil)
                    guard case .applied(let id, let position) = outcome else { continue }
                    #expect(event.uuid == id)
                    if options.wire == bed.wire, let position { #expect(event.replayID == position) }
                }
            }
        }
    }

    @Test("the org keeps the position of a managed subscription")
    func managed() async throws {
        try await withOrg(.pubSub) { bed in
            try await bed.publish(0..<20)
            let managed = EventSubscription(managed: "Orders")
            let sequence = bed.client.events(Self.channel, as: managed, options: bed.options())
            var events: EventSequence<ReceivedEvent>.AsyncIterator? = sequence.makeAsyncIterator()
            for total in 0..<11 { #expect(try await events?.next()?["Total__c"]?.int == total) }
            events = nil
            while bed.org.events.streamCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
            events = sequence.makeAsyncIterator()
            for total in 10..<20 { #expect(try await events?.next()?["Total__c"]?.int == total) }
        }
    }
}

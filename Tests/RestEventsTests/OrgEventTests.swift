// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import EventServers
import OrgModels
import RestEvents
import RestTesting
import Testing

@Suite("Subscriptions to the embedded org", .timeLimit(.minutes(2)))
struct OrgEventTests {
    private static let channel = "/event/Order_Placed__e"

    private func withOrg(_ body: (LocalOrg, RestClient) async throws -> Void) async throws {
        var configuration = LocalOrgConfiguration()
        let event = #"{"name": "Order_Placed__e", "fields": [{"name": "Total__c", "type": "int"}]}"#
        configuration.schema = try OrgSchema(describe: Array(event.utf8))
        configuration.events.changedObjects = ["Account"]
        configuration.events.eventsPerResponse = 7
        let org = try await LocalOrg.start(configuration)
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        do { try await body(org, client) } catch {
            await org.stop()
            throw error
        }
        client.shutdown()
        await org.stop()
    }

    private func publish(_ totals: Range<Int>, _ client: RestClient) async throws {
        for total in totals { _ = try await client.send(.create("Order_Placed__e", ["Total__c": JSONValue(total)])) }
    }

    @Test("platform events come in order and once, while clients are forgotten, tokens expire and the org is busy")
    func platformEvents() async throws {
        try await withOrg { org, client in
            try await publish(0..<20, client)
            let status = AwaitedStatus()
            var events = client.events(Self.channel, from: .earliest, options: status.options).makeAsyncIterator()
            var last: ReplayID?
            for total in 0..<100 {
                switch total {
                case 25, 65: org.events.forgetClients()
                case 45: org.faults.expireAccessTokens()
                case 85:
                    org.events.rejectHandshakes(2)
                    org.events.forgetClients()
                default: break
                }
                if total >= 20 { try await publish(total..<total + 1, client) }
                let event = try #require(try await events.next())
                #expect(event["Total__c"]?.int == total && event.uuid != nil && event.schema != nil)
                if total == 50 { last = event.replayID }
            }
            #expect(status.gaps.isEmpty)
            #expect(status.all.contains { if case .resumed = $0 { true } else { false } })
            #expect(status.all.contains { if case .tokenRenewed = $0 { true } else { false } })
            var rest = client.events(Self.channel, from: .after(try #require(last))).makeAsyncIterator()
            #expect(try await rest.next()?["Total__c"]?.int == 51)
        }
    }

    @Test("changes of records have their fields by key path, and gaps say what to read again")
    func changes() async throws {
        try await withOrg { org, client in
            let id = try #require(try await client.create(Account(name: "Harbour Lights")).id)
            var changes = client.changeEvents(of: Account.self, from: .earliest).makeAsyncIterator()
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

    @Test("an expired position, an unknown channel and an org that sends the client away are typed errors")
    func errors() async throws {
        try await withOrg { org, client in
            try await publish(0..<3, client)
            var events = client.events(Self.channel, from: .earliest).makeAsyncIterator()
            let first = try #require(try await events.next())
            org.events.expire()
            let ended = await ending(of: client.events(Self.channel, from: .after(first.replayID)))
            #expect(ended?.code == .invalidPosition && ended?.channel == Self.channel)
            #expect(await ending(of: client.events("/event/Nothing__e"))?.code == .unknownChannel)
            org.events.adviseNone(1)
            #expect(await ending(of: client.events(Self.channel))?.code == .rejected)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import EventServers
import Foundation
import OrgModels
import RestEvents
import RestJSON
import RestTesting
import Testing

@Suite("Changes of records", .timeLimit(.minutes(2)))
struct ChangeEventTests {
    private static let channel = "/data/AccountChangeEvent"

    private static func payload(_ type: String, _ fields: JSONObject = [:], changed: [String] = []) -> JSONValue {
        var payload = fields
        payload["ChangeEventHeader"] = [
            "entityName": "Account", "changeType": JSONValue(type), "recordIds": ["001000000000001AAA"],
            "changeOrigin": "com/salesforce/api/rest/60.0;client=X", "transactionKey": "key", "sequenceNumber": 2,
            "commitTimestamp": 1_700_000_000_500, "commitNumber": 12_345_678_901_234,
            "commitUser": "005000000000001AAA",
            "changedFields": JSONValue(JSONArray(changed.map { JSONValue($0) })),
        ]
        return JSONValue(payload)
    }

    @Test("a change has its kind, its ids, its transaction and the new values by key path")
    func change() async throws {
        let server = ModelEventServer()
        server.publish(
            Self.channel,
            Self.payload(
                "UPDATE",
                [
                    "Phone": "1", "Website": nil, "BillingAddress": ["City": "Oslo"],
                    "LastModifiedDate": "2026-01-01T00:00:00.000Z",
                ], changed: ["Phone", "Website", "BillingAddress.City", "LastModifiedDate"]))
        for type in ["CREATE", "DELETE", "UNDELETE", "GAP_UPDATE", "GAP_OVERFLOW"] {
            server.publish(Self.channel, Self.payload(type, ["Name": "A"]))
        }
        let status = AwaitedStatus()
        var changes = try client(of: server).changeEvents(
            of: Account.self, from: .earliest, options: status.options
        ).makeAsyncIterator()
        let change = try #require(try await changes.next())
        #expect(change.kind == .updated && change.recordIDs.map(\.text) == ["001000000000001AAA"])
        #expect(change.changed[\.phone] == "1" && change.isChanged(\.phone) && !change.isNulled(\.phone))
        #expect(change.isNulled(\.website) && change.changed[\.website] == nil)
        #expect(!change.isChanged(\.industry) && !change.isNulled(\.industry))
        #expect(change.record.billingCity == "Oslo" && change.isChanged(\.billingCity))
        #expect(change.record.id?.text == "001000000000001AAA")
        #expect(change.header.transactionKey == "key" && change.header.sequenceNumber == 2)
        #expect(change.header.commitTime == Date(timeIntervalSince1970: 1_700_000_000.5))
        #expect(change.header.commitNumber == 12_345_678_901_234 && !change.needsReading)
        var kinds: [ChangeHeader.Kind] = []
        for _ in 0..<5 { kinds.append(try #require(try await changes.next()).kind) }
        #expect(kinds == [.created, .deleted, .undeleted, .gap("GAP_UPDATE"), .overflow])
        #expect(status.gaps.map(\.reason) == [.reported("GAP_UPDATE"), .reported("GAP_OVERFLOW")])
    }

    @Test("an event of another form is a typed error")
    func other() async throws {
        for payload: JSONValue in [
            [:], ["ChangeEventHeader": 1], ["ChangeEventHeader": ["entityName": "Contact", "changeType": "CREATE"]],
            ["ChangeEventHeader": ["entityName": "Account", "changeType": "EXPLODE"]],
        ] {
            let server = ModelEventServer()
            server.publish(Self.channel, payload)
            let error = await ending(of: try client(of: server).changeEvents(of: Account.self, from: .earliest))
            #expect(error?.code == .response && error?.channel == Self.channel)
        }
    }

    @Test("hostile headers are read within bounds")
    func hostile() throws {
        let event = { (header: JSONValue) in
            ReceivedEvent(
                channel: "/data/ChangeEvents", replayID: try #require(ReplayID("1")),
                data: ["payload": ["ChangeEventHeader": header]])
        }
        let header = try #require(
            try event([
                "entityName": "Account", "changeType": "UPDATE", "recordIds": [1, nil, "x"], "sequenceNumber": -5,
                "commitTimestamp": 1e300, "changedFields": ["a", 2], "commitNumber": "many",
            ]).changeHeader)
        #expect(header.recordIDs == ["x"] && header.sequenceNumber == 0 && header.changedFields == ["a"])
        #expect(header.commitTime == Date(timeIntervalSince1970: 0) && header.commitNumber == nil)
        #expect(ChangeEvent<Account>(try event(["entityName": "Account", "changeType": "UPDATE"]))?.recordIDs == [])
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("What a call does to the server")
struct EffectTests {
    @Test(
        "a method promises it",
        arguments: [
            ("GET", RestRequest.Effect.reads), ("HEAD", .reads), ("OPTIONS", .reads), ("TRACE", .reads),
            ("PUT", .writes(idempotent: true)), ("DELETE", .writes(idempotent: true)),
            ("POST", .writes(idempotent: false)), ("PATCH", .writes(idempotent: false)),
            ("get", .writes(idempotent: false)),
        ])
    func methods(method: String, effect: RestRequest.Effect) {
        var request = RestRequest(method: HTTPMethod(rawValue: method), resource: .data(["x"]))
        #expect(request.effect == effect)
        request.method = .put
        #expect(request.effect == .writes(idempotent: true))
        request.effect = .reads
        request.method = .post
        #expect(request.effect == .reads)
    }

    @Test(
        "and the factories know better",
        arguments: [
            (RestRequest.query("SELECT Id FROM Account"), RestRequest.Effect.reads),
            (.create("Account", ["Name": "A"]), .writes(idempotent: false)),
            (.update("Account", id: "001000000000001AAA", [:]), .writes(idempotent: false)),
            (.upsert("Account", externalID: "X__c", "1", [:]), .writes(idempotent: true)),
            (.upsert("Account", externalID: "Id", nil, [:]), .writes(idempotent: false)),
            (.delete("Account", id: "001000000000001AAA"), .writes(idempotent: true)),
            (.delete(ids: ["001000000000001AAA"]), .writes(idempotent: false)),
            (.retrieve("Account", ids: ["001000000000001AAA"], fields: ["Id"]), .reads),
            (.batch(Batch([.limits])), .reads),
            (.batch(Batch([.limits, .create("Account", [:])])), .writes(idempotent: false)),
            (.notificationAction("approve", of: "001000000000001AAA"), .writes(idempotent: false)),
        ])
    func factories(request: RestRequest, effect: RestRequest.Effect) {
        #expect(request.effect == effect)
    }

    @Test("it decides when a call is sent again, and whether a failure speaks of an outcome")
    func sentAgain() async throws {
        let post = RestRequest(method: .post, resource: .data(["x"]))
        for (request, attempts, outcome) in [
            (post, 1, RestError.WriteOutcome.unknown), (post.effect(.writes(idempotent: true)), 3, .unknown),
            (post.effect(.reads), 3, nil),
        ] {
            let transport = StubTransport()
            for _ in 0..<3 { transport.enqueue(status: 500) }
            let client = try RestClient(
                instanceURL: "https://example.my.salesforce.com", accessToken: "token",
                configuration: RestClient.Configuration(
                    transport: transport, clock: ManualClock(alarmsBeyond: .seconds(20))))
            let error = await #expect(throws: RestError.self) { try await client.send(request) }
            #expect(transport.requests.count == attempts)
            #expect(error?.outcome == outcome)
        }
    }
}

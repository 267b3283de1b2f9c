// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestSDK

@Suite("What callers see is the same in every calling style")
@MainActor
struct FrontParityTests {
    @Test("whatever happens", arguments: Front.allCases, FrontCase.all)
    func parity(front: Front, behaviour: FrontCase) async throws {
        guard front.reads(behaviour.answer) else { return }
        let transport = StubTransport()
        var configuration = RestClient.Configuration(
            transport: transport, clock: ManualClock(alarmsBeyond: .seconds(20)))
        behaviour.configure(&configuration)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t", configuration: configuration)
        behaviour.play(transport)
        await behaviour.prepare(client)
        let outcomes = await front.outcomes(of: behaviour.request, through: client)
        #expect(outcomes.count == 1)
        switch (behaviour.expected, try #require(outcomes.first)) {
        case (.payload(let expected), .success(let payload)): #expect(payload == expected)
        case (.failure(let code, let check), .failure(let error)):
            #expect(error.code == code)
            #expect(check(error), "\(error)")
        case (_, let outcome): Issue.record("another outcome: \(outcome)")
        }
        #expect(transport.unusedAnswers == 0)
    }
}

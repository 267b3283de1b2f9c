// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestSDK

@Suite("Ending all calls of a client")
@MainActor
struct ShutdownTests {
    @Test(
        "shut down wherever its calls are, a client ends each once as shut down, and sends nothing more",
        arguments: Front.allCases, CallPoint.allCases)
    func shutdown(front: Front, point: CallPoint) async throws {
        let stage = try await CallStage(point)
        let outcomes = await front.outcomes(of: stage.request, through: stage.client, cancelWhen: stage.isReached) {
            stage.client.shutdown()
        }
        #expect(outcomes.map(\.failure?.code) == [.shutDown])
        #expect(await stage.sendsNothingMore())
        let later = await front.outcomes(of: .limits, through: stage.client)
        #expect(later.map(\.failure?.code) == [.shutDown])
        #expect(await stage.sendsNothingMore())
        #expect(stage.client.isShutDown)
    }

    @Test("all calls cancelled at once: each ends once as cancelled, later ones go on", arguments: Front.allCases)
    func cancelAll(front: Front) async throws {
        let transport = StubTransport()
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: transport))
        transport.enqueue(.silence)
        let outcomes = await front.outcomes(of: .limits, through: client, cancelWhen: { transport.requests.count == 1 })
        {
            client.cancelAll()
        }
        #expect(outcomes.map(\.failure?.code) == [.cancelled])
        transport.enqueue(Behaviour.records)
        #expect(await front.outcomes(of: .query("SELECT Id FROM A"), through: client).map(\.failure?.code) == [nil])
    }

    @Test("many calls under way when the client is shut down end, each once; the outcome of a write stays honest")
    func many() async throws {
        let transport = StubTransport()
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: transport))
        for _ in 0..<200 { transport.enqueue(.silence) }
        var codes: [RestError.Code?] = []
        var outcomes: [RestError.WriteOutcome?] = []
        let tasks = (0..<200).map { _ in
            client.send(.create("Account", ["Name": "A"])) { outcome in
                codes.append(outcome.failure?.code)
                outcomes.append(outcome.failure?.outcome)
            }
        }
        while transport.requests.count < 200 { await Task.yield() }
        client.shutdown()
        client.shutdown()
        for task in tasks { _ = try? await task.value }
        #expect(codes == Array(repeating: .shutDown, count: 200))
        #expect(outcomes == Array(repeating: .unknown, count: 200))
        let late = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(late?.outcome == .notApplied)
        #expect(late?.request?.name == "create")
    }

    @Test("a handler's wait for another try ends with the client")
    func handler() async throws {
        let transport = StubTransport()
        let clock = ManualClock(alarmsBeyond: .zero)
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(transport: transport, clock: clock))
        client.onError(of: RestError.self) { _, _ in .retry(after: .seconds(10)) }
        transport.enqueue(status: 409)
        let task = client.send(.limits) { _ in }
        // The alarms are the deadline of the call, which a handler may ignore, and the wait.
        while clock.alarms < 2 { await Task.yield() }
        client.shutdown()
        let error = await #expect(throws: RestError.self) { try await task.value }
        #expect(error?.code == .shutDown)
        #expect((error?.underlying as? RestError)?.status == 409)
    }
}

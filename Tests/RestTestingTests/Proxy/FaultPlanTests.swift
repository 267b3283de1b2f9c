// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestCurl
import RestTransport
import Testing

@testable import RestTesting

@Suite("Fault plans of the proxy")
struct FaultPlanTests {
    private func faults(_ plan: FaultPlan, connections: Int = 100, exchanges: Int = 10) -> [NetworkFault?] {
        (0..<connections).flatMap { connection in
            (0..<exchanges).map { plan.fault(connection: connection, exchange: $0) }
        }
    }

    @Test("Equal seeds give the same faults, and different seeds give different faults")
    func seeds() {
        let plan = FaultPlan(seed: 7, probability: 0.5)
        #expect(faults(plan) == faults(plan))
        #expect(faults(plan) != faults(FaultPlan(seed: 8, probability: 0.5)))
    }

    @Test("Faults have the requested probability and are of the requested kinds", arguments: [0, 0.3, 1])
    func probability(wanted: Double) {
        let drawn = faults(FaultPlan(seed: 1, probability: wanted), connections: 1_000)
        let share = Double(drawn.count { $0 != nil }) / Double(drawn.count)
        #expect(abs(share - wanted) < 0.02)
        let resets = faults(FaultPlan(seed: 1, probability: wanted, kinds: [.reset]))
        #expect(resets.allSatisfy { $0 == nil || $0 == .reset })
    }

    @Test("A scripted fault takes precedence, and exchanges after the script get random faults")
    func script() {
        var plan = FaultPlan(script: [[.reset, nil], [nil, .droppedResponse]])
        #expect(plan.fault(connection: 0, exchange: 0) == .reset)
        #expect(plan.fault(connection: 0, exchange: 1) == nil)
        #expect(plan.fault(connection: 1, exchange: 1) == .droppedResponse)
        #expect(faults(plan).compactMap(\.self).count == 2)
        plan.probability = 1
        plan.kinds = [.duplicatedResponse]
        #expect(plan.fault(connection: 0, exchange: 1) == nil)
        #expect(plan.fault(connection: 0, exchange: 2) == .duplicatedResponse)
    }
}

@Suite("Fault proxy under load", .timeLimit(.minutes(2)))
struct FaultProxyLoadTests {
    /// Sends many queries to an embedded org, at most `width` at a time.
    ///
    /// - Returns: the number of responses with status 200.
    private func load(_ count: Int, width: Int, through proxy: FaultProxy, _ org: LocalOrg) async -> Int {
        var configuration = CurlConfiguration()
        configuration.firstByteTimeout = .seconds(3)
        configuration.idleTimeout = .seconds(3)
        let transport = CurlTransport(configuration: configuration)
        let token = org.issueCredential().accessToken
        let request = HTTPRequest(
            url: proxy.url("/services/data/v62.0/query?q=SELECT+Id+FROM+Account+LIMIT+1"),
            fields: ["Authorization": "Bearer \(token)"])
        return await withTaskGroup(of: Int.self) { group in
            for _ in 0..<width {
                group.addTask {
                    var answered = 0
                    for _ in 0..<(count / width) {
                        let response = try? await transport.send(request, deadline: soon)
                        if response?.head.status == 200 { answered += 1 }
                    }
                    return answered
                }
            }
            let answered = await group.reduce(0, +)
            await transport.shutdown()
            return answered
        }
    }

    @Test("Two thousand calls all end, and those without a fault succeed")
    func calls() async throws {
        let org = try await LocalOrg.start()
        let plan = FaultPlan(seed: 11, probability: 0.3)
        let proxy = try FaultProxy(to: org.port, plan: plan)
        let answered = await load(2_000, width: 32, through: proxy, org)
        let journal = await proxy.stop()
        await org.stop()
        let exchanges = journal.exchanges
        // If a fault closes a reused connection, a call on it can fail before the proxy reads its request.
        #expect(exchanges.count > 1_800 && exchanges.count <= 2_000)
        let share = Double(exchanges.count { $0.fault != nil }) / Double(exchanges.count)
        #expect(abs(share - 0.3) < 0.06)
        // After a fault the connection may be broken, but before the first fault every exchange must succeed.
        let clean = journal.connections.flatMap { $0.exchanges.prefix { $0.fault == nil } }
        #expect(clean.allSatisfy { $0.isResponseDelivered })
        #expect(answered >= clean.count)
        for (number, connection) in journal.connections.enumerated() {
            for (index, exchange) in connection.exchanges.enumerated() {
                #expect(exchange.fault == plan.fault(connection: number, exchange: index))
            }
        }
    }
}

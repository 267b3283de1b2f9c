// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestTesting

@Suite("Fault plan")
struct FaultPlanTests {
    private func faults(_ plan: FaultPlan, connections: Int = 100, exchanges: Int = 10) -> [NetworkFault?] {
        (0..<connections).flatMap { connection in
            (0..<exchanges).map { plan.fault(connection: connection, exchange: $0) }
        }
    }

    @Test("One seed always gives the same faults, another one others")
    func seeds() {
        let plan = FaultPlan(seed: 7, probability: 0.5)
        #expect(faults(plan) == faults(plan))
        #expect(faults(plan) != faults(FaultPlan(seed: 8, probability: 0.5)))
    }

    @Test("Faults come as often as asked for, of every kind asked for", arguments: [0, 0.3, 1])
    func probability(wanted: Double) {
        let drawn = faults(FaultPlan(seed: 1, probability: wanted), connections: 1_000)
        let share = Double(drawn.count { $0 != nil }) / Double(drawn.count)
        #expect(abs(share - wanted) < 0.02)
        let resets = faults(FaultPlan(seed: 1, probability: wanted, kinds: [.reset]))
        #expect(resets.allSatisfy { $0 == nil || $0 == .reset })
    }

    @Test("Every kind is drawn about equally often")
    func kinds() {
        let drawn = faults(FaultPlan(seed: 3, probability: 1), connections: 1_300)
        let expected = drawn.count / NetworkFault.Kind.allCases.count
        for kind in NetworkFault.Kind.allCases {
            let count = drawn.count { $0.map { Self.matches($0, kind) } == true }
            #expect(abs(count - expected) < expected / 5, "\(kind): \(count)")
        }
    }

    @Test("A script comes first, what lies beyond it is drawn")
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

    private static func matches(_ fault: NetworkFault, _ kind: NetworkFault.Kind) -> Bool {
        switch (fault, kind) {
        case (.latency, .latency), (.bandwidth, .bandwidth), (.reset, .reset), (.blackhole, .blackhole),
            (.slowClose, .slowClose), (.slices, .slices), (.byteLimit(_, .request), .cutRequest),
            (.byteLimit(_, .answer), .cutAnswer), (.halfClose, .halfClose),
            (.corruptByte(_, .request), .corruptRequest), (.corruptByte(_, .answer), .corruptAnswer),
            (.droppedResponse, .droppedResponse), (.duplicatedResponse, .duplicatedResponse):
            true
        default: false
        }
    }
}

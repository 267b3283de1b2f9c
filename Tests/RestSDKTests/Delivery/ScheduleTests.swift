// SPDX-License-Identifier: Apache-2.0

import Simulation
import Testing

@Suite("Calls under schedules that a seed decides")
struct CallScheduleTests {
    @Test("every caller is told once, and the truth; no write is applied twice", arguments: 0..<10 as Range<UInt64>)
    func schedules(part: UInt64) async throws {
        for seed in part * 500..<(part + 1) * 500 {
            let faults = try await CallSchedule(seed: seed).run().faults
            #expect(faults.isEmpty, "seed \(seed): \(faults)")
        }
    }
}

@Suite("Calls through interceptors that do what a seed decides")
struct InterceptorScheduleTests {
    @Test(
        "the outcome of a write is the truth, and the SDK repeats none that may have been applied",
        arguments: 0..<4 as Range<UInt64>)
    func schedules(part: UInt64) async throws {
        for seed in part * 250..<(part + 1) * 250 {
            let faults = try await InterceptorSchedule(seed: seed).run()
            #expect(faults.isEmpty, "seed \(seed): \(faults)")
        }
    }
}

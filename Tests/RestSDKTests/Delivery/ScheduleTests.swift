// SPDX-License-Identifier: Apache-2.0

import Simulation
import Testing

@Suite("Calls under random schedules")
struct CallScheduleTests {
    @Test("every caller gets one correct result, and no write is applied twice", arguments: 0..<10 as Range<UInt64>)
    func schedules(part: UInt64) async throws {
        for seed in part * 500..<(part + 1) * 500 {
            let faults = try await CallSchedule(seed: seed).run().faults
            #expect(faults.isEmpty, "seed \(seed): \(faults)")
        }
    }
}

@Suite("Calls through random interceptors")
struct InterceptorScheduleTests {
    @Test(
        "the reported outcome of a write is true, and the SDK never repeats a write that may have been applied",
        arguments: 0..<4 as Range<UInt64>)
    func schedules(part: UInt64) async throws {
        for seed in part * 250..<(part + 1) * 250 {
            let faults = try await InterceptorSchedule(seed: seed).run()
            #expect(faults.isEmpty, "seed \(seed): \(faults)")
        }
    }
}

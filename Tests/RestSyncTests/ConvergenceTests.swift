// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import SyncSimulation
import Testing

@Suite("Copies and an org converge", .timeLimit(.minutes(5)))
struct ConvergenceTests {
    @Test("no edit is lost, no record is doubled, and all have the same records at the end")
    func converge() async throws {
        let folder = try TemporaryDirectory()
        let org = try await SimulatedOrg()
        let environment = ProcessInfo.processInfo.environment
        // SYNC_SEED prints the steps of one seed, and SYNC_SEEDS sets the number of seeds.
        let traced = environment["SYNC_SEED"].flatMap { UInt64($0) }
        let count = environment["SYNC_SEEDS"].flatMap { UInt64($0) } ?? 30
        for seed in traced.map({ $0..<$0 + 1 }) ?? 0..<count {
            let faults = await SyncSchedule.run(
                seed: seed, on: org, in: folder.path(""), isTraced: traced != nil)
            #expect(faults.isEmpty, "seed \(seed)")
        }
        await org.stop()
    }
}

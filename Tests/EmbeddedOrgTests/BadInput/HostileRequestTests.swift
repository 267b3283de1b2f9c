// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import HostileRequests
import Testing

@Suite("Hostile requests")
struct HostileRequestTests {
    @Test("over all resources: no 500, the platform's errors, and nothing is stored but by valid writes")
    func sweep() async throws {
        try await withTemporaryFolder { folder in
            let run = try await HostileRun.run(seed: 18, count: 20_000, file: folder + "/org.db")
            for fault in run.faults.prefix(20) { Issue.record("\(fault)") }
            #expect(run.faults.isEmpty, "\(run.faults.count)")
            // Neither is all refused nor all taken.
            #expect(run.statuses.filter { $0.key < 300 }.values.reduce(0, +) > 4_000)
            #expect(run.writes > 300)
            #expect(run.looks > 0)
        }
    }
}

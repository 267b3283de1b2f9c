// SPDX-License-Identifier: Apache-2.0

import Simulation
import Synchronization

/// Measures whether errors report the true write outcome for any behavior of the app's interceptors and handlers.
///
/// It also verifies that the SDK does not repeat a write that may have been applied.
func interceptorFigures() async throws {
    let total = extent(3_000, short: 50)
    let failed = Mutex<[String]>([])
    let next = Atomic(0)
    try await concurrently(2, total: total) {
        let seed = next.add(1, ordering: .relaxed).oldValue
        let faults = try await InterceptorSchedule(seed: UInt64(seed)).run()
        guard !faults.isEmpty else { return }
        failed.withLock { $0.append("seed \(seed): \(faults)") }
    }
    let failures = failed.withLock { $0 }
    Figure(
        name: "outcomes.interceptors", value: Double(failures.count), unit: "calls", relation: .atMost, bound: 0,
        note: failures.first ?? "\(total) calls, none told wrongly, no write doubled"
    ).print()
}

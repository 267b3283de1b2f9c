// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncSimulation
import Synchronization

/// Measures whether copies and an org converge in random schedules, whose number is in `SYNC_SCHEDULES`.
///
/// `SYNC_SEED` prints the steps of one schedule instead.
func syncConvergenceFigures() async throws {
    let environment = ProcessInfo.processInfo.environment
    // A file system in memory, because the schedules end processes and no machine.
    let root =
        FileManager.default.isWritableFile(atPath: "/dev/shm")
        ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    let directory = "\(root)/sync-\(UUID())"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    if let seed = environment["SYNC_SEED"].flatMap({ UInt64($0) }) {
        let org = try await SimulatedOrg()
        print(await SyncSchedule.run(seed: seed, on: org, in: directory, isTraced: true))
        return await org.stop()
    }
    let total = environment["SYNC_SCHEDULES"].flatMap { Int($0) } ?? extent(100_000, short: 20)
    // Each org serves some schedules, so that its recycle bin remains small.
    let perOrg = 250
    let next = Atomic(0)
    let faults = Mutex<[(seed: UInt64, fault: SyncFault)]>([])
    try await concurrently(ProcessInfo.processInfo.activeProcessorCount, total: (total + perOrg - 1) / perOrg) {
        let org = try await SimulatedOrg()
        let first = next.add(perOrg, ordering: .relaxed).oldValue
        for seed in first..<min(first + perOrg, total) {
            let found = await SyncSchedule.run(seed: UInt64(seed), on: org, in: directory)
            guard !found.isEmpty else { continue }
            print("sync.converges: seed \(seed): \(found)")
            faults.withLock { $0 += found.map { (UInt64(seed), $0) } }
        }
        await org.stop()
    }
    let all = faults.withLock { $0 }
    func figure(_ name: String, _ unit: String, _ isCounted: (SyncFault) -> Bool) {
        let some = all.filter { isCounted($0.fault) }
        let seeds = Set(some.map(\.seed)).sorted().prefix(5).map(String.init).joined(separator: ", ")
        Figure(
            name: "sync.converges.\(name)", value: Double(some.count), unit: unit, relation: .atMost, bound: 0,
            note: "\(total) schedules" + (some.isEmpty ? "" : "; seeds \(seeds)")
        ).print()
    }
    figure("lost", "edits") { if case .lost = $0 { true } else { false } }
    figure("doubled", "records") { if case .doubled = $0 { true } else { false } }
    figure("unequal", "copies") { if case .unequal = $0 { true } else { false } }
    figure("conflicts", "conflicts") { if case .conflict = $0 { true } else { false } }
    figure("errors", "errors") { if case .error = $0 { true } else { false } }
}

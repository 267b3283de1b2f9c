// SPDX-License-Identifier: Apache-2.0

import Foundation
import SyncSimulation
import Synchronization

/// Measures whether copies and an org converge in random schedules, whose number is in `SYNC_SCHEDULES`.
///
/// `SYNC_FIRST` is the seed of the first schedule. `SYNC_SEED` prints the steps of one schedule instead.
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
    let start = environment["SYNC_FIRST"].flatMap { Int($0) } ?? 0
    let next = Atomic(start), done = Atomic(0)
    let faults = Mutex<[(seed: UInt64, fault: SyncFault)]>([])
    let began = ContinuousClock.now
    try await concurrently(ProcessInfo.processInfo.activeProcessorCount, total: (total + perOrg - 1) / perOrg) {
        let org = try await SimulatedOrg()
        let first = next.add(perOrg, ordering: .relaxed).oldValue
        for seed in first..<min(first + perOrg, start + total) {
            let found = try await watched(seed) {
                await SyncSchedule.run(seed: UInt64(seed), on: org, in: directory)
            }
            guard !found.isEmpty else { continue }
            printNow("sync.converges: seed \(seed): \(found)")
            faults.withLock { $0 += found.map { (UInt64(seed), $0) } }
        }
        await org.stop()
        // The limit of the area is for each share of the schedules, because 100,000 take more than an hour.
        alarm(AreaProcess.limit)
        let count = min(done.add(perOrg, ordering: .relaxed).newValue, total)
        if count.isMultiple(of: 4 * perOrg) {
            let seconds = Int((ContinuousClock.now - began) / .seconds(1))
            printNow("sync.converges: \(count) of \(total) schedules in \(seconds) s")
        }
    }
    let all = faults.withLock { $0 }
    func figure(_ name: String, _ unit: String, _ isCounted: (SyncFault) -> Bool) {
        let some = all.filter { isCounted($0.fault) }
        let seeds = Set(some.map(\.seed)).sorted().prefix(5).map(String.init).joined(separator: ", ")
        Figure(
            name: "sync.converges.\(name)", value: Double(some.count), unit: unit, relation: .atMost, bound: 0,
            note: "\(total) schedules" + (start > 0 ? " from \(start)" : "") + (some.isEmpty ? "" : "; seeds \(seeds)")
        ).print()
    }
    figure("lost", "edits") { if case .lost = $0 { true } else { false } }
    figure("doubled", "records") { if case .doubled = $0 { true } else { false } }
    figure("unequal", "copies") { if case .unequal = $0 { true } else { false } }
    figure("conflicts", "conflicts") { if case .conflict = $0 { true } else { false } }
    figure("errors", "errors") { if case .error = $0 { true } else { false } }
}

/// Runs a schedule, and ends the process with an error if it takes more than two minutes.
private func watched(_ seed: Int, _ body: @escaping @Sendable () async -> [SyncFault]) async throws -> [SyncFault] {
    let watch = DispatchWorkItem {
        printNow("sync.converges: seed \(seed) does not end")
        abort()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: watch)
    defer { watch.cancel() }
    return await body()
}

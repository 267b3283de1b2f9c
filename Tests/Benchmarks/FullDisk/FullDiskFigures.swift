// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTransport

/// Measures whether every file survives a disk that is full or broken.
///
/// No success is reported for an incomplete file, none of the user's data is lost, and a run without failures completes
/// the work. Each point is a process in which a random write, sync, rename, truncation or close fails, once or
/// permanently, followed by another process.
func fullDiskFigures() async throws {
    if let worker = FaultWorker.ofProcess { return try await worker.run() }
    let root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/full-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    guard let shim = try FaultShim(folder: root) else { return Figure.absent("files.full", peer: "a C compiler") }
    let stage = try await FaultStage(root)
    var tally = FaultTally()
    for kind in try await stage.kinds(shim) {
        try await tally.add(kind, in: root, shim)
    }
    await stage.close()
    tally.print()
}

private struct FaultTally {
    private var points = 0
    /// The points whose operation was reached.
    private var met = 0
    private var (falseSuccesses, lost, extra) = (0, 0, 0)
    private var notes: [String] = []

    /// Tests the points of a kind, some concurrently.
    mutating func add(_ kind: any FaultKind, in root: String, _ shim: FaultShim) async throws {
        let counts = try await Self.count(kind, in: root, shim)
        var random = SplitMix64(seed: UInt64(kind.points))
        var points: [FaultPoint] = []
        let wanted = extent(kind.points, short: 2)
        while points.count < wanted, let point = FaultPoint(of: counts, &random) { points.append(point) }
        guard points.count == wanted else {
            throw CommandFailed(command: "\(kind.name) writes nothing", status: 1)
        }
        self.points += points.count
        try await withThrowingTaskGroup(of: Found.self) { group in
            for (index, point) in points.enumerated() {
                if index >= 3, let found = try await group.next() { note(found) }
                group.addTask { try await Self.find(kind, index + 1, point, in: root, shim) }
            }
            for try await found in group { note(found) }
        }
        notes.append("\(points.count) \(kind.name)")
    }

    /// Counts the operations of a run without failures, which must succeed.
    private static func count(_ kind: any FaultKind, in root: String, _ shim: FaultShim) async throws
        -> FaultShim.Counts
    {
        let trial = try FaultTrial(kind.name, 0, in: root, shim)
        defer { trial.close() }
        try await kind.prepare(trial)
        trial.forgetCounts()
        guard try await kind.attempt(trial, nil) else {
            let errors = (try? String(contentsOfFile: "\(trial.side)/errors", encoding: .utf8)) ?? ""
            throw CommandFailed(command: "\(kind.name): \(errors)", status: 1)
        }
        let counts = try trial.counts
        try await kind.inspect(trial, isDone: true, isLast: true)
        return counts
    }

    private typealias Found = (damages: [FaultDamage], isMet: Bool)

    /// Returns the damage after a run with a failure, and after a run without one.
    private static func find(
        _ kind: any FaultKind, _ number: Int, _ point: FaultPoint, in root: String, _ shim: FaultShim
    ) async throws -> Found {
        let trial = try FaultTrial(kind.name, number, in: root, shim)
        defer { trial.close() }
        try await kind.prepare(trial)
        trial.forgetCounts()
        var damages: [FaultDamage] = []
        let isDone = try await kind.attempt(trial, point)
        let isMet = try trial.counts.failures > 0
        do { try await kind.inspect(trial, isDone: isDone, isLast: false) } catch let damage as FaultDamage {
            damages.append(damage)
        }
        let isComplete = try await kind.attempt(trial, nil)
        if !isComplete { damages.append(.lost("the run after it fails")) }
        do { try await kind.inspect(trial, isDone: isComplete, isLast: true) } catch let damage as FaultDamage {
            damages.append(damage)
        }
        if !damages.isEmpty {
            let errors = (try? String(contentsOfFile: "\(trial.side)/errors", encoding: .utf8)) ?? ""
            FileHandle.standardError.write(Data("\(kind.name) \(number) \(point): \(damages)\n\(errors)\n".utf8))
        }
        return (damages, isMet)
    }

    private mutating func note(_ found: Found) {
        met += found.isMet ? 1 : 0
        for damage in found.damages {
            switch damage {
            case .falseSuccess: falseSuccesses += 1
            case .lost: lost += 1
            case .extra: extra += 1
            }
        }
    }

    func print() {
        let note = "\(met) of \(points) points met their operation: \(notes.joined(separator: ", "))"
        for (name, value, unit, note) in [
            ("files.full.false", falseSuccesses, "successes that were none", note),
            ("files.full.lost", lost, "files", ""),
            ("files.full.extra", extra, "files", ""),
        ] {
            Figure(name: name, value: Double(value), unit: unit, relation: .atMost, bound: 0, note: note).print()
        }
    }
}

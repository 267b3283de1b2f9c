// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostileRequests

/// Hostile requests over all resources of an org, and how many are answered with 500, without the platform's errors, or
/// with a change of what is stored that no valid write has made.
func orgHostileFigures() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "org-hostile-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let size = extent(200_000, short: 200)
    let run = try await HostileRun.run(seed: 1, count: size, file: folder + "/org.db")
    Figure(
        name: "org.hostile", value: Double(run.faults.count), unit: "wrong answers", relation: .atMost, bound: 0,
        note: run.faults.first ?? "of \(size), \(run.writes) of them valid writes"
    ).print()
}

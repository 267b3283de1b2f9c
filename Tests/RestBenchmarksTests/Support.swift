// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import RestBenchmarks

/// A figure that was measured; a ratio of both sides unless it has another unit.
func record(_ name: String, _ value: Double, unit: String = "x", bound: FigureBound? = nil) -> FigureRecord {
    FigureRecord(
        name: name, value: value, unit: unit, bound: bound,
        sides: unit == "x" ? FigureSides(ours: 0.002, peer: 0.002 * value, unit: "s") : nil, note: "",
        isShortForm: false)
}

let machine = Machine(processor: "one", cores: 2, memoryBytes: 1 << 30, system: "Linux")

/// A report of whole runs on a machine.
func report(_ runs: [[FigureRecord]], on machine: Machine = machine) -> FigureReport {
    FigureReport(date: "2026-11-23T10:00:00Z", machine: machine, commit: "abc", runs: runs, failedAreas: [])
}

func atLeast(_ value: Double) -> FigureBound { FigureBound(relation: .atLeast, value: value) }
func atMost(_ value: Double) -> FigureBound { FigureBound(relation: .atMost, value: value) }

/// A path for a file that goes with the test's process.
func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString).json").path
}

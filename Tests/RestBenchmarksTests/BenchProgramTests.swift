// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import Testing

@testable import RestBenchmarks

@Suite("The benchmark program", .timeLimit(.minutes(2)))
struct BenchProgramTests {
    private func run(_ arguments: [String]) throws -> RunningProgram.Outcome {
        try RunningProgram.run(BuiltProgram.url("RestBenchmarks"), arguments)
    }

    @Test("the table and the file contain each benchmark, as the median of the runs")
    func table() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let run = try run(["--short", "--runs", "2", "--json", path, "grammar"])
        #expect(run.status == 0)
        let report = try FigureReport(file: path)
        #expect(!report.figures.isEmpty && report.runs == 2 && report.failedAreas.isEmpty)
        #expect(report.figures.allSatisfy { $0.runs?.count == 2 && $0.verdict == .checked })
        #expect(run.output.hasSuffix(FigureTable(report: report).text + "\n"))
        let lines = run.output.split(separator: "\n")
        for figure in report.figures { #expect(lines.count { $0.hasPrefix("figure \(figure.name) ") } == 2) }
        #expect(report.machine == .present)
    }

    @Test("a comparison exits with 1 if a benchmark no longer meets its bound, and with 2 if files cannot be compared")
    func comparison() throws {
        let paths = [temporaryPath(), temporaryPath()]
        defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
        for (path, value) in zip(paths, [0.9, 0.8]) {
            try report([[record("a", value, bound: atLeast(0.85))]]).write(to: path)
        }
        let worse = try run(["compare"] + paths)
        #expect(worse.status == 1 && worse.output.contains("became short: a\n"))
        let better = try run(["compare"] + paths.reversed())
        #expect(better.status == 0 && better.output.contains("became ok: a\n"))
        #expect(try run(["compare", paths[0]]).status == 2)
        let unreadable = try run(["compare", paths[0], "/nonexistent"])
        #expect(unreadable.status == 2 && unreadable.errors == "bench: /nonexistent cannot be read\n")
        #expect(try run(["nothing"]).status == 2)
    }

    #if canImport(Glibc)
    // The library that counts replaces functions of glibc.
    @Test("a warm call allocates no more blocks of memory than before")
    func allocations() throws {
        let run = try run(["allocations"])
        let line = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("figure allocations.call ") })
        #expect(run.status == 0 && line.contains(" ok "), "\(line)")
    }
    #endif
}

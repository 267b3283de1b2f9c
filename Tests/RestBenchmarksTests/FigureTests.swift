// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RestBenchmarks

@Suite("The table of benchmarks and its file")
struct FigureTableTests {
    private let figures = [
        record("transport.get600.16", 0.875, bound: atLeast(0.85)),
        record("records.memory", 41.25, unit: "MiB", bound: atMost(45)),
        record("records.rate", 612.3456, unit: "k/s"),
        FigureRecord(absent: "json.parse-vs-node", note: "node is not installed"),
    ]

    @Test("a ratio is printed with both measurements, and any other benchmark with its own value")
    func table() {
        let text = FigureTable(report: report([figures])).text
        #expect(
            text == """
                Figure                    ours     peer  ratio   bound  verdict
                transport.get600.16       2 ms  1.75 ms  0.875  >=0.85  ok
                records.memory       41.25 MiB        -      -    <=45  ok
                records.rate         612.3 k/s        -      -       -  -
                json.parse-vs-node           -        -      -       -  absent: node is not installed
                4 figures, 0 short, 1 absent; of one run
                """)
    }

    @Test("the table reports the number of runs and the failed areas")
    func runs() {
        let slow = record("transport.get600.16", 0.8, bound: atLeast(0.85))
        let report = FigureReport(
            date: "", machine: machine, commit: nil, runs: [figures, [slow], [slow]], failedAreas: ["org"])
        let lines = FigureTable(report: report).text.split(separator: "\n")
        #expect(lines[1].hasSuffix("0.8  >=0.85  short"))
        #expect(lines[5] == "4 figures, 1 short, 1 absent; each figure is the median of 3 whole runs")
        #expect(lines[6].contains("the area org ended with an error"))
    }

    @Test(
        "amounts have four digits and a suitable unit",
        arguments: [
            (1.5, "s", "1.5 s"), (0.0123456, "s", "12.35 ms"), (0.0000456, "s", "45.6 µs"), (2e-9, "s", "2 ns"),
            (0, "s", "0 s"), (61_234.5, "calls/s", "61235 calls/s"), (-0.5, "MiB", "-0.5 MiB"),
        ] as [(Double, String, String)])
    func amounts(value: Double, unit: String, text: String) {
        #expect(amount(value, unit) == text)
    }

    @Test("a report is read back as it was written, and other files are rejected")
    func file() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let report = report([figures, figures])
        try report.write(to: path)
        #expect(try FigureReport(file: path) == report)
        for (text, words) in [("[]", "no report"), ("{", "no report"), (#"{"format":2}"#, "format 2")] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let error = #expect(throws: FigureReport.Unreadable.self) { try FigureReport(file: path) }
            #expect(error?.description.contains(words) == true)
        }
        #expect(throws: FigureReport.Unreadable.self) { try FigureReport(file: path + ".none") }
    }

    @Test("arguments name areas, runs and a file, and unknown arguments are rejected")
    func arguments() throws {
        let arguments = try BenchArguments(
            ["json", "--runs", "3", "--short", "--json", "a.json", "org"], known: ["json", "org"])
        #expect(arguments.areas == ["json", "org"] && arguments.runs == 3 && arguments.file == "a.json")
        for words in [["jsom"], ["--runs"], ["--runs", "0"], ["--runs", "x"], ["--json"]] {
            #expect(throws: BenchArguments.Rejection.self) { try BenchArguments(words, known: ["json"]) }
        }
    }
}

@Suite("The record of a benchmark")
struct FigureRecordTests {
    @Test("a benchmark meets its bound up to and including the bound's value")
    func verdicts() {
        #expect(record("a", 0.9, bound: atLeast(0.9)).verdict == .ok)
        #expect(record("a", 0.899, bound: atLeast(0.9)).verdict == .short)
        #expect(record("a", 1.1, bound: atMost(1.1)).verdict == .ok)
        #expect(record("a", 1.101, bound: atMost(1.1)).verdict == .short)
        #expect(record("a", 5).verdict == .unbounded)
        #expect(record("a", .nan, bound: atMost(1)).verdict == .short, "what was not measured keeps no bound")
    }

    @Test("the line of a benchmark keeps its documented form")
    func line() {
        #expect(record("json.parse", 0.91, bound: atLeast(0.9)).line == "figure json.parse 0.91 x bound >=0.9 ok")
        #expect(record("records.rate", 600.25, unit: "k/s").line == "figure records.rate 600.25 k/s -")
        #expect(
            FigureRecord(absent: "json.parse", note: "node is not installed").line
                == "figure json.parse - - absent (node is not installed)")
        let checked = FigureRecord(
            name: "a", value: 2, unit: "x", bound: atMost(1), sides: nil, note: "one pair", isShortForm: true)
        #expect(checked.line == "figure a 2 x bound <=1 checked (one pair)")
    }

    @Test(
        "the median run is the result, and is compared with the bound",
        arguments: [[0.8, 0.95, 0.85], [0.95, 0.85, 0.8]])
    func median(values: [Double]) {
        let median = FigureRecord(medianOf: values.map { record("a", $0, bound: atLeast(0.9)) })
        #expect(median?.value == 0.85)
        #expect(median?.verdict == .short)
        #expect(median?.sides?.peer == 0.002 * 0.85)
        #expect(median?.runs == [0.8, 0.85, 0.95])
    }

    @Test("a run without a value is ignored")
    func absentOnce() {
        let absent = FigureRecord(absent: "a", note: "none")
        #expect(FigureRecord(medianOf: [absent, record("a", 2), absent])?.value == 2)
        #expect(FigureRecord(medianOf: [absent, absent])?.verdict == .absent)
        #expect(FigureRecord(medianOf: []) == nil)
    }

    @Test("growth is the cost of an amount divided by the lowest cost of a smaller amount")
    func growth() {
        var curve = GrowthCurve("g", of: "calls", amounts: [1, 10, 2_000, 3_000_000])
        for (amount, costs) in [(1, [9.0, 7, 8]), (10, [4]), (2_000, [5]), (3_000_000, [6])] {
            for cost in costs { curve.add(cost, at: amount) }
        }
        let records = curve.figures(atMost: 1.25).map(\.record)
        #expect(records.map(\.name) == ["g.10", "g.2k", "g.3M"])
        #expect(records.map(\.value) == [0.5, 1.25, 1.5])
        #expect(records.map(\.verdict) == [.ok, .ok, .short])
        #expect(records[2].sides == FigureSides(ours: 6, peer: 4, unit: "s"))
    }
}

@Suite("The comparison of two benchmark files")
struct FigureComparisonTests {
    private let before = report([
        [
            record("a", 0.9, bound: atLeast(0.85)), record("b", 0.8, bound: atLeast(0.85)),
            record("c", 40, unit: "MiB", bound: atMost(45)), record("d", 100, unit: "k/s"),
        ]
    ])

    @Test("the comparison has values, their ratio, and the benchmarks that no longer or newly meet their bounds")
    func changes() {
        let after = report([
            [
                record("a", 0.72, bound: atLeast(0.85)), record("b", 0.88, bound: atLeast(0.85)),
                record("c", 44, unit: "MiB", bound: atMost(44)), record("e", 1),
            ]
        ])
        let comparison = FigureComparison(before, after)
        #expect(comparison.names(.becameShort) == ["a"])
        #expect(comparison.names(.becameOK) == ["b"])
        #expect(comparison.names(.gone) == ["d"])
        #expect(comparison.names(.added) == ["e"])
        #expect(
            comparison.text == """
                A: abc, 2026-11-23T10:00:00Z, runs: 1, one, 2 cores, 1024 MiB, Linux
                B: abc, 2026-11-23T10:00:00Z, runs: 1, one, 2 cores, 1024 MiB, Linux
                Figure        A       B  B/A         bound  verdict
                a         0.9 x  0.72 x  0.8        >=0.85  ok -> short: became short
                b         0.8 x  0.88 x  1.1        >=0.85  short -> ok: became ok
                c        40 MiB  44 MiB  1.1  <=45 -> <=44  ok
                d       100 k/s       -    -             -  -: gone
                e             -     1 x    -             -  -: new
                became short: a
                became ok: b
                new: e
                gone: d
                """)
    }

    @Test("equal files have no changes, and a different machine is reported")
    func same() {
        let other = Machine(processor: "two", cores: 8, memoryBytes: 1 << 30, system: "Linux")
        let same = FigureComparison(before, before).text
        #expect(same.hasSuffix("No figure became short or ok.") && !same.contains("machines differ"))
        let moved = FigureComparison(before, report([before.figures], on: other))
        #expect(moved.text.contains("The machines differ"))
    }

    @Test("an absent benchmark counts as missing")
    func absent() {
        let comparison = FigureComparison(before, report([[FigureRecord(absent: "a", note: "no peer")]]))
        #expect(comparison.names(.gone) == ["a", "b", "c", "d"])
        #expect(comparison.names(.becameShort).isEmpty)
    }
}

/// Returns a measured benchmark, which is a ratio of two measurements unless it has another unit.
func record(_ name: String, _ value: Double, unit: String = "x", bound: FigureBound? = nil) -> FigureRecord {
    FigureRecord(
        name: name, value: value, unit: unit, bound: bound,
        sides: unit == "x" ? FigureSides(ours: 0.002, peer: 0.002 * value, unit: "s") : nil, note: "",
        isShortForm: false)
}

let machine = Machine(processor: "one", cores: 2, memoryBytes: 1 << 30, system: "Linux")

func report(_ runs: [[FigureRecord]], on machine: Machine = machine) -> FigureReport {
    FigureReport(date: "2026-11-23T10:00:00Z", machine: machine, commit: "abc", runs: runs, failedAreas: [])
}

func atLeast(_ value: Double) -> FigureBound { FigureBound(relation: .atLeast, value: value) }
func atMost(_ value: Double) -> FigureBound { FigureBound(relation: .atMost, value: value) }

func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString).json").path
}

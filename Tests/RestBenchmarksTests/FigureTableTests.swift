// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RestBenchmarks

@Suite("The table of figures and its file")
struct FigureTableTests {
    private let figures = [
        record("transport.get600.16", 0.875, bound: atLeast(0.85)),
        record("records.memory", 41.25, unit: "MiB", bound: atMost(45)),
        record("records.rate", 612.3456, unit: "k/s"),
        FigureRecord(absent: "json.parse-vs-node", note: "node is not installed"),
    ]

    @Test("A ratio stands beside both sides, another figure is ours")
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

    @Test("Several runs are told, and areas that failed")
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
        "Amounts have four digits, times the unit that suits them",
        arguments: [
            (1.5, "s", "1.5 s"), (0.0123456, "s", "12.35 ms"), (0.0000456, "s", "45.6 µs"), (2e-9, "s", "2 ns"),
            (0, "s", "0 s"), (61_234.5, "calls/s", "61235 calls/s"), (-0.5, "MiB", "-0.5 MiB"),
        ] as [(Double, String, String)])
    func amounts(value: Double, unit: String, text: String) {
        #expect(amount(value, unit) == text)
    }

    @Test("What is written is read again; what is no report is refused")
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

    @Test("Arguments name areas, runs and a file; what is unknown is refused")
    func arguments() throws {
        let arguments = try BenchArguments(
            ["json", "--runs", "3", "--short", "--json", "a.json", "org"], known: ["json", "org"])
        #expect(arguments.areas == ["json", "org"] && arguments.runs == 3 && arguments.file == "a.json")
        for words in [["jsom"], ["--runs"], ["--runs", "0"], ["--runs", "x"], ["--json"]] {
            #expect(throws: BenchArguments.Refusal.self) { try BenchArguments(words, known: ["json"]) }
        }
    }
}

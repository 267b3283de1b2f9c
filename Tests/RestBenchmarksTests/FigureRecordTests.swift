// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestBenchmarks

@Suite("A figure's record")
struct FigureRecordTests {
    @Test("The bound decides, its own value included")
    func verdicts() {
        #expect(record("a", 0.9, bound: atLeast(0.9)).verdict == .ok)
        #expect(record("a", 0.899, bound: atLeast(0.9)).verdict == .short)
        #expect(record("a", 1.1, bound: atMost(1.1)).verdict == .ok)
        #expect(record("a", 1.101, bound: atMost(1.1)).verdict == .short)
        #expect(record("a", 5).verdict == .unbounded)
        #expect(record("a", .nan, bound: atMost(1)).verdict == .short, "what was not measured keeps no bound")
    }

    @Test("The line is what it always was")
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

    @Test("The run in the middle stands for all and is judged", arguments: [[0.8, 0.95, 0.85], [0.95, 0.85, 0.8]])
    func median(values: [Double]) {
        let median = FigureRecord(medianOf: values.map { record("a", $0, bound: atLeast(0.9)) })
        #expect(median?.value == 0.85)
        #expect(median?.verdict == .short)
        #expect(median?.sides?.peer == 0.002 * 0.85)
        #expect(median?.runs == [0.8, 0.85, 0.95])
    }

    @Test("A run that could not make the figure is passed by")
    func absentOnce() {
        let absent = FigureRecord(absent: "a", note: "none")
        #expect(FigureRecord(medianOf: [absent, record("a", 2), absent])?.value == 2)
        #expect(FigureRecord(medianOf: [absent, absent])?.verdict == .absent)
        #expect(FigureRecord(medianOf: []) == nil)
    }

    @Test("Growth is the cost of one beside the cheapest of fewer")
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

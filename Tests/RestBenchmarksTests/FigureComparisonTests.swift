// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestBenchmarks

@Suite("What changed between two runs of the bench")
struct FigureComparisonTests {
    private let before = report([
        [
            record("a", 0.9, bound: atLeast(0.85)), record("b", 0.8, bound: atLeast(0.85)),
            record("c", 40, unit: "MiB", bound: atMost(45)), record("d", 100, unit: "k/s"),
        ]
    ])

    @Test("Values, their ratio, and what became short or ok")
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

    @Test("The same figures have not changed; another machine is told")
    func same() {
        let other = Machine(processor: "two", cores: 8, memoryBytes: 1 << 30, system: "Linux")
        let same = FigureComparison(before, before).text
        #expect(same.hasSuffix("No figure became short or ok.") && !same.contains("machines differ"))
        let moved = FigureComparison(before, report([before.figures], on: other))
        #expect(moved.text.contains("The machines differ"))
    }

    @Test("An absent figure is as good as none")
    func absent() {
        let comparison = FigureComparison(before, report([[FigureRecord(absent: "a", note: "no peer")]]))
        #expect(comparison.names(.gone) == ["a", "b", "c", "d"])
        #expect(comparison.names(.becameShort).isEmpty)
    }
}

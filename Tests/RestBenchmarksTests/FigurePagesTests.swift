// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RestBenchmarks

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("The charts and tables of benchmarks")
struct FigurePagesTests {
    private let sample = report([
        [
            record("records.simple-salesforce", 8, bound: atLeast(15)),
            record("command.query", 2, bound: atMost(1.7)),
            record("json.a<b&c", 4, bound: atLeast(2)),
            record("records.rate", 612, unit: "k/s"),
            FigureRecord(absent: "records.jsforce", note: "the peer is not installed"),
        ]
    ])

    /// Returns the bar of a chart's only row, and the position of 1.
    private func bar(_ area: String) throws -> (range: ClosedRange<Double>, one: Double) {
        let chart = try #require(FigureChart.all(sample).first { $0.area == area })
        let svg = try XMLDocument(xmlString: chart.svg)
        func number(_ path: String) throws -> Double {
            let node = try #require(try svg.nodes(forXPath: "//*[local-name()=\(path)").first)
            return try #require(node.stringValue.flatMap { Double($0) })
        }
        let start = try number("'rect']/@x")
        return (start...(start + (try number("'rect']/@width"))), try number("'line'][@class='one']/@x1"))
    }

    @Test("a bar goes to the right if this package is faster, also if the figure is our time relative to the other's")
    func bars() throws {
        let faster = try bar("records")
        #expect(faster.range.lowerBound == faster.one && faster.range.upperBound > faster.one + 100)
        let slower = try bar("command")
        #expect(slower.range.upperBound == slower.one && slower.range.lowerBound < slower.one - 100)
        #expect(FigureChart.all(sample).map(\.area) == ["command", "json", "records"])
    }

    @Test("the README keeps its text around the table, and a README without a place changes nothing")
    func pages() throws {
        let directory = URL(fileURLWithPath: temporaryPath())
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let (readme, figures) = (directory.appending(path: "README.md").path, directory.appending(path: "figures").path)
        let pages = FigurePages(report: sample)
        try "before\n".write(toFile: readme, atomically: true, encoding: .utf8)
        #expect(throws: FigureReport.Unreadable.self) { try pages.write(to: figures, readme: readme) }
        #expect(!FileManager.default.fileExists(atPath: figures))
        let frame = ["before\n<!-- figures: `make bench` writes this table -->", "<!-- end of figures -->\nafter\n"]
        try frame.joined(separator: "\nold\n").write(toFile: readme, atomically: true, encoding: .utf8)
        for _ in 1...2 {
            try pages.write(to: figures, readme: readme)
            let text = try String(contentsOfFile: readme, encoding: .utf8)
            #expect(text == frame.joined(separator: "\n\(pages.table)\n\n"))
        }
        #expect(pages.table.contains("| reading records | simple-salesforce | 8 |"))
        let all = try String(contentsOfFile: "\(figures)/README.md", encoding: .utf8)
        #expect(all.contains("| `records.rate` | 612 k/s | - | - | - | - |  |"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: figures).count == 4)
    }
}

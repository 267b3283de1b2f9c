// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import RestTransport
import Terminals
import Testing

@testable import SoqlCommand

@Suite("Charts", .timeLimit(.minutes(1)))
struct ChartTests {
    private static func bars(_ values: KeyValuePairs<String, Double?>) -> [BarChart.Bar] {
        values.map { BarChart.Bar(label: $0.key, value: $0.value, text: $0.value.map { "\($0)" } ?? "null") }
    }

    private func lines(
        _ bars: [BarChart.Bar], _ columns: Int, marks: Marks = .unicode, hasColors: Bool = false, full: Double? = nil
    ) -> [String] {
        BarChart(bars: bars, full: full).lines(PrintStyle(marks: marks, hasColors: hasColors) { columns })
    }

    private func printed(
        _ query: String, _ records: [JSONValue], columns: Int = 40, marks: Marks = .unicode,
        set: (inout Arguments) -> Void = { _ in }
    ) throws -> (lines: [String], remark: String?) {
        var style = PrintStyle(marks: marks, columns: { columns })
        set(&style.options)
        let head = ResultHead(columns: Columns(query: query, sample: records.first), totalSize: records.count)
        var (printer, bytes) = (OutputFormat.chart.printer(head, style), [UInt8]())
        printer.begin(JSONArray(records)[...], into: &bytes)
        for record in records { try printer.row(record, into: &bytes) }
        try printer.end(isDone: true, into: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return (lines.map(String.init), printer.remark)
    }

    @Test("bars have eighths of a column, the largest fills the width, and only zero and null have no bar")
    func bars() {
        let chart = lines(Self.bars(["a": 16, "bb": 8.5, "c": 0.01, "d": 0, "e": nil]), 24)
        #expect(
            chart == [
                "a  16.0 ████████████████", "bb  8.5 ████████▌", "c  0.01 ▏", "d   0.0", "e  null",
            ])
        let ascii = lines(Self.bars(["a": 16, "b": 8.4, "c": 0.01]), 23, marks: .ascii)
        #expect(ascii == ["a 16.0 ################", "b  8.4 ########", "c 0.01 #"])
        // One group fills the width, and a fixed scale does not depend on the values.
        #expect(lines(Self.bars(["x": 3]), 16) == ["x 3.0 ██████████"])
        #expect(lines(Self.bars(["x": 0.5]), 16, full: 1) == ["x 0.5 █████"])
        #expect(lines(Self.bars(["x": 5]), 16, full: 1) == ["x 5.0 ██████████"])
        #expect(lines(Self.bars(["x": 1]), 16, hasColors: true) == ["x 1.0 \u{1B}[36m██████████\u{1B}[0m"])
    }

    @Test("negative bars end where positive bars begin")
    func negative() {
        #expect(lines(Self.bars(["a": -4, "b": 4, "c": -1]), 16) == ["a -4.0 ████", "b  4.0     ████", "c -1.0    █"])
        #expect(lines(Self.bars(["a": -4, "b": -2.5]), 15) == ["a -4.0 ████████", "b -2.5    █████"])
        #expect(lines(Self.bars(["a": -4, "b": -2.25]), 16) == ["a  -4.0 ████████", "b -2.25    ▐████"])
    }

    @Test(
        "every line fits the terminal for any numbers and labels",
        arguments: [1, 2, 9, 20, 80, 200], [Marks.unicode, .ascii])
    func fits(columns: Int, marks: Marks) {
        let greatest = Double.greatestFiniteMagnitude
        let sets: [[Double?]] = [
            [greatest, -greatest, 1], [.infinity, 5, nil], [.leastNonzeroMagnitude, -.leastNonzeroMagnitude],
            [.nan, 0], [-.infinity], [1e300, 1e-300],
            [-1e-300, 7],
        ]
        for values in sets {
            let labels = ["日本語の長いラベル", "e\u{301}👩‍👩‍👧‍👦", "a\u{1B}[31m\nb\u{202E}"]
            let bars = zip(labels, values).map { BarChart.Bar(label: $0, value: $1, text: "7") }
            let points = values.enumerated().map {
                LineChart.Point(label: labels[$0 % 3], time: Double($0), value: $1, text: "9e999")
            }
            let style = PrintStyle(marks: marks) { columns }
            let drawn = BarChart(bars: bars).lines(style) + LineChart(title: labels[2], points: points).lines(style)
            #expect(drawn.count == bars.count + 14)
            for line in drawn {
                #expect(line.unicodeScalars.allSatisfy { !$0.isControl })
                #expect(columns < 20 || line.columnWidth <= columns, "\(line)")
                #expect(marks != .ascii || !line.contains { "█▌▏▐▀▄│…".contains($0) })
            }
        }
    }

    @Test("a line joins its points in the order of time, null interrupts it, and its ends are labelled")
    func line() {
        func point(_ day: Int, _ value: Double?) -> LineChart.Point {
            LineChart.Point(label: "d\(day)", time: Double(day), value: value, text: value.map { "\(Int($0))" } ?? "")
        }
        let style = PrintStyle { 16 }
        let up = LineChart(title: "up", points: [point(9, 23), point(0, 0)]).lines(style)
        #expect(up[0] == "up" && up[1] == "23 │           ▞" && up[12] == " 0 │▞" && up[13] == "    d0        d9")
        #expect(up[1...12].allSatisfy { $0.hasSuffix("▞") })
        let cut = LineChart(title: "t", points: [point(0, 8), point(5, nil), point(9, 8)]).lines(style)
        #expect(cut[1] == "8 │▘           ▝" && cut[2...12].allSatisfy { $0.hasSuffix("│") })
        let below = LineChart(title: "t", points: [point(0, -8), point(1, 8)]).lines(style)
        #expect(below[1].hasPrefix(" 8 │") && below[12].hasPrefix("-8 │"))
        let none = LineChart(title: "t", points: [point(0, nil), point(1, nil)]).lines(style)
        #expect(none[1...12].allSatisfy { !$0.contains("▘") })
    }

    @Test("groups are labels although they are numbers, and each function has a chart")
    func groups() throws {
        let query = "SELECT Staff__c, Industry, COUNT(Id) n, MAX(Name) FROM Account GROUP BY Staff__c, Industry"
        let records: [JSONValue] = [
            ["Staff__c": 5, "Industry": "Banking", "n": 4, "expr0": "x"],
            ["Staff__c": 7, "Industry": nil, "n": 2, "expr0": "y"],
        ]
        let lines = try printed(query, records, columns: 44).lines
        #expect(lines[0] == "Staff__c, Indust… n")
        #expect(lines[1].hasPrefix("5, Banking") && lines[2].hasPrefix("7, null"))
        let sums = "SELECT Industry, COUNT(Id) a, SUM(X) b FROM A GROUP BY Industry"
        let two = try printed(sums, [["Industry": "B", "a": 1, "b": -2.5]]).lines
        #expect(two.count == 5 && two[2].isEmpty && two[3] == "Industry    b")
        #expect(try printed("SELECT COUNT(Id) FROM A", [["expr0": 3]], columns: 16).lines == ["expr0 3 ████████"])
        let record: JSONValue = ["Name": "x", "Amount": 2]
        #expect(try printed("SELECT Name, Amount FROM A", [record]) { $0[.noHeader] = "" }.lines.count == 1)
    }

    @Test("groups of dates, months and quarters are a line, with rows of any order")
    func times() throws {
        let months =
            "SELECT CALENDAR_MONTH(D) m, CALENDAR_YEAR(D), COUNT(Id) n FROM A GROUP BY CALENDAR_MONTH(D), CALENDAR_YEAR(D)"
        let records: [JSONValue] = [
            ["m": 1, "expr0": 2026, "n": 3], ["m": 12, "expr0": 2025, "n": 5], ["m": nil, "expr0": nil, "n": 1],
        ]
        let drawn = try printed(months, records)
        #expect(drawn.lines.count == 14 && drawn.lines[0] == "n by m, expr0")
        #expect(drawn.lines[13].contains("12, 2025") && drawn.lines[13].hasSuffix("1, 2026"))
        #expect(drawn.remark == "1 row without a date not drawn")
        let dated: [JSONValue] = [["d": "2026-03-01", "n": 1], ["d": "2024-02-29", "n": 2]]
        for date in ["CloseDate d", "DAY_ONLY(CreatedDate) d"] {
            let lines = try printed("SELECT \(date), COUNT(Id) n FROM O GROUP BY \(date.dropLast(2))", dated).lines
            #expect(lines.count == 14 && lines[13].hasPrefix("   2024-02-29"))
        }
        // One date, or other text, is a bar.
        let one: JSONValue = ["D": "2026-03-01", "A": 1]
        #expect(try printed("SELECT D, SUM(A) A FROM O GROUP BY D", [one]).lines.count == 2)
        #expect(try printed("SELECT D, A FROM O", [one, ["D": "x", "A": 1]]).lines.count == 3)
    }

    @Test("ten thousand groups are cut with a note, and a result without numbers is a usage error")
    func bounds() async throws {
        let records = (0..<10_000).map { ["Name": JSONValue("g\($0)"), "n": JSONValue($0)] as JSONValue }
        let many = try printed("SELECT Name, COUNT(Id) n FROM A GROUP BY Name", records)
        #expect(many.lines.count == 2_001 && many.remark == "only the first 2000 of 10000 rows are drawn")
        #expect(try printed("SELECT Name, COUNT(Id) FROM A GROUP BY Name", []).lines.isEmpty)
        let folder = try TemporaryDirectory()
        let failed = try await Command.run(
            "--sample", "--format", "chart", "-o", folder.path("c.txt"), "SELECT Name FROM Account")
        #expect(failed.status == 2 && !FileManager.default.fileExists(atPath: folder.path("c.txt")))
        #expect(failed.errors.contains("soql: the result has no column of numbers to draw; use another --format\n"))
    }

    @Test("a terminal shows charts, what is left of limits and the cost of plans; a pipe gets the same CSV as before")
    func shown() async throws {
        func shown(_ arguments: String..., locale: String = "C.UTF-8") throws -> [String] {
            let terminal = try TerminalSession(
                ["--sample", "--no-pager", "--color", "never"] + arguments, environment: ["LC_ALL": locale],
                size: Screen(columns: 80, rows: 24))
            terminal.finish()
            #expect(terminal.process.terminationStatus == 0, "\(terminal.text)")
            let lines = ScreenModel(terminal.text, columns: 80).lines
            #expect(terminal.text.split(whereSeparator: \.isNewline).count == lines.count, "\(terminal.text)")
            return lines
        }
        let query = "SELECT Industry, COUNT(Id) FROM Account GROUP BY Industry ORDER BY COUNT(Id) DESC LIMIT 3"
        let chart = try shown("--format", "chart", query)
        #expect(chart.contains { $0.hasSuffix("██████") && $0.columnWidth == 80 } && chart.last == "3 records")
        #expect(try shown("--format", "chart", query, locale: "C").contains { $0.hasSuffix("######") })
        let limits = try shown("limits")
        #expect(limits[0].hasPrefix("limit "))
        #expect(limits.contains { $0.hasPrefix("DailyApiRequests  ") && $0.hasSuffix("█") })
        #expect(try shown("limits", "--format", "table").contains { $0.contains("│ remaining │") })
        let plans = try shown("explain", "SELECT Id FROM Account WHERE Industry = 'Banking'")
        #expect(plans[0].hasPrefix("plan ") && plans[1].hasPrefix("Index Account"))
        #expect(plans[2].hasSuffix("records; selective"))
        let piped = try await Command.run("limits", "--sample")
        #expect(piped.output.hasPrefix("name,maximum,remaining,used\n") && !piped.output.contains("█"))
    }

    @Test("the session draws the last statement again with \\chart, and keeps its format")
    func session() async throws {
        let start = try await SessionStart()
        let session = try start.session("--color", "never")
        try session.type("SELECT Industry, COUNT(Id) n FROM Account GROUP BY Industry LIMIT 2;\n", until: "2 records")
        try session.type("\\chart\n", until: "█")
        session.type("\\g\n")
        try session.wait { $0.components(separatedBy: "─┼─").count == 3 }
        #expect(start.leave(session), "\(session.text)")
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The table of all metrics at the end of a run.
struct FigureTable {
    let report: FigureReport

    /// The table, a summary line and the failed areas.
    var text: String {
        var table = TextTable(["Figure", "ours", "peer", "ratio", "bound", "verdict"])
        for record in report.figures { table.append(Self.cells(record)) }
        return ([table.text, summary] + failures).joined(separator: "\n")
    }

    /// A ratio has both sides, and any other metric has only our value.
    private static func cells(_ record: FigureRecord) -> [String] {
        let bound = record.bound?.description ?? "-"
        let verdict = record.verdict == .absent ? "absent: \(record.note)" : record.verdict.rawValue
        guard let value = record.value, let unit = record.unit else {
            return [record.name, "-", "-", "-", bound, verdict]
        }
        let sides = record.sides.map { [amount($0.ours, $0.unit), amount($0.peer, $0.unit)] }
        return unit == "x"
            ? [record.name] + (sides ?? ["-", "-"]) + [rounded(value), bound, verdict]
            : [record.name, amount(value, unit), "-", "-", bound, verdict]
    }

    private var summary: String {
        func count(_ verdict: FigureRecord.Verdict) -> Int { report.figures.count { $0.verdict == verdict } }
        let judged = report.runs > 1 ? "; each figure is the median of \(report.runs) whole runs" : "; of one run"
        return "\(report.figures.count) figures, \(count(.short)) short, \(count(.absent)) absent\(judged)"
    }

    private var failures: [String] {
        report.failedAreas.map { "bench: the area \($0) ended with an error; figures are missing" }
    }
}

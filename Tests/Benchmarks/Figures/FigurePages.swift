// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The documents that a whole run writes: charts, a table of all metrics, and a table of some for the README.
struct FigurePages {
    /// The lines of a document between which a table is written.
    private static let (begin, end) = ("<!-- figures: `make bench` writes this table -->", "<!-- end of figures -->")

    /// The rows of the README's table: a metric, the work, and the other program.
    private static let shown = [
        ("records.simple-salesforce", "reading records", "simple-salesforce"),
        ("typed.simple-salesforce", "reading typed rows", "simple-salesforce"),
        ("bulk.export", "exporting a Bulk job to a file", "simple-salesforce"),
        ("bulk.ingest.records", "loading records with Bulk jobs, processor time", "simple-salesforce"),
        ("sync.pull.simple-salesforce", "the first pull of an offline copy", "simple-salesforce and `sqlite3`"),
        ("sync.push.simple-salesforce", "pushing edits of an offline copy", "simple-salesforce, one by one"),
        ("events.cometd-vs-aiosfstream", "reading events over CometD", "aiosfstream"),
        ("events.pubsub-vs-aiosfpubsub", "reading events over the Pub/Sub API", "aiosfpubsub"),
        ("json.decode-vs-jsondecoder", "decoding JSON", "`JSONDecoder`"),
        ("csv.read.python", "reading CSV", "Python's `csv`"),
        ("stone.page.python", "reading a page of Dropbox", "Dropbox's SDK for Python"),
        ("pipeline.get600.urlsession", "small requests, whole client", "`URLSession` on Linux"),
        ("transport.get600.16", "small requests, 16 at a time", "a bare loop around libcurl in C"),
        ("http2.h2load", "small requests over HTTP/2", "h2load"),
    ]

    let report: FigureReport

    /// Writes the charts and the table of all metrics to a directory, and the short table into the README.
    ///
    /// - Throws: ``FigureReport/Unreadable`` if the README has no place for the table.
    func write(to directory: String, readme: String) throws {
        let old = try String(contentsOfFile: readme, encoding: .utf8)
        guard let start = old.firstRange(of: Self.begin)?.upperBound,
            let end = old[start...].firstRange(of: Self.end)?.lowerBound
        else { throw FigureReport.Unreadable(description: "\(readme) has no place for the table of figures") }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let charts = FigureChart.all(report)
        for chart in charts {
            try chart.svg.write(toFile: "\(directory)/\(chart.area).svg", atomically: true, encoding: .utf8)
        }
        try page(charts.map(\.area)).write(toFile: "\(directory)/README.md", atomically: true, encoding: .utf8)
        let new = old[..<start] + "\n\(table)\n\n" + old[end...]
        try String(new).write(toFile: readme, atomically: true, encoding: .utf8)
    }

    /// The table of the README.
    var table: String {
        let byName = Dictionary(report.figures.map { ($0.name, $0) }) { first, _ in first }
        let rows = Self.shown.compactMap { name, work, peer -> String? in
            guard let record = byName[name], let value = record.value else { return nil }
            let spread = record.spread.map { " (\(threeDigits($0.least)) to \(threeDigits($0.most)))" } ?? ""
            return "| \(work) | \(peer) | \(threeDigits(value))\(spread) |"
        }
        return """
            | work | other program | times as fast |
            |---|---|---|
            \(rows.joined(separator: "\n"))

            \(report.origin). In brackets: the lowest and the highest of several pairs. [All figures](docs/figures/README.md).
            """
    }

    /// The page with all metrics.
    private func page(_ areas: [String]) -> String {
        let rows = report.figures.map { record in
            let value = record.value.map { "\(rounded($0)) \(record.unit ?? "")" } ?? "-"
            let sides = record.sides.map { [amount($0.ours, $0.unit), amount($0.peer, $0.unit)] } ?? ["-", "-"]
            let note = [record.spread?.description, record.note.isEmpty ? nil : record.note].compactMap(\.self)
            let cells =
                ["`\(record.name)`", value] + sides
                + [record.bound?.description ?? "-", record.verdict.rawValue, note.joined(separator: "; ")]
            return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
        }
        return """
            # Figures

            `make bench` wrote this page and its charts: \(report.origin), commit \(report.commit ?? "unknown").

            A bar begins at 1, where both programs take the same time. To its right, this package is faster. The vertical mark \
            is the bound, the horizontal one the spread. Yellow bars are short of their bounds. The scale doubles with each line.

            \(areas.map { "## \($0)\n\n![Ratios of \($0)](\($0).svg)" }.joined(separator: "\n\n"))

            ## All figures

            | figure | value | ours | peer | bound | verdict | note |
            |---|---|---|---|---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }
}

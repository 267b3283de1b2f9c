// SPDX-License-Identifier: Apache-2.0

/// The changes from one report to another.
struct FigureComparison {
    enum Change: String, CaseIterable {
        case becameShort = "became short"
        case becameOK = "became ok"
        case added = "new"
        case gone
    }

    private let before: FigureReport
    private let after: FigureReport
    private let rows: [(name: String, before: FigureRecord?, after: FigureRecord?)]

    /// Compares two reports: first the metrics of the first report, then the new ones.
    init(_ before: FigureReport, _ after: FigureReport) {
        (self.before, self.after) = (before, after)
        let (old, new) = (Self.byName(before), Self.byName(after))
        let names = before.figures.map(\.name) + after.figures.map(\.name).filter { old[$0] == nil }
        rows = names.map { ($0, old[$0], new[$0]) }
    }

    private static func byName(_ report: FigureReport) -> [String: FigureRecord] {
        Dictionary(report.figures.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The names of the metrics with this change.
    func names(_ change: Change) -> [String] {
        rows.filter { Self.change($0.before, $0.after) == change }.map(\.name)
    }

    private static func change(_ before: FigureRecord?, _ after: FigureRecord?) -> Change? {
        // An absent metric was not measured.
        switch (before?.verdict ?? .absent, after?.verdict ?? .absent) {
        case (.absent, .absent): nil
        case (.absent, _): .added
        case (_, .absent): .gone
        case (.ok, .short): .becameShort
        case (.short, .ok): .becameOK
        default: nil
        }
    }

    /// Both runs, one line for each metric, and the changes of verdicts.
    var text: String {
        var table = TextTable(["Figure", "A", "B", "B/A", "bound", "verdict"])
        for row in rows { table.append(Self.cells(row.name, row.before, row.after)) }
        return (heads + [table.text] + changes).joined(separator: "\n")
    }

    private var heads: [String] {
        let heads = [("A", before), ("B", after)].map { name, report in
            "\(name): \(report.commit ?? "no commit"), \(report.date), runs: \(report.runs), \(report.machine)"
        }
        let isSame = before.machine == after.machine
        return heads + (isSame ? [] : ["The machines differ: times and rates cannot be compared, ratios can."])
    }

    private static func cells(_ name: String, _ before: FigureRecord?, _ after: FigureRecord?) -> [String] {
        let verdicts = [before, after].map { $0?.verdict.rawValue ?? "-" }
        let verdict = verdicts[0] == verdicts[1] ? verdicts[1] : "\(verdicts[0]) -> \(verdicts[1])"
        let mark = change(before, after).map { ": \($0.rawValue)" } ?? ""
        return [name, value(before), value(after), ratio(before, after), bound(before, after), verdict + mark]
    }

    private static func value(_ record: FigureRecord?) -> String {
        guard let record, let value = record.value, let unit = record.unit else { return "-" }
        return amount(value, unit)
    }

    private static func ratio(_ before: FigureRecord?, _ after: FigureRecord?) -> String {
        guard let before, let after, before.unit == after.unit, let old = before.value, let new = after.value, old != 0
        else { return "-" }
        return rounded(new / old)
    }

    private static func bound(_ before: FigureRecord?, _ after: FigureRecord?) -> String {
        let bounds = [before, after].compactMap { $0?.bound?.description }
        return Set(bounds).count > 1 ? bounds.joined(separator: " -> ") : bounds.first ?? "-"
    }

    private var changes: [String] {
        let lines = Change.allCases.compactMap { change in
            let names = names(change)
            return names.isEmpty ? nil : "\(change.rawValue): \(names.joined(separator: ", "))"
        }
        return lines.isEmpty ? ["No figure became short or ok."] : lines
    }
}

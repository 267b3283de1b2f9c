// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The ratios of one area as an SVG picture: a bar from 1, the bound, and the spread, on a logarithmic scale.
///
/// To the right of 1, this package is faster than the other program.
struct FigureChart {
    private static let (rowHeight, left, right) = (24.0, 240.0, 690.0)

    let area: String
    private let records: [FigureRecord]
    private let caption: String
    /// The base-2 logarithms of the ends of the scale, which are whole numbers.
    private let scale: ClosedRange<Double>

    /// Creates the charts of all areas with ratios to other programs.
    static func all(_ report: FigureReport) -> [FigureChart] {
        let compared = report.figures.filter { $0.sides != nil && $0.unit == "x" && ($0.value ?? 0) > 0 }
        let areas = Dictionary(grouping: compared) { String($0.name.prefix { $0 != "." }) }
        return areas.sorted { $0.key < $1.key }.map { FigureChart($0.key, $0.value, report.origin) }
    }

    private init(_ area: String, _ records: [FigureRecord], _ caption: String) {
        (self.area, self.records, self.caption) = (area, records, caption)
        let all = records.flatMap { record in
            [record.value, record.bound?.value, record.spread?.least, record.spread?.most]
                .compactMap { $0.map { Self.logarithm($0, record) } }
        }
        scale = min(-1, (all.min() ?? 0).rounded(.down))...max(1, (all.max() ?? 0).rounded(.up))
    }

    /// The logarithm of a ratio, turned around if a lower one is better.
    private static func logarithm(_ value: Double, _ record: FigureRecord) -> Double {
        let exponent = log2(max(value, 1e-3))
        return record.bound?.relation == .atMost ? -exponent : exponent
    }

    private func place(_ value: Double, _ record: FigureRecord? = nil) -> Double {
        let exponent = record.map { Self.logarithm(value, $0) } ?? log2(value)
        let share = (exponent - scale.lowerBound) / (scale.upperBound - scale.lowerBound)
        return (Self.left + share * (Self.right - Self.left)).rounded()
    }

    var svg: String {
        let bottom = 20 + Double(records.count) * Self.rowHeight
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 \(text(bottom + 44))" role="img" \
            font-family="system-ui, sans-serif" font-size="12">
            <title>\(area): times as fast as other programs</title>
            <style>text{fill:#24292f}.faint{fill:#57606a}.grid{stroke:#d0d7de}.one{stroke:#57606a}.ok{fill:#2da44e}\
            .short{fill:#d4a72c}.plain{fill:#8c959f}.mark{stroke:#24292f;stroke-width:1.5}@media (prefers-color-scheme:dark)\
            {text{fill:#e6edf3}.faint{fill:#9198a1}.grid{stroke:#3d444d}.one{stroke:#9198a1}.mark{stroke:#e6edf3}}</style>
            """
        ]
        for exponent in stride(from: scale.lowerBound, through: scale.upperBound, by: 1) {
            let (x, value) = (text(place(exp2(exponent))), exp2(exponent))
            lines.append(
                """
                <line class="\(exponent == 0 ? "one" : "grid")" x1="\(x)" x2="\(x)" y1="14" y2="\(text(bottom))"/>\
                <text class="faint" x="\(x)" y="\(text(bottom + 14))" text-anchor="middle">\(rounded(value))</text>
                """)
        }
        lines += records.enumerated().map { row($1, top: 16 + Double($0) * Self.rowHeight) }
        lines.append(
            "<text class=\"faint\" x=\"8\" y=\"\(text(bottom + 34))\">\(Self.escaped(caption))</text>\n</svg>\n")
        return lines.joined(separator: "\n")
    }

    private func row(_ record: FigureRecord, top: Double) -> String {
        let value = record.value ?? 1
        let (one, end, middle) = (place(1), place(value, record), top + 10)
        var line = """
            <text x="8" y="\(text(top + 14))">\(Self.escaped(String(record.name.dropFirst(area.count + 1))))</text>\
            <rect class="\(record.verdict == .ok || record.verdict == .short ? record.verdict.rawValue : "plain")" \
            x="\(text(min(one, end)))" y="\(text(top + 3))" width="\(text(max(1, abs(end - one))))" height="14"/>
            """
        if let spread = record.spread {
            let ends = [place(spread.least, record), place(spread.most, record)].map(text)
            line += "<path class=\"mark\" d=\"M\(ends[0]) \(text(middle))H\(ends[1])\"/>"
        }
        if let bound = record.bound {
            let x = text(place(bound.value, record))
            line += "<path class=\"mark\" d=\"M\(x) \(text(top))V\(text(top + 20))\"/>"
        }
        return line + "<text x=\"752\" y=\"\(text(top + 14))\" text-anchor=\"end\">\(threeDigits(value)) x</text>"
    }

    private func text(_ number: Double) -> String { rounded(number) }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}

/// Formats a ratio with three digits.
func threeDigits(_ value: Double) -> String {
    let scale = value < 10 ? 100.0 : value < 100 ? 10 : 1
    return rounded((value * scale).rounded() / scale)
}

extension FigureReport {
    /// The machine, the day and the number of runs, for a caption.
    var origin: String {
        "\(machine), \(date.prefix(10)), \(runs == 1 ? "one run" : "median of \(runs) runs")"
    }
}

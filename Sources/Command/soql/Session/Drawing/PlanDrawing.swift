// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The plans of a query, the cheapest first: how each begins, how many records it finds, and what it costs.
struct PlanDrawing {
    private static let barWidth = 20

    let text: String

    init(_ plans: [SOQL.Plan]) {
        guard !plans.isEmpty else {
            text = "The org tells no plan.\n"
            return
        }
        let drawn = plans.sorted { $0.relativeCost < $1.relativeCost }.enumerated().map(Self.lines)
        text = drawn.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    private static func lines(_ number: Int, _ plan: SOQL.Plan) -> [String] {
        let fields = plan.fields.isEmpty ? "" : " by \(plan.fields.joined(separator: ", "))"
        let share = plan.objectCardinality > 0 ? " of \(plan.objectCardinality)" : ""
        let verdict = plan.relativeCost < 1 ? "selective" : "not selective"
        return [
            "\(number + 1). \(plan.leadingOperation) of \(plan.type)\(fields)".singleLine,
            "   records  \(plan.cardinality)\(share)",
            "   cost     \(bar(plan.relativeCost)) \(plan.relativeCost.hundredths) (\(verdict))",
        ]
            + plan.notes.map { note in
                let fields = note.fields.isEmpty ? "" : " (\(note.fields.joined(separator: ", ")))"
                return "   note     \(note.description)\(fields)".singleLine
            }
    }

    /// The cost as a bar; the whole of it is 1, from where on a query is not selective.
    private static func bar(_ cost: Double) -> String {
        let filled = Int(min(max(cost, 0), 1) * Double(barWidth))  // bounded: 0 to the bar's width
        let marks = Marks.current == .unicode ? (full: "█", empty: "░") : (full: "#", empty: ".")
        return String(repeating: marks.full, count: filled) + String(repeating: marks.empty, count: barWidth - filled)
    }
}

extension Double {
    /// The number with two digits behind its point; a very large one as it is.
    fileprivate var hundredths: String {
        guard abs(self) < 1e12 else { return "\(self)" }
        let whole = Int((abs(self) * 100).rounded())  // bounded: above
        let digits = whole % 100
        return (self < 0 ? "-" : "") + "\(whole / 100).\(digits < 10 ? "0" : "")\(digits)"
    }
}

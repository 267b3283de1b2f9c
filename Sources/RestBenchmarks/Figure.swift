// SPDX-License-Identifier: Apache-2.0

/// One measured number with the bound it must keep, printed as one line.
struct Figure {
    /// What the number must be against its bound.
    enum Relation: String {
        case atLeast = ">="
        case atMost = "<="
    }

    /// The name, led by its area (`json.`, `transport.`, `pipeline.`, `command.`).
    let name: String
    let value: Double
    let unit: String
    let relation: Relation
    let bound: Double
    /// What else a reader should know: the spread, the number of pairs.
    var note = ""

    /// Whether the bound is kept.
    var isKept: Bool { relation == .atLeast ? value >= bound : value <= bound }

    /// Prints the line.
    func print() {
        let verdict = isKept ? "ok" : "short"
        let line = "figure \(name) \(rounded(value)) \(unit) bound \(relation.rawValue)\(rounded(bound)) \(verdict)"
        Swift.print(note.isEmpty ? line : "\(line) (\(note))")
    }

    /// Says that a peer is not installed, so that its absence is seen.
    static func absent(_ name: String, peer: String) {
        Swift.print("figure \(name) - - absent (\(peer) is not installed)")
    }
}

/// A number with at most three decimals.
func rounded(_ value: Double) -> String {
    let thousandths = (value * 1_000).rounded() / 1_000
    return thousandths == thousandths.rounded() && abs(thousandths) < 1e15 ? "\(Int(thousandths))" : "\(thousandths)"
}

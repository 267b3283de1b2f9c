// SPDX-License-Identifier: Apache-2.0

/// One measured number, printed as one line with the bound it must keep.
struct Figure {
    /// What the number must be against its bound.
    enum Relation: String {
        case atLeast = ">="
        case atMost = "<="
    }

    /// What a number must be.
    private struct Limit {
        let relation: Relation
        let bound: Double

        func isKept(by value: Double) -> Bool { relation == .atLeast ? value >= bound : value <= bound }
    }

    private let name: String
    private let value: Double
    private let unit: String
    private let limit: Limit?
    private let note: String

    /// Makes a figure with a bound.
    ///
    /// - Parameters:
    ///   - name: led by its area (`json.`, `transport.`, `pipeline.`, `command.`).
    ///   - value: what was measured.
    ///   - unit: the unit of the value.
    ///   - relation: what the value must be against the bound.
    ///   - bound: the bound.
    ///   - note: what else a reader should know: the spread, the number of pairs.
    init(name: String, value: Double, unit: String, relation: Relation, bound: Double, note: String = "") {
        (self.name, self.value, self.unit, self.note) = (name, value, unit, note)
        limit = Limit(relation: relation, bound: bound)
    }

    /// Makes a figure without a bound: a rate or a time, which tells of the machine as much as of what runs on it.
    init(name: String, value: Double, unit: String, note: String = "") {
        (self.name, self.value, self.unit, self.note) = (name, value, unit, note)
        limit = nil
    }

    /// Prints the line.
    func print() {
        let bound = limit.map { "bound \($0.relation.rawValue)\(rounded($0.bound)) " } ?? ""
        let line = "figure \(name) \(rounded(value)) \(unit) \(bound)\(verdict)"
        Swift.print(note.isEmpty ? line : "\(line) (\(note))")
    }

    private var verdict: String {
        if Extent.isShort { return "checked" }
        return limit.map { $0.isKept(by: value) ? "ok" : "short" } ?? "-"
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

// SPDX-License-Identifier: Apache-2.0

/// One measured number, printed as one line with the bound it must keep.
struct Figure {
    let record: FigureRecord

    /// Makes a figure with a bound.
    ///
    /// - Parameters:
    ///   - name: led by its area (`json.`, `transport.`, `pipeline.`, `command.`).
    ///   - value: what was measured.
    ///   - unit: the unit of the value.
    ///   - relation: what the value must be against the bound.
    ///   - bound: the bound.
    ///   - sides: what a ratio was made of.
    ///   - note: what else a reader should know: the spread, the number of pairs.
    init(
        name: String, value: Double, unit: String, relation: FigureBound.Relation, bound: Double,
        sides: FigureSides? = nil, note: String = ""
    ) {
        record = FigureRecord(
            name: name, value: value, unit: unit, bound: FigureBound(relation: relation, value: bound), sides: sides,
            note: note, isShortForm: Extent.isShort)
    }

    /// Makes a figure without a bound: a rate or a time, which tells of the machine as much as of what runs on it.
    init(name: String, value: Double, unit: String, sides: FigureSides? = nil, note: String = "") {
        record = FigureRecord(
            name: name, value: value, unit: unit, bound: nil, sides: sides, note: note, isShortForm: Extent.isShort)
    }

    /// Prints the line, and notes the figure for the table of the whole run.
    func print() {
        Swift.print(record.line)
        FigureJournal.ofRun?.append(record)
    }

    /// Says that a peer is not installed, so that its absence is seen.
    static func absent(_ name: String, peer: String) {
        let record = FigureRecord(absent: name, note: "\(peer) is not installed")
        Swift.print(record.line)
        FigureJournal.ofRun?.append(record)
    }
}

/// A number with at most three decimals.
func rounded(_ value: Double) -> String {
    let thousandths = (value * 1_000).rounded() / 1_000
    return thousandths == thousandths.rounded() && abs(thousandths) < 1e15 ? "\(Int(thousandths))" : "\(thousandths)"
}

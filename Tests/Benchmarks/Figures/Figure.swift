// SPDX-License-Identifier: Apache-2.0

/// A metric, which is printed as one line with its bound.
struct Figure {
    let record: FigureRecord

    /// Creates a metric with a bound.
    ///
    /// - Parameters:
    ///   - name: the name, which begins with the area (`json.`, `transport.`, `pipeline.`, `command.`).
    ///   - value: the value.
    ///   - unit: the unit of the value.
    ///   - relation: the required relation of the value to the bound.
    ///   - bound: the bound.
    ///   - sides: both sides of a ratio.
    ///   - spread: the spread of the ratios of which the value is the median.
    ///   - note: further information, such as the number of records.
    init(
        name: String, value: Double, unit: String, relation: FigureBound.Relation, bound: Double,
        sides: FigureSides? = nil, spread: FigureSpread? = nil, note: String = ""
    ) {
        record = FigureRecord(
            name: name, value: value, unit: unit, bound: FigureBound(relation: relation, value: bound), sides: sides,
            spread: spread, note: note, isShortForm: Extent.isShort)
    }

    /// Creates a metric without a bound, such as a rate or a time that depends on the machine.
    init(name: String, value: Double, unit: String, sides: FigureSides? = nil, note: String = "") {
        record = FigureRecord(
            name: name, value: value, unit: unit, bound: nil, sides: sides, note: note, isShortForm: Extent.isShort)
    }

    /// Prints the line, and records the metric for the table of the run.
    func print() {
        Swift.print(record.line)
        FigureJournal.ofRun?.append(record)
    }

    /// Reports that a baseline is not installed.
    static func absent(_ name: String, peer: String) {
        let record = FigureRecord(absent: name, note: "\(peer) is not installed")
        Swift.print(record.line)
        FigureJournal.ofRun?.append(record)
    }
}

func rounded(_ value: Double) -> String {
    let thousandths = (value * 1_000).rounded() / 1_000
    return thousandths == thousandths.rounded() && abs(thousandths) < 1e15 ? "\(Int(thousandths))" : "\(thousandths)"
}

// SPDX-License-Identifier: Apache-2.0

struct FigureBound: Codable, Equatable {
    /// The required relation of the value to the bound.
    enum Relation: String, Codable {
        case atLeast = ">="
        case atMost = "<="
    }

    let relation: Relation
    let value: Double

    func isKept(by number: Double) -> Bool { relation == .atLeast ? number >= value : number <= value }
}

extension FigureBound: CustomStringConvertible {
    var description: String { relation.rawValue + rounded(value) }
}

/// The values of both sides of a comparison in one unit: seconds (`s`), or a rate (`calls/s`).
struct FigureSides: Codable, Equatable {
    let ours: Double
    let peer: Double
    let unit: String
}

/// The lowest and the highest of several measured ratios.
struct FigureSpread: Codable, Equatable, CustomStringConvertible {
    let least: Double
    let most: Double
    let count: Int

    var description: String { "min \(rounded(least)) max \(rounded(most)) of \(count) pairs" }
}

/// A metric as it is stored in a file and compared with other runs.
struct FigureRecord: Codable, Equatable {
    enum Verdict: String, Codable {
        /// Within the bound.
        case ok
        /// Outside the bound.
        case short
        /// Without a bound.
        case unbounded = "-"
        /// Measured in the short form, to show that it works.
        case checked
        /// Not measured, because the baseline is not installed.
        case absent
    }

    let name: String
    /// The value, or `nil` if it is absent or not a number.
    private(set) var value: Double?
    private(set) var unit: String?
    private(set) var bound: FigureBound?
    private(set) var sides: FigureSides?
    /// The spread of the ratios of which the value is the median.
    private(set) var spread: FigureSpread?
    private(set) var verdict: Verdict
    private(set) var note: String
    /// The values of all runs, if there are several.
    private(set) var runs: [Double]?

    /// Creates a record of a measurement, which is meaningless in the short form.
    init(
        name: String, value: Double, unit: String, bound: FigureBound?, sides: FigureSides?,
        spread: FigureSpread? = nil, note: String, isShortForm: Bool
    ) {
        (self.name, self.unit, self.bound, self.spread, self.note) = (name, unit, bound, spread, note)
        self.value = value.isFinite ? value : nil
        self.sides = sides.flatMap { $0.ours.isFinite && $0.peer.isFinite ? $0 : nil }
        verdict = isShortForm ? .checked : bound.map { $0.isKept(by: value) ? .ok : .short } ?? .unbounded
    }

    /// Creates a record of a metric whose baseline is missing.
    init(absent name: String, note: String) {
        (self.name, self.note) = (name, note)
        verdict = .absent
    }

    var line: String {
        guard verdict != .absent else { return "figure \(name) - - absent (\(note))" }
        let limit = bound.map { "bound \($0) " } ?? ""
        let line = "figure \(name) \(rounded(value ?? .nan)) \(unit ?? "-") \(limit)\(verdict.rawValue)"
        let notes = [spread?.description, note.isEmpty ? nil : note].compactMap(\.self)
        return notes.isEmpty ? line : "\(line) (\(notes.joined(separator: "; ")))"
    }
}

extension FigureRecord {
    /// Creates one record for several runs, which is that of the run with the median value.
    ///
    /// For an even number of runs, it is the upper of the two middle values. Runs without a value are ignored.
    init?(medianOf records: [FigureRecord]) {
        let made = records.filter { $0.value != nil }.sorted { ($0.value ?? 0) < ($1.value ?? 0) }
        guard let middle = made.isEmpty ? records.first : made[made.count / 2] else { return nil }
        self = middle
        if records.count > 1 { runs = made.compactMap(\.value) }
    }
}

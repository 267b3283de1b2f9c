// SPDX-License-Identifier: Apache-2.0

/// What a number must be.
struct FigureBound: Codable, Equatable {
    /// What the number must be against the bound.
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

/// What both sides of a comparison took or did, in one unit: seconds (`s`), or things in a second (`calls/s`).
struct FigureSides: Codable, Equatable {
    let ours: Double
    let peer: Double
    let unit: String
}

/// A figure as it is written into a file and compared with that of another run.
struct FigureRecord: Codable, Equatable {
    /// What became of a figure.
    enum Verdict: String, Codable {
        /// It keeps its bound.
        case ok
        /// It does not.
        case short
        /// It has no bound.
        case unbounded = "-"
        /// It was made from little, to see that it can be made.
        case checked
        /// Its peer is not installed.
        case absent
    }

    let name: String
    /// What was measured; `nil` for an absent one, and for what is no number.
    private(set) var value: Double?
    private(set) var unit: String?
    private(set) var bound: FigureBound?
    private(set) var sides: FigureSides?
    private(set) var verdict: Verdict
    private(set) var note: String
    /// The values of all runs, when there were several.
    private(set) var runs: [Double]?

    /// Makes a record of what was measured; in the short form the number tells nothing.
    init(
        name: String, value: Double, unit: String, bound: FigureBound?, sides: FigureSides?, note: String,
        isShortForm: Bool
    ) {
        (self.name, self.unit, self.bound, self.note) = (name, unit, bound, note)
        self.value = value.isFinite ? value : nil
        self.sides = sides.flatMap { $0.ours.isFinite && $0.peer.isFinite ? $0 : nil }
        verdict = isShortForm ? .checked : bound.map { $0.isKept(by: value) ? .ok : .short } ?? .unbounded
    }

    /// Makes a record of a figure whose peer is not there.
    init(absent name: String, note: String) {
        (self.name, self.note) = (name, note)
        verdict = .absent
    }

    /// The line that is printed when the figure is made.
    var line: String {
        guard verdict != .absent else { return "figure \(name) - - absent (\(note))" }
        let limit = bound.map { "bound \($0) " } ?? ""
        let line = "figure \(name) \(rounded(value ?? .nan)) \(unit ?? "-") \(limit)\(verdict.rawValue)"
        return note.isEmpty ? line : "\(line) (\(note))"
    }
}

extension FigureRecord {
    /// One record for a figure of several runs: the run whose value is the median stands for all, and is judged.
    ///
    /// Of an even number the upper one of the two in the middle is taken. A figure that some run could not make is
    /// judged by the others.
    init?(medianOf records: [FigureRecord]) {
        let made = records.filter { $0.value != nil }.sorted { ($0.value ?? 0) < ($1.value ?? 0) }
        guard let middle = made.isEmpty ? records.first : made[made.count / 2] else { return nil }
        self = middle
        if records.count > 1 { runs = made.compactMap(\.value) }
    }
}

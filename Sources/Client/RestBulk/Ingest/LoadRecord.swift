// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// A line of a load's journal.
struct LoadRecord: Codable, Sendable {
    /// What is loaded.
    struct Plan: Codable, Sendable, Equatable {
        let object: String
        let operation: String
        let externalID: String?
        let columns: [String]
        let delimiter: String
        let lineEnding: String
        /// What the source file was; `nil` for other rows.
        let source: String?
    }

    /// Rows that one job loads.
    struct Part: Codable, Sendable, Equatable {
        /// Its number, from 1.
        let number: Int
        /// How many rows come before it, and how many it has.
        let before: Int
        let rows: Int
        /// Where it is in the source file, without a header; `nil` where it has a file of its own.
        let start: Int64?
        let end: Int64?
        /// How much is sent for it, header included.
        let bytes: Int64
        /// The hash of what is sent, for rows that come from elsewhere.
        let hash: String?
    }

    /// How far a part is.
    struct Step: Codable, Sendable {
        let part: Int
        let phase: LoadPart.Phase
    }

    var plan: Plan?
    var part: Part?
    var step: Step?
    /// All rows are in parts; how many there are.
    var whole: Int?

    init(plan: Plan) { self.plan = plan }
    init(part: Part) { self.part = part }
    init(step: Step) { self.step = step }
    init(whole: Int) { self.whole = whole }
}

/// What a load's journal says.
struct LoadState: Sendable {
    private(set) var plan: LoadRecord.Plan?
    private(set) var parts: [LoadPart] = []
    /// How many rows there are, once all are in parts.
    private(set) var whole: Int?

    /// How many rows are in parts.
    var rows: Int { parts.reduce(0) { $0 + $1.cut.rows } }

    /// Whether a job of the org has, or may have, rows of the load.
    ///
    /// As long as it has not, the load can start again with other rows.
    var isSent: Bool { parts.contains { $0.job != nil } }

    /// Whether the org can have a job of the load; a job whose creation got no response counts.
    var isBegun: Bool { parts.contains { $0.phase != .waiting } }

    /// A part by its number, from 1.
    subscript(number: Int) -> LoadPart {
        get { parts[number - 1] }
        set { parts[number - 1] = newValue }
    }

    /// Adds a line; `false` for one that cannot be.
    mutating func add(_ record: LoadRecord) -> Bool {
        if let plan = record.plan {
            guard self.plan == nil else { return false }
            self.plan = plan
        }
        if let part = record.part {
            let range = (part.start ?? 0)...max(part.start ?? 0, part.end ?? 0)
            guard part.number == parts.count + 1, part.before == rows, part.isPossible, range.lowerBound >= 0 else {
                return false
            }
            parts.append(LoadPart(part))
        }
        if let step = record.step {
            guard parts.indices.contains(step.part - 1) else { return false }
            parts[step.part - 1].restore(step.phase)
        }
        if let whole = record.whole {
            guard whole == rows else { return false }
            self.whole = whole
        }
        return plan != nil
    }
}

extension LoadRecord.Part {
    /// Whether numbers of the journal can be of a part.
    fileprivate var isPossible: Bool {
        let ends = [start ?? 0, end ?? 0, bytes].allSatisfy { Int(outside: $0, in: .bytes) != nil }
        return ends && rows > 0 && Int(outside: rows, in: .count) != nil && (start ?? 0) <= (end ?? 0)
    }
}

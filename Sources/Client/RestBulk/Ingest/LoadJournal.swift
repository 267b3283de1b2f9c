// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A load's journal, and the parts that stand beside it.
final class LoadJournal: Sendable {
    private static let title = "RestBulk load 1"

    private let journal: BulkJournal<LoadRecord>
    private let core: Mutex<LoadState>

    init(path: String) throws(BulkError) {
        journal = try BulkJournal(path: path, title: Self.title)
        var state = LoadState()
        try journal.read { state.add($0) }
        core = Mutex(state)
    }

    /// What it says.
    var state: LoadState { core.withLock(\.self) }

    /// Records the plan of the load, or checks that it is the recorded plan.
    ///
    /// - Throws: ``BulkError/Code/journal`` for another load, ``BulkError/Code/sourceChanged`` for another source file.
    func begin(_ plan: LoadRecord.Plan) throws(BulkError) {
        guard let known = state.plan else { return try add(LoadRecord(plan: plan)) }
        guard known != plan else { return }
        guard known.source != nil, known.source != plan.source else { throw journal.refusal(Self.otherLoad) }
        throw BulkError(
            .sourceChanged,
            "\(journal.path): the file is not what it was when the load began; a new load needs a new "
                + "journal")
    }

    /// Checks that a load may continue with the recorded plan.
    ///
    /// - Throws: ``BulkError/Code/journal`` for another load.
    func check(_ target: LoadTarget) throws(BulkError) {
        guard let plan = state.plan else { return }
        guard plan.object == target.object, plan.operation == target.operation.name,
            plan.externalID == target.operation.externalID
        else { throw journal.refusal(Self.otherLoad) }
    }

    private static let otherLoad = "it is of another load; take another one for each"

    /// Forgets everything that is recorded.
    func clear() throws(BulkError) {
        guard state.plan != nil else { return }
        try journal.clear()
        core.withLock { $0 = LoadState() }
    }

    /// Removes a journal, whatever the file contains.
    ///
    /// - Throws: ``BulkError/Code/journal`` if another process uses the journal, or if it is not a regular file.
    static func remove(_ path: String) throws(BulkError) {
        let journal = try BulkJournal<LoadRecord>(path: path, title: title)
        journal.remove()
        journal.close()
    }

    /// Notes rows that belong to one job, or that there are no more.
    func add(_ record: LoadRecord, isDurable: Bool = true) throws(BulkError) {
        try journal.add(record, isDurable: isDurable)
        _ = core.withLock { $0.add(record) }
    }

    /// Changes a part, and notes the phase that comes of it before anybody acts on it.
    @discardableResult
    func change<Result: Sendable>(
        _ part: Int, _ change: (inout LoadPart) -> (phase: LoadPart.Phase?, result: Result)
    ) throws(BulkError) -> Result {
        var copy = state[part]
        let (phase, result) = change(&copy)
        let changed = copy
        if let phase {
            // What is lost of these with the machine's power is found out by asking; a closing must not be lost.
            var isDurable = true
            if case .creating = phase { isDurable = false }
            if case .running = phase { isDurable = false }
            try journal.add(LoadRecord(step: LoadRecord.Step(part: part, phase: phase)), isDurable: isDurable)
        }
        core.withLock { $0[part] = changed }
        return result
    }

    func remove() { journal.remove() }

    func close() { journal.close() }
}

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

/// The files of a load: next to its journal, or in a directory that is removed with the load.
final class LoadFolder: Sendable {
    /// Where the journal is.
    let journal: String
    private let folder: String?

    /// Uses the place of a journal; `nil` makes a folder.
    init(journal: String?) {
        guard let journal else {
            let folder = FileManager.default.temporaryDirectory.path + "/bulk-" + UUID().uuidString
            self.folder = folder
            self.journal = folder + "/load"
            return
        }
        (self.journal, folder) = (journal, nil)
    }

    deinit {
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Makes the folder, if it is one of its own.
    func prepare() throws(BulkError) {
        guard let folder, !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BulkError(.file, "\(folder): the folder cannot be made", underlying: error)
        }
    }

    /// The path of the rows of a part.
    func rows(of part: Int) -> String { "\(journal).\(Self.rowsMark)\(part).csv" }

    /// The path of a result file of a job.
    ///
    /// The job's id is in the name, so the results of another load are never read in its place.
    func results(_ kind: ResultFile.Kind, of job: String) -> String { "\(journal).\(job).\(kind.rawValue).csv" }

    /// Removes the files next to the journal that this load, or an earlier load with the same journal path, wrote.
    func clear() {
        for file in files { try? FileManager.default.removeItem(atPath: file) }
    }

    /// Rejects a source that is the journal or a file that the load replaces or removes.
    ///
    /// - Throws: ``BulkError/Code/argument``.
    func check(source: String?) throws(BulkError) {
        guard let source, let place = FilePlace(source) else { return }
        guard let taken = ([journal] + files).first(where: { FilePlace($0) == place }) else { return }
        throw BulkError(
            .argument, "\(source): the load keeps its own data in this file (\(taken)); choose another journal path")
    }

    private static let rowsMark = "rows-"

    /// The existing files next to the journal that loads with this journal path wrote.
    private var files: [String] {
        let folder = FileWriter.folder(of: journal)
        let start = (journal.cut(lastByte: "/")?.after ?? journal[...]) + "."
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.removing(prefix: start).map(Self.isOwn) ?? false }.map { folder + $0 }
    }

    /// Whether the rest of a file name, after the journal's name, is one that only loads give.
    private static func isOwn(_ rest: Substring) -> Bool {
        let words = rest.split(byte: ".", omittingEmptySubsequences: false)
        guard words.last == "csv" else { return false }
        if words.count == 3 { return String(words[0]).isRecordID && ResultFile.Kind(rawValue: String(words[1])) != nil }
        guard words.count == 2, let number = words[0].removing(prefix: rowsMark) else { return false }
        return !number.isEmpty && number.utf8.allSatisfy(ASCII.isDigit)
    }
}

// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WorkJournal where Content == LoadState {
    /// Records the plan of the load, or checks that the journal has the same plan.
    ///
    /// - Throws: ``BulkError/Code/journal`` for another load, ``BulkError/Code/sourceChanged`` for another source file.
    func begin(_ plan: LoadRecord.Plan) throws(BulkError) {
        guard let known = read(\.plan) else { return try add(.plan(plan)) }
        guard known != plan else { return }
        guard known.source != nil, known.source != plan.source else { throw otherLoad }
        throw BulkError(
            .sourceChanged,
            "\(path): the file has changed since the load began; use a new journal for a new load")
    }

    /// Checks that a load may continue with the recorded plan.
    ///
    /// - Throws: ``BulkError/Code/journal`` for another load.
    func check(_ target: LoadTarget) throws(BulkError) {
        guard let plan = read(\.plan) else { return }
        guard plan.object == target.object, plan.operation == target.operation.name,
            plan.externalID == target.operation.externalID
        else { throw otherLoad }
    }

    private var otherLoad: BulkError { rejection("it belongs to another load; use one journal for each load") }
}

/// A line of a load's journal.
enum LoadRecord: Codable, Sendable {
    /// The target and the format of the rows.
    struct Plan: Codable, Sendable, Equatable {
        let object: String
        let operation: String
        let externalID: String?
        let columns: [String]
        let delimiter: String
        let lineEnding: String
        /// The identity of the source file, or `nil` for other rows.
        let source: String?
    }

    struct Part: Codable, Sendable, Equatable {
        let number: Int
        /// The number of rows before the part, and in the part.
        let before: Int
        let rows: Int
        /// The range in the source file, without a header, or `nil` if the part has its own file.
        let start: Int64?
        let end: Int64?
        /// The number of bytes that are sent, header included.
        let bytes: Int64
        /// The hash of the bytes, or `nil` for a range of a file.
        let hash: String?
    }

    case plan(Plan)
    case part(Part)
    case step(part: Int, LoadPart.Phase)
    case whole(rows: Int)
    /// The rows are written by collections.
    case collections
    /// A collection with these rows is about to be sent, so their outcome is unknown until it is recorded.
    case sent(first: Int, count: Int)
    /// The outcomes of the rows from this one on, or `nil` for rows that were not written and can be sent again.
    case outcomes(first: Int, [RowOutcome?])

    /// The outcome of a row of a collection, which is unknown without an id and an error.
    struct RowOutcome: Codable, Sendable, Equatable {
        var id: String?
        var isCreated = false
        /// The error as in the results of a job.
        var error: String?
    }
}

struct LoadState: JournalContent {
    static let kind = "RestBulk load"
    static let version = 2

    private(set) var plan: LoadRecord.Plan?
    private(set) var parts: [LoadPart] = []
    private(set) var rows = 0
    private(set) var isWhole = false
    /// Whether collections write the rows, and the outcomes of the rows that were sent, by the row from 0.
    private(set) var hasCollections = false, outcomes: [Int: LoadRecord.RowOutcome] = [:]

    /// Whether the org may have rows of the load.
    ///
    /// If not, the load can restart with other rows.
    var isSent: Bool { !outcomes.isEmpty || parts.contains { $0.job != nil } }

    /// Whether the org may have a job of the load, including a job whose creation got no response.
    var isBegun: Bool { !outcomes.isEmpty || parts.contains { $0.phase != .waiting } }

    subscript(number: Int) -> LoadPart {
        get { parts[number - 1] }
        set { parts[number - 1] = newValue }
    }

    mutating func add(_ line: LoadRecord) -> Bool {
        switch line {
        case .plan(let plan):
            guard self.plan == nil else { return false }
            self.plan = plan
        case .part(let part):
            guard part.number == parts.count + 1, part.before == rows, !isWhole, part.isPossible else { return false }
            parts.append(LoadPart(part))
            rows += part.rows
        case .step(let part, let phase):
            guard parts.indices.contains(part - 1) else { return false }
            parts[part - 1].restore(phase)
        case .whole(let rows):
            guard rows == self.rows else { return false }
            isWhole = true
        case .collections: hasCollections = true
        case .sent(let first, let count):
            guard hasCollections, first >= 0, count > 0, count <= rows - first else { return false }
            for row in first..<first + count { outcomes[row] = LoadRecord.RowOutcome() }
        case .outcomes(let first, let list):
            guard hasCollections, first >= 0, list.count <= rows - first else { return false }
            for (row, outcome) in zip(first..., list) { outcomes[row] = outcome }
        }
        return plan != nil
    }

    var lines: [LoadRecord] {
        guard let plan else { return [] }
        let parts = self.parts.flatMap { part -> [LoadRecord] in
            let cut = LoadRecord.part(part.cut)
            return part.phase == .waiting ? [cut] : [cut, .step(part: part.cut.number, part.phase)]
        }
        return [.plan(plan)] + parts + (isWhole ? [.whole(rows: rows)] : []) + (hasCollections ? [.collections] : [])
            + outcomes.sorted { $0.key < $1.key }.map { .outcomes(first: $0.key, [$0.value]) }
    }
}

extension LoadRecord.Part {
    /// Whether the numbers, which come from a file, are possible for a part.
    fileprivate var isPossible: Bool {
        let ends = [start ?? 0, end ?? 0, bytes].allSatisfy { Int(outside: $0, in: .bytes) != nil }
        let sum = before.addingReportingOverflow(rows)
        return ends && rows > 0 && !sum.overflow && Int(outside: sum.partialValue, in: .count) != nil
            && (start ?? 0) <= (end ?? 0)
    }
}

/// The files of a load: next to its journal, or in a directory that is removed with the load.
final class LoadDirectory: Sendable {
    let journal: String
    private let folder: String?

    /// Uses the directory of a journal, or a temporary directory for `nil`.
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

    /// Creates the directory if it is a temporary one.
    func prepare() throws(BulkError) {
        guard let folder, !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BulkError(.file, "\(folder): the directory cannot be created", underlying: error)
        }
    }

    func rows(of part: Int) -> String { "\(journal).\(Self.rowsMark)\(part).csv" }

    /// The path of a result file of a job.
    ///
    /// The name contains the job's id, so the results of another load are never read instead.
    func results(_ kind: ResultFile.Kind, of job: String) -> String { "\(journal).\(job).\(kind.rawValue).csv" }

    /// Removes the files next to the journal that this load or an earlier load with the same journal path wrote.
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
            .argument, "\(source): the load stores its own data in this file (\(taken)); choose another journal path")
    }

    private static let rowsMark = "rows-"

    /// The existing files next to the journal that loads with this journal path wrote.
    private var files: [String] {
        let folder = FileWriter.folder(of: journal)
        let start = (journal.cut(lastByte: "/")?.after ?? journal[...]) + "."
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.removing(prefix: start).map(Self.isOwn) ?? false }.map { folder + $0 }
    }

    /// Whether the rest of a file name after the journal's name is one that only loads use.
    private static func isOwn(_ rest: Substring) -> Bool {
        let words = rest.split(byte: ".", omittingEmptySubsequences: false)
        guard words.last == "csv" else { return false }
        if words.count == 3 { return String(words[0]).isRecordID && ResultFile.Kind(rawValue: String(words[1])) != nil }
        guard words.count == 2, let number = words[0].removing(prefix: rowsMark) else { return false }
        return !number.isEmpty && number.utf8.allSatisfy(ASCII.isDigit)
    }
}

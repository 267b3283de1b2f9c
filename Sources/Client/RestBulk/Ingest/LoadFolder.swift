// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

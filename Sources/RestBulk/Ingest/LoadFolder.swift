// SPDX-License-Identifier: Apache-2.0

import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a load keeps what it needs: beside its journal, or in a folder that goes away with it.
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

    /// Where the rows of a part are.
    func rows(of part: Int) -> String { "\(journal).\(part).csv" }

    /// Where results of a part are.
    func results(_ kind: String, of part: Int) -> String { "\(journal).\(part).\(kind).csv" }

    /// Removes what belongs to a number of parts.
    func remove(parts: Int) {
        for part in 1..<(parts + 1) {
            let files = [rows(of: part)] + ResultFile.Kind.allCases.map { results($0.rawValue, of: part) }
            for file in files { try? FileManager.default.removeItem(atPath: file) }
        }
    }
}

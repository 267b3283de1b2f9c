// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a download left beside its place, so that another one goes on with it, also in another process.
///
/// Its name has the revision, its length is how far it came. That its bytes are right shows the content hash of the
/// whole in the end.
struct PartFile: Sendable {
    /// The revision of the file at Dropbox.
    let revision: String
    let writer: FileWriter
    /// The hash of what is in it.
    private(set) var hash = ContentHash()

    /// No name of a file is longer on the usual volumes.
    private static let longestName = 255

    /// Begins a file of a revision, or goes on with what there is of it.
    ///
    /// `nil` where it cannot be: another download is at it, or the name would be too long.
    init?(of revision: String, for path: String, replaces: Bool) {
        guard Self.isRevision(revision), let writer = Self.writer(Self.name(revision, path), path, replaces) else {
            return nil
        }
        self.revision = revision
        self.writer = writer
        var hash = ContentHash()
        guard (try? writer.readBack { hash.update($0) }) != nil else { return nil }
        self.hash = hash
    }

    /// What was left at a place, of whichever revision; `nil` when there is nothing, or somebody is at it.
    static func left(at path: String, replaces: Bool) -> PartFile? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: FileWriter.folder(of: path))) ?? []
        let (start, end) = (".\(file(path)).", ".part")
        for name in names.sorted() {
            guard let revision = name.removing(prefix: start)?.removing(suffix: end) else { continue }
            if let part = PartFile(of: String(revision), for: path, replaces: replaces) { return part }
        }
        return nil
    }

    /// An empty file of a revision, whatever was there of it; `nil` as when it is begun.
    static func empty(of revision: String, for path: String, replaces: Bool) -> PartFile? {
        guard let part = PartFile(of: revision, for: path, replaces: replaces) else { return nil }
        guard part.hash.count > 0 else { return part }
        part.writer.discard()
        return PartFile(of: revision, for: path, replaces: replaces)
    }

    private static func writer(_ name: String, _ path: String, _ replaces: Bool) -> FileWriter? {
        guard name.utf8.count <= longestName else { return nil }
        return try? FileWriter(path: path, replaces: replaces, goingOnWith: name)
    }

    private static func name(_ revision: String, _ path: String) -> String { ".\(file(path)).\(revision).part" }

    private static func file(_ path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// Whether a text of the server can be a part of a name.
    private static func isRevision(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { ASCII.isDigit($0) || (0x61...0x7A).contains($0) }
    }
}
